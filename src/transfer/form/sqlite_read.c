#include "transfer/form/sqlite_read.h"

#include <string.h>
#include <sys/stat.h>

#include "transfer/common/id_map.h"
#include "transfer/form/sqlite_files.h"
#include "transfer/read/sqlite_open.h"
#include "transfer/form/v5_value.h"

/* A table of records of a kind: its names in different dumps, and what its rows belong to. */
enum of { OF_NOTHING, OF_PROJECT, OF_STORY, OF_COMMENT };

static const struct table {
	const char *names[3];
	int kind;
	enum of of;
} tables[] = {
	{ { "project", "projects" }, INTAKE_PROJECT, OF_NOTHING },
	{ { "person", "persons", "people" }, INTAKE_PERSON, OF_NOTHING },
	{ { "membership", "memberships", "project_membership" }, INTAKE_MEMBERSHIP, OF_PROJECT },
	{ { "label", "labels" }, INTAKE_LABEL, OF_PROJECT },
	{ { "epic", "epics" }, INTAKE_EPIC, OF_PROJECT },
	{ { "iteration", "iterations" }, V5_ITERATION, OF_PROJECT },
	{ { "review_type", "review_types" }, INTAKE_REVIEW_TYPE, OF_PROJECT },
	{ { "story", "stories" }, INTAKE_STORY, OF_PROJECT },
	{ { "task", "tasks", "story_task" }, INTAKE_TASK, OF_STORY },
	{ { "comment", "comments", "story_comment" }, INTAKE_COMMENT, OF_STORY },
	{ { "blocker", "blockers", "story_blocker" }, INTAKE_BLOCKER, OF_STORY },
	{ { "review", "reviews", "story_review" }, INTAKE_REVIEW, OF_STORY },
	{ { "pull_request", "pull_requests" }, INTAKE_PULL_REQUEST, OF_STORY },
	{ { "branch", "branches" }, INTAKE_BRANCH, OF_STORY },
	{ { "transition", "story_transition", "story_transitions" }, INTAKE_TRANSITION, OF_STORY },
	{ { "file_attachment", "file_attachments" }, INTAKE_FILE, OF_COMMENT },
};

/* Tables that are read with others, or internal to the dump. */
static const char *const known[] = { "story_label", "story_labels", "story_owner", "story_owners",
	"project_access", "file_attachment_file", "__drizzle_migrations", "alembic_version",
	"sqlite_sequence", "sqlite_stat1" };

/* Pairs of a story and something else, sorted by story. */
struct pairs {
	sqlite3_stmt *row; /* null: there is no such table */
	bool live;         /* it is at a row */
};

struct reading {
	struct v5 v;
	sqlite3 *db;
	struct arena arena; /* of iterations */
	struct sqlite_files files;
	struct pairs owners, labels;
	struct id_map iterations; /* to values in the arena */
	int64_t several;          /* how many projects it has */
	bool refused;
};

#define TOO_MANY "it has more rows than the file can contain"

static void refuse(struct reading *r, const char *code, const char *what, const char *why)
{
	r->refused = true;
	intake_say(r->v.in, INTAKE_ERROR, (struct intake_place){ .file = r->v.file }, NIL, NULL,
		code, "%s%s%s: %s", r->v.where, what ? ", table " : "", what ? what : "", why);
}

static sqlite3_stmt *prepare(struct reading *r, const char *table, const char *text)
{
	sqlite3_stmt *row = NULL;

	if (sqlite3_prepare_v2(r->db, text, -1, &row, NULL) != SQLITE_OK) {
		refuse(r, "bad_table", table, sqlite3_errmsg(r->db));
		return NULL;
	}
	/* Only statements for one of several projects have this parameter. */
	sqlite3_bind_int64(row, 1, r->v.project);
	return row;
}

static bool weigh(struct reading *r, const char *table, const char *columns, int64_t *left)
{
	if (r->refused || !sqlite_has(r->db, table, NULL))
		return !r->refused;
	if (!sqlite_weigh(
		    r->db, arena_printf(&r->v.arena, "select %s from %s", columns, table).p, left))
		refuse(r, "bad_table", table, TOO_MANY);
	return !r->refused;
}

/* Whether the values of the tables fit into the file, perhaps as UTF-16; else some of them are one. */
static bool check_room(struct reading *r, int64_t left)
{
	static const char *const others[] = { "story_owner", "story_owners", "story_label",
		"story_labels" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (int k = 0; k < 3 && tables[i].names[k]; k++)
			if (!weigh(r, tables[i].names[k], "*", &left))
				return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!weigh(r, others[i], "*", &left))
			return false;
	return weigh(r, "file_attachment_file", "file_attachment_id", &left);
}

static const char *name_in(struct reading *r, int kind)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (int k = 0; tables[i].kind == kind && k < 3 && tables[i].names[k]; k++)
			if (sqlite_has(r->db, tables[i].names[k], NULL))
				return tables[i].names[k];
	return NULL;
}

