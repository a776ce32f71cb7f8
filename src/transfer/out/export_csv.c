#include "transfer/out/export_csv.h"

#include "lib/when.h"

/* Columns that repeat; the statements of sql/queries/export.sql name them by their index. */
enum { OWNERS, BLOCKERS, COMMENTS, TASKS, REVIEWS, PULL_REQUESTS, BRANCHES };

static const struct {
	const char *title, *person, *status; /* the last two may be null: no such column */
} parts[EXPORT_CSV_PARTS] = {
	[OWNERS] = { .title = "Owned By" },
	[BLOCKERS] = { .title = "Blocker", .status = "Blocker Status" },
	[COMMENTS] = { .title = "Comment" },
	[TASKS] = { .title = "Task", .status = "Task Status" },
	[REVIEWS] = { .title = "Review Type", .person = "Reviewer", .status = "Review Status" },
	[PULL_REQUESTS] = { .title = "Pull Request" },
	[BRANCHES] = { .title = "Git Branch" },
};

/* What the rows of a piece say about the columns that repeat; `at` is the next row to write. */
struct shares {
	struct rows *rows;
	int at, owner_id, part, text, person, status, day;
};

void export_csv_init(
	struct export_csv *x, struct arena *a, struct db *db, const char *base_url, struct buf *out)
{
	*x = (struct export_csv){ .db = db, .arena = a, .piece = a, .base_url = base_url };
	csv_init(&x->csv, out, CSV_SHORT_ROWS); /* as the original wrote its exports */
}

enum rc export_csv_measure(struct export_csv *x, const int64_t *stories, size_t n_stories,
	const int64_t *epics, size_t n_epics)
{
	const struct db_param params[] = { db_ids(x->piece, stories, n_stories),
		db_ids(x->piece, epics, n_epics) };
	struct rows *rows;
	db_send(x->db, STMT_EXPORT_WIDTHS, 2, params);
	db_flush(x->db);
	enum rc rc = db_next(x->db, &rows);
	for (int row = 0; !rc && row < db_count(rows); row++) {
		int64_t *most = &x->most[db_get_int(rows, row, db_column(rows, "part"))];
		int64_t n = db_get_int(rows, row, db_column(rows, "most"));
		if (n > *most)
			*most = n;
	}
	return rc;
}

void export_csv_put_header(struct export_csv *x)
{
	static const char *const titles[] = { "Id", "Title", "Labels", "Iteration",
		"Iteration Start", "Iteration End", "Type", "Estimate", "Priority", "Current State",
		"Created at", "Accepted at", "Deadline", "Requested By", "Description", "URL" };
	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
		csv_put(&x->csv, str_of(titles[i]));
	for (int part = 0; part < EXPORT_CSV_PARTS; part++)
		for (int64_t i = 0; i < x->most[part]; i++) {
			csv_put(&x->csv, str_of(parts[part].title));
			if (parts[part].person)
				csv_put(&x->csv, str_of(parts[part].person));
			if (parts[part].status)
				csv_put(&x->csv, str_of(parts[part].status));
		}
	csv_end_row(&x->csv);
}

/* Cells ------------------------------------------------------------------------- */

static struct str named(const struct rows *rows, int row, const char *column)
{
	return db_text_or_empty(rows, row, db_column(rows, column));
}

static void put_blanks(struct export_csv *x, int n)
{
	while (n-- > 0)
		csv_put(&x->csv, STR(""));
}

static void put_day(struct export_csv *x, int32_t day)
{
	struct buf b = { 0 };
	when_put_words(&b, day);
	csv_put(&x->csv, buf_str(&b));
	buf_free(&b);
}

static void put_day_of(struct export_csv *x, const struct rows *rows, int row, const char *column)
{
	int i = db_column(rows, column);
	if (db_is_null(rows, row, i))
		put_blanks(x, 1);
	else
		put_day(x, db_get_date(rows, row, i));
}

/* Distinguishes an empty text from none where the original did so. */
static void put_labels(struct export_csv *x, struct str labels)
{
	if (labels.n)
		csv_put_text(&x->csv, labels);
	else
		csv_put_empty(&x->csv);
}

