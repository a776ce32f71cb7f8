/*
 * POST /stories/export: fields and endpoint; stories of several projects as CSV (contract 7.1, 7.2).
 * What is accepted is in an iteration by its time; for the rest each project is
 * planned once.
 */
#include "api/gate.h"
#include "api/routes.h"
#include "http/bind.h"
#include "lib/csv.h"
#include "lib/when.h"
#include "planning/plan.h"

static const struct field body_fields[] = {
	{ "ids", FT_IDS, F_CREATE | F_REQUIRED | F_LOOSE, .max = 500,
		.doc = "Stories, at most 500." },
};
static const struct resource res_body = { "export", RESOURCE_FIELDS(body_fields) };

/* Each may cost a plan, and all plans are in memory until the answer is written. */
enum { PROJECTS_MAX = 100 };

/* Columns that repeat as often as the story with most of them needs; sql/queries/export.sql. */
enum { OWNERS, BLOCKERS, COMMENTS, TASKS, PULL_REQUESTS, BRANCHES, PARTS };
static const struct {
	const char *title, *status; /* status null: one column */
} parts[PARTS] = {
	[OWNERS] = { "Owned By", NULL },
	[BLOCKERS] = { "Blocker", "Blocker Status" },
	[COMMENTS] = { "Comment", NULL },
	[TASKS] = { "Task", "Task Status" },
	[PULL_REQUESTS] = { "Pull Request", NULL },
	[BRANCHES] = { "Git Branch", NULL },
};

struct iteration {
	int64_t number; /* 0: none */
	int32_t first_day, last_day;
};

/* Rows of `parts` from `first` on. */
struct stretch {
	int first, n;
};

struct export
{
	struct req *r;
	struct rows *stories, *parts;
	struct iteration *iterations; /* by row of stories */
	struct stretch(*stretches)[PARTS];
	int most[PARTS];
	struct csv csv;
};

/* Iterations ----------------------------------------------------------------- */

static enum rc check_projects(struct export *x)
{
	int column = db_column(x->stories, "project_id"), n = 0;
	int64_t last = 0;
	for (int row = 0; row < db_count(x->stories); row++) {
		int64_t project = db_get_int(x->stories, row, column);
		n += project != last;
		last = project;
	}
	return n > PROJECTS_MAX
		? req_fail(x->r, RC_INVALID_PARAMETER, "the stories must be of %d projects or less",
			  PROJECTS_MAX)
		: RC_OK;
}

static void take_accepted(struct export *x)
{
	int number = db_column(x->stories, "number");
	int first_day = db_column(x->stories, "first_day");
	int last_day = db_column(x->stories, "last_day");
	for (int row = 0; row < db_count(x->stories); row++)
		if (!db_is_null(x->stories, row, number))
			x->iterations[row] =
				(struct iteration){ db_get_int(x->stories, row, number),
					db_get_date(x->stories, row, first_day),
					db_get_date(x->stories, row, last_day) };
}

/* Rows come by project, and in it in the project's order. */
static enum rc take_planned(struct export *x)
{
	int id = db_column(x->stories, "id"), section = db_column(x->stories, "section");
	int project = db_column(x->stories, "project_id");
	struct plan_wish wish = { .scope = PLAN_CURRENT_BACKLOG, .limit = 1, .stories = true };
	struct plan plan;
	size_t from = 0;
	for (int row = 0; row < db_count(x->stories); row++) {
		int64_t of = db_get_int(x->stories, row, project);
		int64_t part = db_get_int(x->stories, row, section);
		if (part < 1 || part > 3)
			continue;
		if (wish.project != of) {
			wish.project = of;
			from = 0;
			enum rc rc = plan_load(x->r->arena, x->r->db, &wish, &plan);
			if (rc)
				return rc;
		}
		const struct planning_iteration *it =
			plan_find(&plan, db_get_int(x->stories, row, id), &from);
		if (it)
			x->iterations[row] = (struct iteration){ it->span.number, it->span.day,
				it->span.day + 7 * it->span.weeks - 1 };
	}
	return RC_OK;
}

/* Parts ------------------------------------------------------------------------ */

static void take_parts(struct export *x)
{
	int id = db_column(x->stories, "id");
	for (int row = 0; row < db_count(x->stories); row++) {
		int64_t story = db_get_int(x->stories, row, id);
		int low = 0, end = db_count(x->parts), high = end;
		while (low < high) {
			int middle = low + (high - low) / 2;
			if (db_get_int(x->parts, middle, 0) < story)
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < end && db_get_int(x->parts, low, 0) == story; low++) {
			int64_t part = db_get_int(x->parts, low, 1);
			struct stretch *s = &x->stretches[row][part];
			if (s->n++ == 0)
				s->first = low;
			if (s->n > x->most[part])
				x->most[part] = s->n;
		}
	}
}

/* Cells ------------------------------------------------------------------------- */

static struct str text_of(const struct rows *rows, int row, const char *column)
{
	return db_text_or_empty(rows, row, db_column(rows, column));
}

static void put_day(struct export *x, int32_t day)
{
	struct buf b = { 0 };
	when_put_words(&b, day);
	csv_put(&x->csv, buf_str(&b));
	buf_free(&b);
}

static void put_day_of(struct export *x, int row, const char *column)
{
	int i = db_column(x->stories, column);
	if (db_is_null(x->stories, row, i))
		csv_put(&x->csv, STR(""));
	else
		put_day(x, db_get_date(x->stories, row, i));
}

