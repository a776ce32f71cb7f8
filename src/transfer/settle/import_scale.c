#include "transfer/settle/import_scale.h"

#include <math.h>

#include "lib/buf.h"

static bool is_on(const double *scale, size_t n, double v)
{
	for (size_t i = 0; i < n; i++)
		if (fabs(scale[i] - v) < 1e-9)
			return true;
	return false;
}

static bool holds(const double *scale, size_t n_scale, const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!is_on(scale, n_scale, values[i]))
			return false;
	return true;
}

struct str import_scale_of(struct arena *a, const double *values, size_t n)
{
	static const double linear[] = { 0, 1, 2, 3 }, powers[] = { 0, 1, 2, 4, 8 },
			    fibonacci[] = { 0, 1, 2, 3, 5, 8 };
	struct buf text = { 0 };
	if (holds(linear, 4, values, n))
		return STR("0,1,2,3");
	if (holds(powers, 5, values, n))
		return STR("0,1,2,4,8");
	if (holds(fibonacci, 6, values, n))
		return STR("0,1,2,3,5,8");
	size_t put = 0;
	if (n < IMPORT_SCALE_MAX && !is_on(values, n, 0)) {
		buf_put_z(&text, "0");
		put = 1;
	}
	for (size_t i = 0; i < n && put < IMPORT_SCALE_MAX && values[i] <= 999; i++)
		buf_printf(&text, put++ ? ",%.9g" : "%.9g", values[i]);
	struct str copy = arena_str(a, buf_str(&text));
	buf_free(&text);
	return copy;
}
