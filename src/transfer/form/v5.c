#include "transfer/form/v5.h"

#include <string.h>

#include "transfer/form/v5_value.h"

/* A record on its way. */
struct put {
	struct v5 *v;
	struct intake_place at;
	enum intake_kind kind;
	const struct body *record;
	const struct v5_parent *parent;
	int64_t id;
	int64_t subject; /* for remarks: looked for once, as a record may have many fields */
};

static const struct v5_parent nobody = { NIL, NIL, NIL, NULL };

void v5_init(struct v5 *v, struct intake *in, int file, const char *where)
{
	*v = (struct v5){ .in = in, .file = file, .where = where, .project = NIL };
}

void v5_free(struct v5 *v)
{
	counts_free(&v->counts);
	record_free(&v->record);
	arena_free(&v->arena);
}

/* Reported once for all records of the kind. */
static void say_unread(struct put *p, struct str name)
{
	if (counts_next(&p->v->counts, -1 - (int64_t)p->kind, 0, name) > 1)
		return;
	intake_say(p->v->in, INTAKE_LOST, p->at, p->subject, arena_str(&p->v->arena, name).p,
		"unread_column", "%s: the field %.*s of %s is not read", p->v->where, (int)name.n,
		name.p, intake_kinds[p->kind]);
}

static bool is_empty(const struct body *value)
{
	return value->type == BODY_NULL ||
		((value->type == BODY_ARRAY || value->type == BODY_OBJECT) && value->count == 0) ||
		(value->type == BODY_TEXT && value->text.n == 0);
}

/* Whether another member says the same better, or just as little. */
static bool is_said(const struct put *p, const struct v5_field *field, const struct body *value)
{
	struct str rest = str_of(field->unless);

	while (rest.p) {
		char name[64];
		struct str other = str_cut(&rest, ' ');
		const struct body *better = body_get(
			p->record, str_print(name, sizeof(name), "%.*s", (int)other.n, other.p).p);

		if (better && (better->type != BODY_NULL || value->type == BODY_NULL))
			return true;
	}
	return false;
}

/* Ids if all have one, else names; objects become records afterwards. */
static void put_labels(struct put *p, const struct body *value)
{
	struct record *r = &p->v->record;
	bool ids = value->type == BODY_ARRAY;

	for (const struct body *e = value->first; ids && e; e = e->next)
		ids = v5_int(body_get(e, "id")) != NIL;
	ids = ids && value->first;
	record_list(r, ids ? "label_ids" : "labels", ids ? RECORD_IDS : RECORD_NAMES);
	for (const struct body *e = value->type == BODY_ARRAY ? value->first : NULL; e;
		e = e->next) {
		if (ids)
			record_add_int(r, v5_int(body_get(e, "id")));
		else if (e->type == BODY_TEXT)
			record_add_text(r, e->text);
		else if (v5_text(e, "name").p)
			record_add_text(r, v5_text(e, "name"));
	}
}

static void put_label(struct put *p, const struct body *value)
{
	const int64_t id = v5_int(body_get(value, "id"));

	if (id != NIL)
		record_int(&p->v->record, "label_id", id);
	else
		record_text(&p->v->record, "label",
			value->type == BODY_TEXT ? value->text : v5_text(value, "name"));
}

static void put_member(struct put *p, const struct body *value)
{
	struct v5_field field;

	if (!v5_field_of(p->kind, value->key, &field)) {
		if (v5_is_open(p->kind))
			record_body(&p->v->record, value->key, value);
		else if (!is_empty(value))
			say_unread(p, value->key);
		return;
	}
	if (field.how == V5_SKIP || field.how == V5_PARTS || is_said(p, &field, value))
		return;
	if (field.how == V5_LABELS)
		put_labels(p, value);
	else if (field.how == V5_LABEL)
		put_label(p, value);
	else if (!v5_value_put(&p->v->record, field.to ? field.to : field.name, field.how, value))
		intake_say(p->v->in, INTAKE_LOST, p->at, p->subject, field.name, "bad_value",
			"%s: %s of %s cannot have this value, which counts as none: %s",
			p->v->where, field.name, intake_kinds[p->kind],
			body_text(&p->v->arena, value).p);
}

static bool has(const struct put *p, const char *name)
{
	return v5_int(body_get(p->record, name)) != NIL;
}

static void put_id(struct put *p, const char *name, int64_t id)
{
	if (id != NIL && !has(p, name))
		record_int(&p->v->record, name, id);
}