static void pairs_open(
	struct reading *r, struct pairs *p, const char *one, const char *many, const char *column)
{
	const char *table = sqlite_has(r->db, one, column) ? one : many;

	if (!sqlite_has(r->db, table, column) || !sqlite_has(r->db, table, "story_id"))
		return;
	p->row = prepare(r, table,
		arena_printf(&r->v.arena, "select story_id, %s from %s order by story_id, rowid",
			column, table)
			.p);
	p->live = p->row && sqlite3_step(p->row) == SQLITE_ROW;
}

/* Adds the list of what belongs to the story. */
static void pairs_take(
	struct reading *r, struct pairs *p, int64_t story, struct body *record, const char *name)
{
	struct body *list, **end;

	if (!p->row)
		return;
	list = body_new_array(&r->v.arena);
	end = &list->first;
	while (p->live && sqlite3_column_int64(p->row, 0) < story)
		p->live = sqlite3_step(p->row) == SQLITE_ROW;
	while (p->live && sqlite3_column_int64(p->row, 0) == story) {
		*end = body_new_int(&r->v.arena, sqlite3_column_int64(p->row, 1));
		end = &(*end)->next;
		list->count++;
		p->live = sqlite3_step(p->row) == SQLITE_ROW;
	}
	body_append(record, str_of(name), list);
}

static void keep_iteration(struct reading *r, const struct body *row)
{
	static const char *const names[] = { "number", "start", "finish" };
	struct body *value = body_new_object(&r->arena);

	for (size_t i = 0; i < 3; i++) {
		const struct body *from = body_get(row, names[i]);
		struct body *copy = body_new_int(&r->arena, 0);

		if (!from)
			continue;
		*copy = *from;
		copy->next = NULL;
		if (from->type == BODY_TEXT)
			copy->text = arena_str(&r->arena, from->text);
		body_append(value, str_of(names[i]), copy);
	}
	id_map_add(&r->iterations, v5_int(body_get(row, "id")), (int64_t)(intptr_t)value);
}

static const struct body *iteration_of(struct reading *r, struct body *record)
{
	const struct body *member = body_get(record, "iteration_id");
	const int64_t id = v5_int(member);

	if (!member)
		return NULL;
	body_remove(record, member);
	const int64_t *value = id_map_find(&r->iterations, id);
	return value ? (const struct body *)(intptr_t)*value : NULL;
}

static enum rc put_row(struct reading *r, int kind, struct body *record)
{
	struct v5_parent parent = { NIL, NIL, NIL, NULL };
	const int64_t id = v5_int(body_get(record, "id"));

	if (kind == INTAKE_STORY) {
		pairs_take(r, &r->owners, id, record, "owner_ids");
		pairs_take(r, &r->labels, id, record, "label_ids");
		parent.iteration = iteration_of(r, record);
	} else if (kind == V5_ITERATION) {
		const struct body *own = body_get(record, "kind");

		/* It says where in the plan the iteration is, not what the record is. */
		if (own)
			body_remove(record, own);
		keep_iteration(r, record);
	}
	return v5_put(&r->v, 0, record, (enum v5_kind)kind, &parent);
}

/* Selects the rows of the chosen project, if there are several projects. */
static struct str where_of(struct reading *r, const struct table *t, const char *name)
{
	const char *story = name_in(r, INTAKE_STORY), *comment = name_in(r, INTAKE_COMMENT);
	struct arena *a = &r->v.arena;

	if (r->several < 2)
		return STR("");
	if (t->of == OF_PROJECT && sqlite_has(r->db, name, "project_id"))
		return STR(" where project_id = ?1");
	if (t->of == OF_STORY && story)
		return arena_printf(
			a, " where story_id in (select id from %s where project_id = ?1)", story);
	if (t->of == OF_COMMENT && story && comment)
		return arena_printf(a,
			" where comment_id in (select id from %s where story_id in (select id from "
			"%s where project_id = ?1))",
			comment, story);
	if (t->kind == INTAKE_PROJECT)
		return STR(" where id = ?1");
	return STR("");
}

static enum rc read_table(struct reading *r, const struct table *t, const char *name)
{
	const struct str where = where_of(r, t, name);
	const char *order = t->kind == INTAKE_TASK && sqlite_has(r->db, name, "position")
		? "story_id, position, id"
		: sqlite_has(r->db, name, "id") ? "id"
						: "rowid";
	sqlite3_stmt *row = prepare(r, name,
		arena_printf(&r->v.arena, "select * from %s%s order by %s", name, where.p, order)
			.p);
	int got = SQLITE_DONE;
	enum rc rc = RC_OK;

