#include "transfer/settle/import_calendar.h"

/* If a project seems to start before 1970, the first number is wrong. */
enum { START_MIN = 0, WEEK = 7, LENGTH_MAX = 4, OVERRIDE_MAX = 99 };

static int64_t weeks_of(const struct span *s)
{
	int64_t days = (int64_t)s->last - s->first + 1;
	return days > 0 && days % WEEK == 0 ? days / WEEK : 0;
}

/* The most frequent length; of equally frequent ones, the shortest. */
static int64_t usual_length(const struct span *spans, size_t n)
{
	size_t counts[LENGTH_MAX + 1] = { 0 };
	int64_t best = 0;
	for (size_t i = 0; i < n; i++) {
		int64_t weeks = weeks_of(&spans[i]);
		if (weeks >= 1 && weeks <= LENGTH_MAX)
			counts[weeks]++;
	}
	for (int64_t k = 1; k <= LENGTH_MAX; k++)
		if (counts[k] && (best == 0 || counts[k] > counts[best]))
			best = k;
	return best;
}

static void add(struct calendar *c, int64_t number, int64_t length)
{
	if (length < 1 || length > OVERRIDE_MAX) {
		c->odd++;
		return;
	}
	c->numbers[c->n] = number;
	c->lengths[c->n++] = length;
}

/*
 * If the iterations between two known ones have more or fewer weeks than they should, the last of
 * them gets the whole difference.
 */
static void fill_gap(struct calendar *c, const struct span *a, const struct span *b)
{
	int64_t missing = b->number - a->number - 1;
	int64_t days = (int64_t)b->first - a->last - 1;
	int64_t weeks = days / WEEK - missing * c->length;
	if (days % WEEK != 0 || (missing == 0 && days != 0))
		c->odd++;
	else if (weeks != 0)
		add(c, b->number - 1, c->length + weeks);
}

struct calendar import_calendar_of(struct arena *a, const struct span *spans, size_t n)
{
	struct calendar c = { .length = usual_length(spans, n) };
	if (c.length == 0)
		return c;
	c.numbers = arena_array(a, 2 * n, sizeof *c.numbers);
	c.lengths = arena_array(a, 2 * n, sizeof *c.lengths);
	int64_t start = spans[0].first - (spans[0].number - 1) * c.length * WEEK;
	if (start < START_MIN)
		return (struct calendar){ .odd = n };
	c.start = (int32_t)start;
	for (size_t i = 0; i < n; i++) {
		int64_t weeks = weeks_of(&spans[i]);
		if (i > 0)
			fill_gap(&c, &spans[i - 1], &spans[i]);
		if (weeks == 0)
			c.odd++;
		else if (weeks != c.length)
			add(&c, spans[i].number, weeks);
	}
	return c;
}

enum rc import_calendar_read(struct import_context *w, struct calendar *c)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_ITERATION_SPANS, 0, NULL, &rows);
	if (rc)
		return rc;
	size_t n = (size_t)db_count(rows);
	struct span *spans = arena_array(w->arena, n + 1, sizeof *spans);
	for (size_t i = 0; i < n; i++)
		spans[i] = (struct span){ db_get_int(rows, (int)i, db_column(rows, "number")),
			db_get_date(rows, (int)i, db_column(rows, "first")),
			db_get_date(rows, (int)i, db_column(rows, "last")) };
	*c = import_calendar_of(w->arena, spans, n);
	return RC_OK;
}