static void put_url(struct export_csv *x, const char *kind, int64_t id)
{
	csv_put(&x->csv,
		arena_printf(x->piece, "%s/%s/show/%lld", x->base_url, kind, (long long)id));
}

/* Columns that repeat ------------------------------------------------------------- */

/* Finds the owner's first row; rows are sorted by owner. */
static void find_shares(struct shares *s, int64_t owner)
{
	int low = 0, high = db_count(s->rows);
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (db_get_int(s->rows, middle, s->owner_id) < owner)
			low = middle + 1;
		else
			high = middle;
	}
	s->at = low;
}

static bool has_share(const struct shares *s, int64_t owner, int part)
{
	return s->at < db_count(s->rows) && db_get_int(s->rows, s->at, s->owner_id) == owner &&
		db_get_int(s->rows, s->at, s->part) == part;
}

/*
 * "text (Author Name - Nov 11, 2023)"; no space after a text that is empty or ends in a line end.
 */
static void put_comment(struct export_csv *x, const struct shares *s)
{
	struct str text = db_text_or_empty(s->rows, s->at, s->text);
	struct buf b = { 0 };
	buf_put_str(&b, text);
	buf_put_z(&b, text.n && text.p[text.n - 1] != '\n' ? " (" : "(");
	buf_put_str(&b, db_text_or_empty(s->rows, s->at, s->person));
	buf_put_z(&b, " - ");
	when_put_words(&b, db_get_date(s->rows, s->at, s->day));
	buf_put_char(&b, ')');
	csv_put_text(&x->csv, buf_str(&b));
	buf_free(&b);
}

static void put_share(struct export_csv *x, int part, const struct shares *s)
{
	if (part == COMMENTS)
		put_comment(x, s);
	else
		csv_put_text(&x->csv, db_text_or_empty(s->rows, s->at, s->text));
	if (parts[part].person)
		csv_put_text(&x->csv, db_text_or_empty(s->rows, s->at, s->person));
	if (parts[part].status)
		csv_put(&x->csv, db_text_or_empty(s->rows, s->at, s->status));
}

static void put_shares(struct export_csv *x, struct shares *s, int64_t owner)
{
	find_shares(s, owner);
	for (int part = 0; part < EXPORT_CSV_PARTS; part++) {
		int width = 1 + !!parts[part].person + !!parts[part].status;
		int64_t i = 0;
		for (; has_share(s, owner, part); s->at++)
			if (i < x->most[part]) {
				put_share(x, part, s);
				i++;
			}
		for (; i < x->most[part]; i++)
			put_blanks(x, width);
	}
}

static enum rc load_piece(struct export_csv *x, enum stmt stmt, enum stmt stmt_parts,
	const int64_t *ids, size_t n, struct rows **rows, struct shares *s)
{
	const struct db_param param = db_ids(x->piece, ids, n);
	db_send(x->db, stmt, 1, &param);
	db_send(x->db, stmt_parts, 1, &param);
	db_flush(x->db);
	enum rc rc = db_next(x->db, rows);
	if (!rc)
		rc = db_next(x->db, &s->rows);
	if (rc)
		return rc;
	s->owner_id = db_column(s->rows, "owner_id");
	s->part = db_column(s->rows, "part");
	s->text = db_column(s->rows, "text");
	s->person = db_column(s->rows, "person");
	s->status = db_column(s->rows, "status");
	s->day = db_column(s->rows, "day");
	return RC_OK;
}

/* Epics ------------------------------------------------------------------------------ */

static void put_epic(struct export_csv *x, const struct rows *rows, int row, struct shares *s)
{
	int64_t id = db_get_int(rows, row, db_column(rows, "id"));
	csv_put_int(&x->csv, id);
	csv_put_text(&x->csv, named(rows, row, "name"));
	put_labels(x, named(rows, row, "label"));
	put_blanks(x, 3);
	csv_put(&x->csv, STR("epic"));
	put_blanks(x, 3);
	put_day_of(x, rows, row, "created_day");
	put_blanks(x, 3);
	csv_put_text(&x->csv, named(rows, row, "description"));
	put_url(x, "epic", id);
	put_shares(x, s, id);
	csv_end_row_whole(&x->csv);
}

