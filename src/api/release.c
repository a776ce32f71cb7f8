/* Releases: fields, their stories as CSV, and endpoints. */
#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/existence.h"
#include "lib/csv.h"
#include "lib/log.h"
#include "model/model.h"
#include "model/plan_fields.h"
#include "model/words.h"
#include "service/fields.h"

/* Fields -------------------------------------------------------------------- */

static const char *const release_states[] = { "accepted", "unstarted", "unscheduled", NULL };

static const struct field release_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "release" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier; also that of its story." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT, .doc = "When it was last changed." },
	{ "accepted_at", FT_TIME, F_DEFAULT, .doc = "When it was accepted." },
	{ "deadline", FT_TIME, F_DEFAULT, .doc = "When it is due." },
	{ "name", FT_TEXT, F_DEFAULT, .doc = "One line of text." },
	{ "description", FT_TEXT, F_DEFAULT, .doc = "More text." },
	{ "current_state", FT_WORD, F_DEFAULT, .words = release_states,
		.doc = "unscheduled, unstarted or accepted." },
	{ "url", FT_URL, F_DEFAULT, .path = "/story/show/", .doc = "Address of its page." },
	{ "project_id", FT_INT, F_DEFAULT, .doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "labels", FT_SOME, F_DEFAULT, .child = &res_label, .key = "label_ids",
		.fetch_root = STMT_LABELS_OF_STORY, .doc = "Labels, by name." },
	{ "label_ids", FT_IDS, 0, .doc = "Ids of the labels." },
	{ "stories", FT_MANY, 0, .child = &res_story, .fetch = STMT_STORIES_OF_RELEASES,
		.doc = "The stories before it, back to the previous release." },
	{ "story_ids", FT_MANY_IDS, 0, .key = "stories", .child = &res_story,
		.doc = "Ids of these stories, in order." },
	{ "projected_completion", FT_TIME, F_SIDE, .compute = plan_completions,
		IN(plan_completion, finish), .doc = "Finish of the iteration that contains it." },
	{ "projected_completion_interval", FT_STRING, 0,
		.doc = "Never present: a projection is a single time." },
	{ "points_accepted", FT_FLOAT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "Points of its accepted stories." },
	{ "points_total", FT_FLOAT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "Points of its stories." },
	{ "counts_accepted", FT_INT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "How many of its stories are accepted." },
	{ "counts_total", FT_INT, F_SIDE, .fetch = STMT_RELEASE_ROLLUPS,
		.doc = "How many stories it has." },
};
static const struct resource res_release = { "release", RESOURCE_FIELDS(release_fields),
	.by_ids = STMT_RELEASE_BY_IDS, .is_versioned = true };

/* Stories as CSV ------------------------------------------------------------ */

/*
 * GET …/releases/:id/stories.csv (contract 2.13, 7.4): the columns State, Accepted at, Type,
 * Estimate, Title, ID, Labels, and Owned By once for each owner of the story with the most owners.
 */

/* What is fetched with the stories. */
static struct selection *select_columns(struct req *r)
{
	const char *problem;
	struct str unknown;
	struct selection *s;
	struct fields *f = fields_parse(r->arena, STR("labels(name),owners(name)"), &problem);
	if (!f || select_fields(r->arena, &res_story, f, &s, &unknown))
		log_die("a story has no labels or owners");
	return s;
}

/* The objects of one story among those that were fetched for a field, in order. */
struct related {
	const struct fetched *f;
	struct db_array ids;
};

static struct related related(
	const struct fetched *stories, const char *field, const char *key, int row)
{
	const struct resource *r = stories->selection->resource;
	return (struct related){ .f = stories->nested[resource_field(r, field)],
		.ids = db_array(stories->rows, row, stories->columns[resource_field(r, key)]) };
}

static bool next_name(struct related *x, struct str *name)
{
	int64_t id;
	int first;
	while (x->f && db_array_next_int(&x->ids, &id)) {
		if (fetch_range(x->f, id, &first) == 0)
			continue;
		int column = x->f->columns[resource_field(x->f->selection->resource, "name")];
		*name = db_get_text(x->f->rows, x->f->order[first], column);
		return true;
	}
	return false;
}

static int count_owners(const struct fetched *stories, int row)
{
	struct related owners = related(stories, "owners", "owner_ids", row);
	struct str name;
	int n = 0;
	while (next_name(&owners, &name))
		n++;
	return n;
}

static int most_owners(const struct fetched *stories)
{
	int most = 1;
	for (int row = 0; row < db_count(stories->rows); row++) {
		int n = count_owners(stories, row);
		if (n > most)
			most = n;
	}
	return most;
}

static void put_header(struct csv *c, struct req *r, struct str zone, int owners)
{
	csv_put(c, STR("State"));
	csv_put(c, arena_printf(r->arena, "Accepted at (%.*s)", (int)zone.n, zone.p));
	csv_put(c, STR("Type"));
	csv_put(c, STR("Estimate"));
	csv_put(c, STR("Title"));
	csv_put(c, STR("ID"));
	csv_put(c, STR("Labels"));
	for (int i = 0; i < owners; i++)
		csv_put(c, STR("Owned By"));
	csv_end_row(c);
}