	while (row && rc == RC_OK && !r->refused && (got = sqlite3_step(row)) == SQLITE_ROW) {
		int64_t nuls = 0;
		struct body *record = sqlite_row(&r->v.arena, row, &nuls);

		if (!record) {
			refuse(r, "not_utf8", name, "a text in it is not UTF-8");
			break;
		}
		if (nuls)
			intake_say(r->v.in, INTAKE_NOTE, (struct intake_place){ .file = r->v.file },
				v5_subject((enum v5_kind)t->kind, record), NULL, "nul",
				"%s: U+0000 was removed from a text of %s", r->v.where, name);
		rc = put_row(r, t->kind, record);
		arena_reset(&r->v.arena);
	}
	if (row && got != SQLITE_DONE && got != SQLITE_ROW)
		refuse(r, "bad_table", name,
			got == SQLITE_INTERRUPT ? TOO_MANY : sqlite3_errmsg(r->db));
	sqlite3_finalize(row);
	return rc;
}

static enum rc read_tables(struct reading *r)
{
	enum rc rc = RC_OK;

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		for (int k = 0; k < 3 && tables[i].names[k]; k++) {
			if (rc == RC_OK && !r->refused &&
				sqlite_has(r->db, tables[i].names[k], NULL))
				rc = read_table(r, &tables[i], tables[i].names[k]);
		}
	}
	return rc;
}

/* Chooses the project: the only one, or the one that the command names. */
static void choose_project(struct reading *r)
{
	const char *table = name_in(r, INTAKE_PROJECT);
	sqlite3_stmt *row = table
		? prepare(r, table, arena_printf(&r->v.arena, "select id, name from %s", table).p)
		: NULL;
	int64_t chosen = NIL;

	while (row && sqlite3_step(row) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(row, 1);
		const int64_t id = sqlite3_column_int64(row, 0);

		r->several++;
		if (id == r->v.in->project_id ||
			(name && r->v.in->project && strcmp(name, r->v.in->project) == 0))
			chosen = id;
	}
	sqlite3_finalize(row);
	if (r->several > 1 && chosen == NIL)
		refuse(r, "several_projects", table,
			"there are several projects: name one of them");
	else if (r->several > 1)
		r->v.project = chosen;
}

static bool is_known(const char *name)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (int k = 0; k < 3 && tables[i].names[k]; k++)
			if (strcmp(tables[i].names[k], name) == 0)
				return true;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i], name) == 0)
			return true;
	return false;
}

static void say_unread(struct reading *r)
{
	sqlite3_stmt *row = prepare(r, NULL,
		"select name from sqlite_schema where type in ('table', 'view') order by name");

	while (row && sqlite3_step(row) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(row, 0);

		if (name && str_is_text(str_of(name)) && !is_known(name))
			intake_say(r->v.in, INTAKE_LOST, (struct intake_place){ .file = r->v.file },
				NIL, NULL, "unread_table", "%s: the table %.200s is not read",
				r->v.where, name);
	}
	sqlite3_finalize(row);
	if (r->files.missing)
		intake_say(r->v.in, INTAKE_LOST, (struct intake_place){ .file = r->v.file }, NIL,
			NULL, "no_content", "%s: it only lists %lld files%s", r->v.where,
			(long long)r->files.missing,
			r->files.tree ? ""
				      : ": import the folder that contains them together "
					"with the database");
}

static enum rc read_all(struct reading *r, const char *path)
{
	struct stat st;
	enum rc rc = RC_OK;

	if (!name_in(r, INTAKE_STORY)) {
		refuse(r, "unknown_tables", NULL,
			"it has no table of stories: it is none of the supported dumps");
		return RC_OK;
	}
	const int64_t room = 4 * (stat(path, &st) == 0 ? (int64_t)st.st_size : 0) + (1 << 20);

	if (!check_room(r, room))
		return RC_OK;
	choose_project(r);
	sqlite_files_open(&r->files, r->db, r->files.tree, room);
	pairs_open(r, &r->owners, "story_owner", "story_owners", "person_id");
	pairs_open(r, &r->labels, "story_label", "story_labels", "label_id");
	if (!r->refused)
		rc = read_tables(r);
	if (rc == RC_OK && !r->refused)
		say_unread(r);
	sqlite3_finalize(r->owners.row);
	sqlite3_finalize(r->labels.row);
	sqlite_files_close(&r->files);
	return rc;
}

enum rc sqlite_read(struct intake *in, int file, const char *path, struct tree *tree)
{
	struct reading r = { .files = { .tree = tree } };
	const char *why;
	enum rc rc = RC_OK;

	v5_init(&r.v, in, file, path);
	r.v.unordered = true;
	r.v.content = sqlite_files_content;
	r.v.content_of = &r.files;
	r.db = sqlite_open(&r.arena, in, path, &why);
	if (!r.db)
		refuse(&r, "unreadable", NULL, why);
	else
		rc = read_all(&r, path);
	sqlite3_close(r.db);
	v5_free(&r.v);
	id_map_free(&r.iterations);
	arena_free(&r.arena);
	return rc;
}
