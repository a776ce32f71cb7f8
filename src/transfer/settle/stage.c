#include "transfer/settle/stage.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "domain/arrival.h"
#include "model/words.h"
#include "transfer/common/copy_text.h"
#include "transfer/people/people.h"
#include "transfer/settle/stage_value.h"

enum { FLUSH_BYTES = 256 * 1024, UNREAD_MAX = 100 };

struct stage {
	struct db *db;
	struct report *report;
	struct arena arena; /* of one record */
	struct people_keys people;
	struct buf rows[INTAKE__MAX];
	int64_t n, counts[INTAKE__MAX];
	char unread[UNREAD_MAX][64]; /* fields that were reported as not read */
	int n_unread;
	bool is_whole; /* an export of this program: an author who is not named is nobody */
};

static enum rc run(struct stage *s, const char *sql)
{
	struct rows *rows;
	enum rc rc = db_query(s->db, sql, 0, NULL, &rows);
	db_end(s->db);
	return rc;
}

static enum rc make_table(struct stage *s, enum intake_kind kind)
{
	struct buf sql = { 0 };
	buf_printf(&sql,
		"create temp table staged_%s (n bigint, at_file integer, at_line bigint,"
		" at_row bigint, said bigint",
		intake_kinds[kind]);
	for (int i = 0; i < stage_kind_of(kind)->n; i++)
		stage_value_columns(&sql, &stage_kind_of(kind)->fields[i]);
	buf_put_z(&sql, ") on commit drop");
	buf_put_char(&sql, '\0');
	enum rc rc = run(s, sql.p);
	buf_free(&sql);
	return rc;
}

enum rc stage_open(struct stage **stage, struct db *db, struct report *report)
{
	enum rc rc = RC_OK;
	struct stage *s = calloc(1, sizeof *s);
	if (!s)
		log_die("out of memory");
	*s = (struct stage){ .db = db, .report = report };
	*stage = s;
	for (int i = 0; i < INTAKE__MAX && !rc; i++)
		if (stage_kind_of((enum intake_kind)i)->n)
			rc = make_table(s, (enum intake_kind)i);
	return rc;
}

static enum rc copy(struct stage *s, const char *table, struct buf *rows)
{
	char sql[100];
	str_print(sql, sizeof sql, "copy %s from stdin", table);
	enum rc rc = rows->n ? db_copy(s->db, sql, buf_str(rows)) : RC_OK;
	buf_reset(rows);
	return rc;
}

static enum rc flush(struct stage *s, enum intake_kind kind)
{
	char table[60];
	str_print(table, sizeof table, "staged_%s", intake_kinds[kind]);
	return copy(s, table, &s->rows[kind]);
}

static int64_t id_of(const struct record *record)
{
	int64_t id = record_id(record, "id");
	return id != NIL ? id : record_id(record, "story_id");
}

static int64_t said(const struct stage_kind *kind, const struct record *record)
{
	int64_t bits = 0;
	for (int i = 0; i < kind->n; i++)
		if (record_get(record, kind->fields[i].name))
			bits |= (int64_t)1 << i;
	return bits;
}

/* What the resource shows or works out itself, or what is read elsewhere. */
static bool is_told_elsewhere(enum intake_kind kind, struct str key)
{
	static const char *const names[] = { "kind", "url", "role", "project_name", "whole" };
	const struct resource *r = intake_resource(kind);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_equal_z(key, names[i]))
			return true;
	for (int i = 0; i < r->n_fields; i++)
		if (str_equal_z(key, r->fields[i].name))
			return true;
	return false;
}

static bool has_field(const struct stage_kind *kind, struct str key)
{
	for (int i = 0; i < kind->n; i++)
		if (str_equal_z(key, kind->fields[i].name))
			return true;
	return false;
}

/* What a reader puts and nobody takes is reported once: nothing is lost silently. */
static void tell_unread(struct stage *s, enum intake_kind kind, const struct record *record)
{
	for (size_t n = 0; n < record->n; n++) {
		const struct record_value *v = &record->values[n];
		char name[64];
		if (v->type == RECORD_NULL || is_told_elsewhere(kind, v->name) ||
			has_field(stage_kind_of(kind), v->name))
			continue;
		str_print(name, sizeof name, "%s.%.*s", intake_kinds[kind], (int)v->name.n,
			v->name.p);
		int i = 0;
		while (i < s->n_unread && strcmp(s->unread[i], name) != 0)
			i++;
		if (i < s->n_unread || i == UNREAD_MAX)
			continue;
		memcpy(s->unread[s->n_unread++], name, sizeof name);
		report_say(
			s->report, INTAKE_LOST, NIL, NULL, "not_read", "no %s was imported", name);
	}
}