static struct str join_labels(struct req *r, const struct fetched *stories, int row)
{
	struct related labels = related(stories, "labels", "label_ids", row);
	struct str name, all = STR("");
	struct buf b = { 0 };
	while (next_name(&labels, &name)) {
		if (b.n)
			buf_put_z(&b, ", ");
		buf_put_str(&b, name);
	}
	if (b.n)
		all = arena_str(r->arena, buf_str(&b));
	buf_free(&b);
	return all;
}

static struct str text_of(const struct fetched *stories, int row, const char *column)
{
	return db_text_or_empty(stories->rows, row, db_column(stories->rows, column));
}

static void put_story(
	struct csv *c, struct req *r, const struct fetched *stories, int row, int owner_columns)
{
	struct related owners = related(stories, "owners", "owner_ids", row);
	csv_put(c, text_of(stories, row, "current_state"));
	csv_put(c, text_of(stories, row, "accepted_local"));
	csv_put(c, text_of(stories, row, "story_type"));
	csv_put(c, text_of(stories, row, "estimate_text"));
	csv_put_text(c, text_of(stories, row, "name"));
	csv_put_int(c, db_get_int(stories->rows, row, db_column(stories->rows, "id")));
	csv_put_text(c, join_labels(r, stories, row));
	for (int i = 0; i < owner_columns; i++) {
		struct str name = STR("");
		if (!next_name(&owners, &name))
			name = STR("");
		csv_put_text(c, name);
	}
	csv_end_row(c);
}

static enum rc answer_csv(struct req *r)
{
	struct rows *rows, *zone;
	struct csv csv;
	enum rc rc = gate_pass(r);
	if (rc)
		return rc;
	struct db_param id = db_int(r->arena, crud_id(r));
	existence_send(r);
	db_send(r->db, STMT_RELEASE_CSV, 1, &id);
	db_send(r->db, STMT_RELEASE_ZONE, 0, NULL);
	db_flush(r->db);
	if ((rc = existence_take(r)))
		return rc;
	if ((rc = db_next(r->db, &rows)) || (rc = db_next(r->db, &zone)))
		return req_fail_db(r, rc);
	struct fetched *stories =
		fetch_wrap(r->arena, r->db, select_columns(r), STMT_RELEASE_CSV, rows);
	if ((rc = fetch_nested(r->arena, r->db, stories)))
		return req_fail_db(r, rc);
	int owners = most_owners(stories);
	csv_init(&csv, r->out, CSV_RFC);
	put_header(&csv, r, db_get_text(zone, 0, 0), owners);
	for (int row = 0; row < db_count(rows); row++)
		put_story(&csv, r, stories, row, owners);
	r->media_type = r->route->media;
	r->envelope = false;
	return RC_OK;
}

/* Endpoints ----------------------------------------------------------------- */

static const struct param release_params[] = {
	{ "with_state", FT_STRING, .words = words_story_states,
		.where = "s.section = story_section(%s::text) and s.current_state = %s::text",
		.doc = "Only releases in this state." },
	{ "accepted_before", FT_TIME, .where = "s.accepted_at < %s::timestamptz",
		.doc = "Only releases accepted before this time." },
	{ "accepted_after", FT_TIME, .where = "s.accepted_at > %s::timestamptz",
		.doc = "Only releases accepted after this time." },
	{ "deadline_before", FT_TIME, .where = "s.deadline < %s::timestamptz",
		.doc = "Only releases due before this time." },
	{ "deadline_after", FT_TIME, .where = "s.deadline > %s::timestamptz",
		.doc = "Only releases due after this time." },
	{ 0 },
};

const struct route release_routes[] = {
	{ "GET", "/projects/:project/releases", NEED_VIEWER, crud_list, &res_release,
		.read = STMT_RELEASE_LIST, .params = release_params, .flags = R_PAGED, .limit = 100,
		.limit_max = 500, .total = STMT_RELEASE_COUNT,
		.doc = "Releases of a project, in the project's order." },
	{ "GET", "/projects/:project/releases/:id", NEED_VIEWER, crud_get, &res_release,
		.read = STMT_RELEASE_GET, .doc = "One release." },
	{ "GET", "/projects/:project/releases/:id/stories", NEED_VIEWER, crud_list, &res_story,
		.read = STMT_RELEASE_STORIES, .exists = STMT_RELEASE_EXISTS,
		.doc = "Stories of a release: those before it, back to the previous release." },
	{ "GET", "/projects/:project/releases/:id/stories.csv", NEED_VIEWER, answer_csv, NULL,
		.exists = STMT_RELEASE_EXISTS, .flags = R_NOT_IN_PARTS,
		.media = "text/csv; charset=utf-8", .fetch = FETCH_PAGE,
		.doc = "Stories of a release as CSV." },
	{ 0 },
};