/* Kinds whose position among their siblings counts. */
static bool is_placed(enum intake_kind kind)
{
	int depth = intake_resource(kind)->depth;
	return kind != INTAKE_MEMBERSHIP && kind != INTAKE_TRANSITION && (depth == 1 || depth == 2);
}

static void put_place(struct put *p)
{
	const int64_t story = v5_int(body_get(p->record, "story_id"));
	const int64_t epic = v5_int(body_get(p->record, "epic_id"));
	int64_t up = story != NIL ? story : p->parent->story;

	if (p->v->unordered && (p->kind == INTAKE_STORY || p->kind == INTAKE_EPIC))
		return;
	if (!is_placed(p->kind) || (p->kind == INTAKE_TASK && has(p, "position")))
		return;
	if (up == NIL)
		up = epic != NIL ? -epic : p->parent->epic != NIL ? -p->parent->epic : 0;
	if (p->kind == INTAKE_STORY || p->kind == INTAKE_EPIC)
		up = 0;
	record_int(&p->v->record, "position",
		counts_next(&p->v->counts, p->kind, up, (struct str){ 0 }));
}

/* The days of a story's iteration, including the last one. */
static void put_iteration(struct put *p)
{
	const struct body *iteration = p->parent->iteration;
	struct record_span span = { v5_int(body_get(iteration, "number")), NIL, NIL };
	int32_t day;

	if (p->kind != INTAKE_STORY || span.number == NIL)
		return;
	if (v5_day(body_get(iteration, "start"), &day))
		span.first = day;
	if (v5_day(body_get(iteration, "finish"), &day))
		span.last = day - 1;
	record_span(&p->v->record, "iteration", &span);
}

static enum rc put_content(struct put *p)
{
	struct str word = { 0 };
	bool told = false;
	enum rc rc;

	if (p->kind != INTAKE_FILE)
		return RC_OK;
	rc = p->v->content ? p->v->content(p->v, p->record, &word, &told) : RC_OK;
	record_text(&p->v->record, "body", word);
	if (told)
		record_bool(&p->v->record, "told", true);
	return rc;
}

static enum rc put_person(struct put *p)
{
	struct record *r = &p->v->record;

	record_empty(r);
	v5_value_put(r, "person", V5_PERSON, p->record);
	enum rc rc = p->v->in->put(p->v->in, p->kind, p->at, r);
	p->v->taken++;
	return rc;
}

static enum rc put_record(struct put *p)
{
	enum rc rc;

	record_empty(&p->v->record);
	for (const struct body *e = p->record->first; e; e = e->next)
		put_member(p, e);
	if (p->kind != INTAKE_STORY && p->kind != INTAKE_EPIC && p->kind != INTAKE_ACTIVITY) {
		put_id(p, "story_id", p->parent->story);
		put_id(p, "epic_id", p->parent->epic);
	}
	if (p->kind == INTAKE_FILE || p->kind == INTAKE_GOOGLE)
		put_id(p, "comment_id", p->parent->comment);
	if (p->kind == INTAKE_PROJECT && p->v->whole)
		record_bool(&p->v->record, "whole", true);
	put_place(p);
	put_iteration(p);
	rc = put_content(p);
	if (rc == RC_OK)
		rc = p->v->in->put(p->v->in, p->kind, p->at, &p->v->record);
	p->v->taken++;
	return rc;
}

/* Puts the records in a member of this one. */
static enum rc put_parts(
	struct put *p, const struct body *value, enum v5_kind kind, const struct v5_parent *parent)
{
	const bool many = value->type == BODY_ARRAY;
	enum rc rc = RC_OK;

	if (!many && value->type != BODY_OBJECT)
		return RC_OK;
	for (const struct body *e = many ? value->first : value; rc == RC_OK && e;
		e = many ? e->next : NULL) {
		if (e->type == BODY_OBJECT)
			rc = v5_put(p->v, p->at.line, e, kind, parent);
	}
	return rc;
}

/* Puts each label once: it looks the same in each story. */
static enum rc put_labels_of(struct put *p, const struct body *value)
{
	const bool many = value->type == BODY_ARRAY;
	enum rc rc = RC_OK;

	for (const struct body *e = many ? value->first : value; rc == RC_OK && e;
		e = many ? e->next : NULL) {
		const int64_t id = v5_int(body_get(e, "id"));

		if (id != NIL && v5_text(e, "name").p &&
			counts_next(&p->v->counts, INTAKE_LABEL, id, STR("seen")) == 1)
			rc = v5_put(p->v, p->at.line, e, (enum v5_kind)INTAKE_LABEL, &nobody);
	}
	return rc;
}

