#include "transfer/merge/iteration_check.h"

#include "lib/when.h"
#include "model/words.h"
#include "transfer/settle/import_calendar.h"

/* What comes out otherwise, with the calendar of the project. */
struct differ {
	int64_t stories, example, said, is, length;
	struct str week_start;
	int32_t first;
};

static int64_t number(const struct rows *rows, const char *column)
{
	int c = db_column(rows, column);
	return db_is_null(rows, 0, c) ? NIL : db_get_int(rows, 0, c);
}

static enum rc load(struct import_context *w, struct differ *d)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_ITERATIONS_DIFFER, 0, NULL, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	*d = (struct differ){ number(rows, "stories"), number(rows, "example"),
		number(rows, "said"), number(rows, "is"), number(rows, "length"),
		arena_str(w->arena, db_get_text(rows, 0, db_column(rows, "week_start_day"))),
		db_get_date(rows, 0, db_column(rows, "first_day")) };
	return RC_OK;
}

static void put_calendar(struct buf *to, int64_t length, const char *day, int32_t first)
{
	buf_printf(to, "%lld week%s from %s, the first on ", (long long)length,
		length == 1 ? "" : "s", day);
	when_put_date(to, first);
}

/* The first of the reasons that holds. */
static void put_why(struct buf *to, const struct differ *d, const struct calendar *c)
{
	const char *day = c->length ? words_week_days[when_weekday(c->start)] : "";
	if (c->length == 0) {
		buf_put_z(to, "the files do not tell how long iterations are");
	} else if (c->length != d->length || c->start != d->first) {
		buf_put_z(to, "in the files an iteration has ");
		put_calendar(to, c->length, day, c->start);
		buf_put_z(to, ", and here ");
		put_calendar(to, d->length, d->week_start.p, d->first);
		buf_put_z(to,
			" (settings of the project: iteration_length, week_start_day, start_date)");
	} else if (c->odd) {
		buf_printf(to, "%zu iterations of the files have days that no whole weeks explain",
			c->odd);
	} else if (c->n) {
		buf_printf(to,
			"%zu iterations of the files have lengths of their own, which are not "
			"those here",
			c->n);
	} else {
		buf_put_z(to,
			"their days of acceptance are not among the days of the iterations that "
			"the files say");
	}
}

enum rc iteration_check(struct import_context *w)
{
	struct differ d = { 0 };
	struct calendar c = { 0 };
	struct buf why = { 0 };
	enum rc rc = load(w, &d);
	if (!rc && d.stories)
		rc = import_calendar_read(w, &c);
	db_end(w->db);
	if (rc || !d.stories)
		return rc;
	put_why(&why, &d, &c);
	report_say(w->report, INTAKE_CHANGED, d.example, "Iteration", "iteration_differs",
		"%lld accepted stories come out in other iterations than the files say, the first "
		"in %lld and not in %lld: %.*s",
		(long long)d.stories, (long long)d.is, (long long)d.said, (int)why.n, why.p);
	buf_free(&why);
	return RC_OK;
}
