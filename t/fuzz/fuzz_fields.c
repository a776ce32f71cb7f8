/* A list of fields that is accepted and written again is accepted again, with as many names. */
#include <stdint.h>
#include <stdlib.h>

#include "lib/buf.h"
#include "service/fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int write_list(struct buf *out, const struct fields *f)
{
	int count = 0;

	for (; f; f = f->next) {
		if (f->name.n == 0 || (f->list && !f->has_list))
			abort();
		buf_put_str(out, f->name);
		count++;
		if (f->has_list) {
			buf_put_char(out, '(');
			count += write_list(out, f->list);
			buf_put_char(out, ')');
		}
		if (f->next)
			buf_put_char(out, ',');
	}
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct buf first = { 0 }, second = { 0 };
	const char *problem = NULL;
	struct fields *f = fields_parse(&a, (struct str){ (const char *)data, size }, &problem);

	if (problem && f)
		abort();
	if (f) {
		int count = write_list(&first, f);
		struct fields *again = fields_parse(&a, buf_str(&first), &problem);
		if (!again || problem || write_list(&second, again) != count || count > 1000)
			abort();
		if (!str_equal(buf_str(&first), buf_str(&second)))
			abort();
	}
	buf_free(&first);
	buf_free(&second);
	arena_free(&a);
	return 0;
}