static void put_row(
	struct stage *s, enum intake_kind kind, struct intake_place at, const struct record *record)
{
	struct buf *to = &s->rows[kind];
	struct stage_value v = { s->report, &s->people, &s->arena, to, at, id_of(record) };
	buf_printf(to, "%lld\t%d\t%lld\t%lld\t%lld", (long long)s->n, at.file, (long long)at.line,
		(long long)at.row, (long long)said(stage_kind_of(kind), record));
	for (int i = 0; i < stage_kind_of(kind)->n; i++) {
		buf_put_char(to, '\t');
		stage_value_put(&v, &stage_kind_of(kind)->fields[i], record);
	}
	buf_put_char(to, '\n');
}

/* Notes the person that the record names, and returns their key; null if it names none. */
static struct str note_person(
	struct stage *s, const struct record *record, const char *name, const char *role)
{
	const struct record_value *v = record_get(record, name);
	return v && v->type == RECORD_PERSON ? people_keys_note(&s->people, &v->person, role)
					     : (struct str){ 0 };
}

/* Notes the role of a membership with its person. */
static void note_role(struct stage *s, const struct record *record)
{
	const struct record_value *role = record_get(record, "role");
	int i = role && role->type == RECORD_TEXT
		? words_find(words_roles, role->text.p, role->text.n)
		: ROLE_MEMBER;
	note_person(s, record, "person", words_roles[i < 0 ? ROLE_MEMBER : i]);
}

/* Comments, and files that get one, have an author: somebody unknown if none is named. */
static void note_nobody(struct stage *s, enum intake_kind kind, const struct record *record)
{
	const struct record_value *whole = record_get(record, "whole");
	const struct record_person nobody = record_named(STR(ARRIVAL_NOBODY));
	if (kind == INTAKE_PROJECT)
		s->is_whole |= whole && whole->type == RECORD_BOOL && whole->boolean;
	if (!s->is_whole && (kind == INTAKE_COMMENT || kind == INTAKE_FILE) &&
		!note_person(s, record, kind == INTAKE_FILE ? "uploader" : "person", NULL).p)
		people_keys_note(&s->people, &nobody, NULL);
}

static void refuse(struct stage *s, struct intake_place at, const char *code, const char *message)
{
	const struct intake_remark r = { .severity = INTAKE_ERROR,
		.at = at,
		.id = NIL,
		.code = code,
		.message = str_of(message) };
	report_remark(s->report, &r);
}

enum rc stage_put(
	struct stage *s, enum intake_kind kind, struct intake_place at, const struct record *record)
{
	enum rc rc = RC_OK;
	s->n++;
	s->counts[kind]++;
	if (kind == INTAKE_PERSON) {
		note_person(s, record, "person", NULL);
	} else {
		if (kind == INTAKE_MEMBERSHIP)
			note_role(s, record);
		note_nobody(s, kind, record);
		tell_unread(s, kind, record);
		put_row(s, kind, at, record);
		if (s->rows[kind].n > FLUSH_BYTES)
			rc = flush(s, kind);
	}
	if (people_keys_is_full(&s->people))
		refuse(s, at, "too_many_people",
			"there are more than 100,000 people: split the files");
	arena_reset(&s->arena);
	return rc;
}

/*
 * Without statistics, the planner takes a large table for a small one, and goes through it row by
 * row.
 */
static enum rc analyze(struct stage *s, const char *name)
{
	char sql[100];
	str_print(sql, sizeof sql, "analyze staged_%s", name);
	return run(s, sql);
}

enum rc stage_finish(struct stage *s)
{
	enum rc rc = run(s, PEOPLE_STAGED);
	for (int i = 0; i < INTAKE__MAX && !rc; i++)
		rc = flush(s, (enum intake_kind)i);
	for (int i = 0; i < INTAKE__MAX && !rc; i++)
		if (stage_kind_of((enum intake_kind)i)->n && s->counts[i])
			rc = analyze(s, intake_kinds[i]);
	struct buf people = { 0 };
	people_keys_put(&s->people, &people);
	if (!rc)
		rc = copy(s, "staged_person", &people);
	buf_free(&people);
	return rc ? rc : analyze(s, "person");
}

int64_t stage_count(const struct stage *s, enum intake_kind kind)
{
	return s->counts[kind];
}

void stage_close(struct stage *s)
{
	if (!s)
		return;
	for (int i = 0; i < INTAKE__MAX; i++)
		buf_free(&s->rows[i]);
	people_keys_free(&s->people);
	arena_free(&s->arena);
	free(s);
}