static void put_iteration(struct export *x, const struct iteration *it)
{
	if (!it->number) {
		for (int i = 0; i < 3; i++)
			csv_put(&x->csv, STR(""));
		return;
	}
	csv_put_int(&x->csv, it->number);
	put_day(x, it->first_day);
	put_day(x, it->last_day);
}

/* "text (Author Name - Nov 11, 2023)" */
static void put_comment(struct export *x, int row)
{
	struct str text = text_of(x->parts, row, "text");
	struct buf b = { 0 };
	buf_put_str(&b, text);
	buf_put_z(&b, text.n ? " (" : "(");
	buf_put_str(&b, text_of(x->parts, row, "author"));
	buf_put_z(&b, " - ");
	when_put_words(&b, db_get_date(x->parts, row, db_column(x->parts, "day")));
	buf_put_char(&b, ')');
	csv_put_text(&x->csv, buf_str(&b));
	buf_free(&b);
}

static void put_part(struct export *x, int part, int row)
{
	if (part == COMMENTS && row >= 0)
		put_comment(x, row);
	else
		csv_put_text(&x->csv, row < 0 ? STR("") : text_of(x->parts, row, "text"));
	if (parts[part].status)
		csv_put(&x->csv, row < 0 ? STR("") : text_of(x->parts, row, "status"));
}

static void put_parts(struct export *x, int story)
{
	for (int part = 0; part < PARTS; part++) {
		const struct stretch *s = &x->stretches[story][part];
		for (int i = 0; i < x->most[part]; i++)
			put_part(x, part, i < s->n ? s->first + i : -1);
	}
	csv_end_row(&x->csv);
}

static void put_story(struct export *x, int row)
{
	const struct rows *s = x->stories;
	int64_t id = db_get_int(s, row, db_column(s, "id"));
	csv_put_int(&x->csv, id);
	csv_put_text(&x->csv, text_of(s, row, "name"));
	csv_put_text(&x->csv, text_of(s, row, "labels"));
	put_iteration(x, &x->iterations[row]);
	csv_put(&x->csv, text_of(s, row, "story_type"));
	csv_put(&x->csv, text_of(s, row, "estimate"));
	csv_put(&x->csv, text_of(s, row, "priority"));
	csv_put(&x->csv, text_of(s, row, "current_state"));
	put_day_of(x, row, "created_day");
	put_day_of(x, row, "accepted_day");
	put_day_of(x, row, "deadline_day");
	csv_put_text(&x->csv, text_of(s, row, "requester"));
	csv_put_text(&x->csv, text_of(s, row, "description"));
	csv_put(&x->csv,
		arena_printf(
			x->r->arena, "%s/story/show/%lld", x->r->conf->base_url, (long long)id));
	put_parts(x, row);
}

static void put_header(struct export *x)
{
	static const char *const titles[] = { "Id", "Title", "Labels", "Iteration",
		"Iteration Start", "Iteration End", "Type", "Estimate", "Priority", "Current State",
		"Created at", "Accepted at", "Deadline", "Requested By", "Description", "URL" };
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		csv_put(&x->csv, str_of(titles[i]));
	for (int part = 0; part < PARTS; part++)
		for (int i = 0; i < x->most[part]; i++) {
			csv_put(&x->csv, str_of(parts[part].title));
			if (parts[part].status)
				csv_put(&x->csv, str_of(parts[part].status));
		}
	csv_end_row(&x->csv);
}

/* -------------------------------------------------------------------------------- */

/* The stories that the caller can see, and then what belongs to these. */
static enum rc load(struct export *x)
{
	struct req *r = x->r;
	struct db_param ids;
	enum rc rc;
	bind_params(r, r->route->body, F_CREATE, &ids, 1);
	db_send(r->db, r->route->read, 1, &ids);
	db_flush(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	if ((rc = req_next(r, &x->stories)))
		return rc;
	if ((rc = check_projects(x)))
		return rc;
	size_t n = (size_t)db_count(x->stories);
	int64_t *seen = arena_array(r->arena, n, sizeof *seen);
	for (size_t i = 0; i < n; i++)
		seen[i] = db_get_int(x->stories, (int)i, db_column(x->stories, "id"));
	x->iterations = arena_array(r->arena, n, sizeof *x->iterations);
	x->stretches = arena_array(r->arena, n, sizeof *x->stretches);
	take_accepted(x);
	if ((rc = take_planned(x)))
		return req_fail_db(r, rc);
	ids = db_ids(r->arena, seen, n);
	db_send(r->db, STMT_EXPORT_PARTS, 1, &ids);
	db_commit(r->db);
	if ((rc = db_next(r->db, &x->parts)) || (rc = db_finish(r->db)))
		return req_fail_db(r, rc);
	take_parts(x);
	return RC_OK;
}

static enum rc export_stories(struct req *r)
{
	struct export x = { .r = r };
	bind_check(r, r->route->body, F_CREATE, NULL);
	enum rc rc = gate_ask(r);
	if (!rc)
		rc = load(&x);
	if (rc)
		return rc;
	csv_init(&x.csv, r->out);
	put_header(&x);
	for (int row = 0; row < db_count(x.stories); row++)
		put_story(&x, row);
	r->media_type = "text/csv; charset=utf-8";
	r->filename = "stories.csv";
	r->envelope = false;
	return RC_OK;
}

const struct route export_routes[] = {
	{ "POST", "/stories/export", NEED_PERSON, export_stories, NULL, .read = STMT_EXPORT_STORIES,
		.body = &res_body, .flags = R_FORM | R_QUIET | R_READS,
		.doc = "Stories of any projects as CSV; those not there are left out." },
	{ 0 },
};