static struct v5_parent parent_of(const struct put *p)
{
	struct v5_parent parent = nobody;

	if (p->kind == INTAKE_STORY)
		parent.story = p->id;
	else if (p->kind == INTAKE_EPIC)
		parent.epic = p->id;
	else if (p->kind == INTAKE_COMMENT)
		parent.comment = p->id;
	return parent;
}

static enum rc put_all(struct put *p)
{
	const struct v5_parent parent = parent_of(p);
	enum rc rc = p->kind == INTAKE_PERSON ? put_person(p) : put_record(p);

	for (const struct body *e = p->record->first; rc == RC_OK && e; e = e->next) {
		struct v5_field field;

		if (!v5_field_of(p->kind, e->key, &field) || is_said(p, &field, e))
			continue;
		if (field.how == V5_PARTS)
			rc = put_parts(p, e, (enum v5_kind)field.part, &parent);
		else if (field.how == V5_LABEL || field.how == V5_LABELS)
			rc = put_labels_of(p, e);
	}
	return rc;
}

/* The team strength becomes an override; the length can be seen in start and finish, too. */
static enum rc put_iteration_of(struct v5 *v, int64_t line, const struct body *record)
{
	const struct v5_parent parent = { NIL, NIL, NIL, record };
	const struct body *strength = body_get(record, "team_strength");
	const struct body *stories = body_get(record, "stories");
	const bool is_full = !strength || strength->type == BODY_NULL ||
		(strength->type == BODY_INT && strength->integer == 1) ||
		(strength->type == BODY_FLOAT && strength->number == 1);
	struct put p = { v, { .file = v->file, .line = line }, INTAKE_OVERRIDE, record, &nobody,
		NIL, NIL };
	enum rc rc = RC_OK;

	if (!is_full && v5_int(body_get(record, "number")) != NIL) {
		struct body *override = body_new_object(&v->arena);
		static const char *const names[] = { "number", "team_strength" };

		for (size_t i = 0; i < 2; i++) {
			struct body *copy = body_new_object(&v->arena);

			*copy = *body_get(record, names[i]);
			copy->next = NULL;
			body_append(override, str_of(names[i]), copy);
		}
		p.record = override;
		rc = put_record(&p);
	}
	p.record = record;
	if (rc == RC_OK && stories)
		rc = put_parts(&p, stories, (enum v5_kind)INTAKE_STORY, &parent);
	v->taken++;
	return rc;
}

/* Whether a record says that it belongs to another project. */
static bool is_foreign(const struct v5 *v, enum v5_kind kind, const struct body *record)
{
	const char *name = kind == (enum v5_kind)INTAKE_PROJECT ? "id" : "project_id";
	const int64_t project = v5_int(body_get(record, name));

	return v->project != NIL && project != NIL && project != v->project &&
		kind != (enum v5_kind)INTAKE_TRANSITION;
}

static enum rc put_unknown(struct v5 *v, int64_t line, const struct body *record)
{
	const struct str said = v5_text(record, "kind");
	const struct str kind = said.n ? said : STR("(none)");

	if (counts_next(&v->counts, -1000, 0, kind) == 1)
		intake_say(v->in, INTAKE_LOST,
			(struct intake_place){ .file = v->file, .line = line }, NIL, NULL,
			"unknown_record", "%s: records of the kind %.*s are not read", v->where,
			(int)(kind.n < 100 ? kind.n : 100), kind.p);
	return RC_OK;
}

enum rc v5_put(struct v5 *v, int64_t line, const struct body *record, enum v5_kind hint,
	const struct v5_parent *parent)
{
	enum v5_kind kind = v5_kind_of(record, hint);
	struct put p = { v, { .file = v->file, .line = line }, (enum intake_kind)kind, record,
		parent ? parent : &nobody, v5_int(body_get(record, "id")),
		v5_subject(kind, record) };

	if (v->look)
		return v->look(v, kind, record);
	if (is_foreign(v, kind, record) || kind == V5_NOTHING) {
		v->taken++;
		return RC_OK;
	}
	if (kind == V5_ITERATION)
		return put_iteration_of(v, line, record);
	if (kind == V5_UNKNOWN)
		return put_unknown(v, line, record);
	if (kind == V5_RELEASE) {
		struct body *release = body_new_object(&v->arena);

		*release = *record;
		if (!body_get(record, "story_type"))
			body_append(release, STR("story_type"),
				body_new_text(&v->arena, STR("release")));
		p.kind = INTAKE_STORY;
		p.record = release;
	}
	return put_all(&p);
}