enum rc export_csv_put_epics(struct export_csv *x, const int64_t *ids, size_t n)
{
	struct shares s = { 0 };
	struct rows *rows;
	enum rc rc = load_piece(x, STMT_EXPORT_EPICS, STMT_EXPORT_EPIC_PARTS, ids, n, &rows, &s);
	for (int row = 0; !rc && row < db_count(rows); row++)
		put_epic(x, rows, row, &s);
	return rc;
}

/* Stories ----------------------------------------------------------------------------- */

static void put_iteration(struct export_csv *x, const struct planning_span *span)
{
	csv_put_int(&x->csv, span->number);
	put_day(x, span->day);
	put_day(x, span->day + 7 * span->weeks - 1);
}

/* Each project's calendar is looked up once. */
static enum rc put_accepted(struct export_csv *x, int64_t project, int32_t day)
{
	if (!x->calendar || x->calendar->id != project) {
		size_t n;
		plan_load_send_projects(x->arena, x->db, &project, 1);
		db_flush(x->db);
		enum rc rc = plan_load_take_projects(x->arena, x->db, &x->calendar, &n);
		if (rc)
			return rc;
		if (n == 0)
			x->calendar = NULL;
	}
	if (x->calendar) {
		const struct planning_calendar *days = &x->calendar->days;
		put_iteration(x, &days->spans[planning_find_number_of_day(days, day) - 1]);
	} else { /* the project was deleted meanwhile */
		put_blanks(x, 3);
	}
	return RC_OK;
}

/* Where it was accepted, or is planned. Rows are sorted by project, in the project's order. */
static enum rc put_place(struct export_csv *x, const struct rows *rows, int row)
{
	int accepted = db_column(rows, "accepted_day");
	int64_t project = db_get_int(rows, row, db_column(rows, "project_id"));
	int64_t section = db_get_int(rows, row, db_column(rows, "section"));
	const struct planning_iteration *it = NULL;
	if (!db_is_null(rows, row, accepted))
		return put_accepted(x, project, db_get_date(rows, row, accepted));
	if (section >= 1 && section <= 3) {
		const struct plan_wish wish = { .project = project,
			.scope = PLAN_CURRENT_BACKLOG,
			.limit = 1,
			.stories = true,
			.whole = true };
		enum rc rc =
			x->planned == project ? RC_OK : plan_load(x->arena, x->db, &wish, &x->plan);
		if (rc)
			return rc;
		if (x->planned != project)
			x->from = 0;
		x->planned = project;
		it = plan_find(&x->plan, db_get_int(rows, row, db_column(rows, "id")), &x->from);
	}
	if (it)
		put_iteration(x, &it->span);
	else
		put_blanks(x, 3);
	return RC_OK;
}

static enum rc put_story(struct export_csv *x, const struct rows *s, int row, struct shares *shares)
{
	int64_t id = db_get_int(s, row, db_column(s, "id"));
	csv_put_int(&x->csv, id);
	csv_put_text(&x->csv, named(s, row, "name"));
	put_labels(x, named(s, row, "labels"));
	enum rc rc = put_place(x, s, row);
	if (rc)
		return rc;
	csv_put(&x->csv, named(s, row, "story_type"));
	csv_put(&x->csv, named(s, row, "estimate"));
	csv_put(&x->csv, named(s, row, "priority"));
	csv_put(&x->csv, named(s, row, "current_state"));
	put_day_of(x, s, row, "created_day");
	put_day_of(x, s, row, "accepted_day");
	put_day_of(x, s, row, "deadline_day");
	csv_put_text(&x->csv, named(s, row, "requester"));
	csv_put_text(&x->csv, named(s, row, "description"));
	put_url(x, "story", id);
	put_shares(x, shares, id);
	csv_end_row(&x->csv);
	return RC_OK;
}

enum rc export_csv_put_stories(struct export_csv *x, const int64_t *ids, size_t n)
{
	struct shares s = { 0 };
	struct rows *rows;
	enum rc rc = load_piece(x, STMT_EXPORT_STORIES, STMT_EXPORT_STORY_PARTS, ids, n, &rows, &s);
	for (int row = 0; !rc && row < db_count(rows); row++)
		rc = put_story(x, rows, row, &s);
	return rc;
}
