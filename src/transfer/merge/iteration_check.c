#include "transfer/merge/iteration_check.h"

#include "lib/when.h"
#include "model/words.h"
#include "store/plan_load.h"
#include "transfer/settle/import_calendar.h"

/* What differs from the files, with the calendar of the project. */
struct differ {
	int64_t stories, example, said, made, length;
	const char *week_start;
	int32_t first;
};

static int64_t number(const struct rows *rows, const char *column)
{
	return db_get_int(rows, 0, db_column(rows, column));
}

static enum rc compare(
	struct import_context *w, const struct planning_calendar *days, struct differ *d)
{
	int64_t *begins = arena_array(w->arena, (size_t)days->current, sizeof *begins);
	for (int i = 0; i < days->current; i++)
		begins[i] = days->spans[i].day;
	struct db_param param = db_ids(w->arena, begins, (size_t)days->current);
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_ITERATIONS_DIFFER, 1, &param, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	*d = (struct differ){ number(rows, "stories"), number(rows, "example"),
		number(rows, "said"), number(rows, "made"), days->project->iteration_length,
		words_week_days[when_weekday((int32_t)begins[0])], (int32_t)begins[0] };
	return RC_OK;
}

static enum rc load(struct import_context *w, struct differ *d)
{
	struct db_param id = db_ids(w->arena, &w->project, 1);
	struct plan_project project;
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_PLANNING_PROJECTS, 1, &id, &rows);
	if (rc || db_count(rows) == 0)
		return rc;
	plan_load_read_project(w->arena, rows, 0, &project);
	return compare(w, &project.days, d);
}

static void put_calendar(struct buf *to, int64_t length, const char *day, int32_t first)
{
	buf_printf(to, "%lld week%s from %s, the first on ", (long long)length,
		length == 1 ? "" : "s", day);
	when_put_date(to, first);
}

/* Gives the first reason that holds. */
static void put_why(struct buf *to, const struct differ *d, const struct calendar *c)
{
	const char *day = c->length ? words_week_days[when_weekday(c->start)] : "";
	if (c->length == 0) {
		buf_put_z(to, "the files do not say how long iterations are");
	} else if (c->length != d->length || c->start != d->first) {
		buf_put_z(to, "in the files, an iteration has ");
		put_calendar(to, c->length, day, c->start);
		buf_put_z(to, ", and here ");
		put_calendar(to, d->length, d->week_start, d->first);
		buf_put_z(to,
			" (settings of the project: iteration_length, week_start_day, start_date)");
	} else if (c->odd) {
		buf_printf(to, "%zu iterations in the files are not whole weeks long", c->odd);
	} else if (c->n) {
		buf_printf(to,
			"%zu iterations in the files have lengths of their own, which differ "
			"from those here",
			c->n);
	} else {
		buf_put_z(
			to, "they were accepted on days outside the iterations given in the files");
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
		"%lld accepted stories end up in other iterations than in the files, the first "
		"in %lld and not in %lld: %.*s",
		(long long)d.stories, (long long)d.made, (long long)d.said, (int)why.n, why.p);
	buf_free(&why);
	return RC_OK;
}
