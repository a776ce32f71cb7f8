#include "old/old_event.h"

#include <string.h>

#include "model/object.h"

/* Rendered by the code below, not from rows of fields. */
const struct old_kind old_activity = { "activity", "activities", NULL };

/* Types ------------------------------------------------------------------------- */

/* Keyed by version 5's kind, without "_activity". */
static const struct {
	const char *v5, *v3, *v4;
} types[] = {
	{ "story_create", "story_create", "story_create" },
	{ "story_update", "story_update", "story_update" },
	{ "story_update_multi", "story_update", "story_update" },
	{ "story_move", "story_move", "story_move" },
	{ "story_move_multi", "story_move_multi", "story_move_multi" },
	{ "story_move_from_project", "story_move_from_project", "story_move_from_project" },
	{ "story_move_into_project", "story_move_into_project", "story_move_into_project" },
	{ "story_move_into_project_and_prioritize", "story_move_into_project",
		"story_move_into_project" },
	{ "story_delete", "story_delete", "story_delete" },
	{ "story_delete_multi", "story_delete_multi", "story_delete_multi" },
	{ "comment_create", "note_create", "comment_create" },
	{ "comment_delete", "note_delete", "comment_delete" },
	{ "task_create", "task_create", "task_create" },
	{ "task_update", "task_edit", "task_edit" },
	{ "task_delete", "task_delete", "task_delete" },
};

enum { TYPES = sizeof types / sizeof *types };

/* The activity's row, or TYPES if it has none. */
static size_t row_of(const struct body *activity)
{
	static const struct str end = { "_activity", 9 };
	struct str kind = old_text(body_get(activity, "kind"));
	if (kind.n > end.n)
		kind.n -= end.n;
	size_t i = 0;
	while (i < TYPES && !str_equal_z(kind, types[i].v5))
		i++;
	return i;
}

struct str old_event_kinds(struct arena *a)
{
	struct buf b = { 0 };
	for (size_t i = 0; i < TYPES; i++)
		buf_printf(&b, "%s%s_activity", i ? "," : "", types[i].v5);
	struct str kinds = arena_str(a, buf_str(&b));
	buf_free(&b);
	return kinds;
}

static bool is_of_kind(const struct body *x, const char *kind)
{
	return str_equal_z(old_text(body_get(x, "kind")), kind);
}

/* The first item of this kind in a list, or null. */
static const struct body *first_of(const struct body *list, const char *kind)
{
	const struct body *x = list && list->type == BODY_ARRAY ? list->first : NULL;
	while (x && !is_of_kind(x, kind))
		x = x->next;
	return x;
}

static const struct body *new_values(const struct body *change)
{
	return body_get(change, "new_values");
}

bool old_event_is_told(const struct body *activity)
{
	bool is_told = row_of(activity) < TYPES;
	return is_told &&
		(first_of(body_get(activity, "primary_resources"), "story") ||
			first_of(body_get(activity, "changes"), "story"));
}

/* An activity that only adds or removes labels has a type of its own. */
static const char *label_type(const struct body *activity)
{
	const struct body *change = first_of(body_get(activity, "changes"), "story");
	const struct body *new = new_values(change), *before = body_get(change, "original_values");
	const struct body *now = body_get(new, "label_ids"), *was = body_get(before, "label_ids");
	for (const struct body *x = new ? new->first : NULL; x; x = x->next)
		if (!str_equal_z(x->key, "label_ids") && !str_equal_z(x->key, "labels") &&
			!str_equal_z(x->key, "updated_at"))
			return NULL;
	if (!now || !was || now->count == was->count)
		return NULL;
	return now->count > was->count ? "story_label_add" : "story_label_remove";
}

/* Version 5 has the same kind for one and for many stories. */
static bool is_of_many(const struct body *activity)
{
	const struct body *subjects = body_get(activity, "primary_resources");
	return subjects && subjects->type == BODY_ARRAY && subjects->count > 1;
}

static const char *type_of(const struct body *activity, enum old_version version)
{
	size_t i = row_of(activity);
	if (!strcmp(types[i].v5, "story_delete") && is_of_many(activity))
		return "story_delete_multi";
	const char *label = !strcmp(types[i].v5, "story_update") ? label_type(activity) : NULL;
	return label ? label : version == OLD_V3 ? types[i].v3 : types[i].v4;
}

/* Names ------------------------------------------------------------------------- */

static void add_ids(struct arena *a, const struct body *v, struct ids *ids)
{
	if (v && v->type == BODY_INT)
		*ids = ids_with(a, *ids, v->integer);
	for (const struct body *x = v && v->type == BODY_ARRAY ? v->first : NULL; x; x = x->next)
		add_ids(a, x, ids);
}

void old_event_ids(
	struct arena *a, const struct body *activity, struct ids *people, struct ids *labels)
{
	const struct body *changes = body_get(activity, "changes");
	for (const struct body *x = changes ? changes->first : NULL; x; x = x->next) {
		if (!is_of_kind(x, "story"))
			continue;
		add_ids(a, body_get(new_values(x), "requested_by_id"), people);
		add_ids(a, body_get(new_values(x), "owner_ids"), people);
		add_ids(a, body_get(new_values(x), "label_ids"), labels);
	}
}

static const struct old_name *find_name(
	const struct old_name *names, size_t n, const struct body *id)
{
	for (size_t i = 0; id && id->type == BODY_INT && i < n; i++)
		if (names[i].id == id->integer)
			return &names[i];
	return NULL;
}

static struct body *person_of(struct arena *a, const struct old_names *names, const struct body *id)
{
	const struct old_name *x = find_name(names->people, names->n_people, id);
	struct body *person = body_new_object(a);
	if (!x)
		return person;
	body_append(person, STR("id"), body_new_int(a, x->id));
	body_append(person, STR("name"), body_new_text(a, x->name));
	body_append(person, STR("initials"), body_new_text(a, x->initials));
	return person;
}

/* Stories ------------------------------------------------------------------------ */

static const struct old_field story_fields[] = {
	{ "name", .form = OLD_TEXT },
	{ "story_type", .form = OLD_TEXT },
	{ "description", .form = OLD_TEXT },
	{ "estimate", .form = OLD_ESTIMATE },
	{ "current_state", .form = OLD_TEXT },
	{ "accepted_at", .form = OLD_TIME },
	{ "deadline", .form = OLD_TIME },
	{ 0 },
};

/* A cleared value becomes an empty element. */
static void put_values(struct old_render *r, const struct body *values)
{
	for (const struct old_field *f = story_fields; f->name; f++) {
		const struct body *v = body_get(values, f->name);
		if (v && v->type == BODY_NULL && f->form != OLD_ESTIMATE)
			xml_put(&r->xml, f->name, NULL, STR(""));
		else if (v)
			old_render_field(r, f, values);
	}
}

static void put_people(
	struct old_render *r, const struct body *values, const struct old_names *names)
{
	const struct body *requester = body_get(values, "requested_by_id");
	const struct body *owners = body_get(values, "owner_ids");
	if (requester)
		old_render_person(r, "requested_by", person_of(r->arena, names, requester));
	if (owners && (owners->first || !body_get(values, "id")))
		old_render_person(r, "owned_by", person_of(r->arena, names, owners->first));
}

static void put_labels(
	struct old_render *r, const struct body *values, const struct old_names *names)
{
	const struct body *ids = body_get(values, "label_ids");
	struct buf b = { 0 };
	if (!ids || (!ids->first && body_get(values, "id")))
		return;
	for (const struct body *id = ids->first; id; id = id->next) {
		const struct old_name *x = find_name(names->labels, names->n_labels, id);
		if (x && b.n)
			buf_put_char(&b, ',');
		if (x)
			buf_put_str(&b, x->name);
	}
	xml_put(&r->xml, "labels", NULL, b.n ? buf_str(&b) : STR(""));
	buf_free(&b);
}

/* The changes to a story's parts of this kind: their ids and texts. */
static void put_parts(struct old_render *r, const struct body *changes, const char *kind,
	const char *list, const char *item, const char *text)
{
	const struct body *x = first_of(changes, kind);
	if (!x)
		return;
	xml_begin(&r->xml, list, "type=\"array\"");
	for (; x; x = x->next) {
		const struct body *id = body_get(x, "id"), *v = body_get(new_values(x), text);
		if (!is_of_kind(x, kind))
			continue;
		xml_begin(&r->xml, item, NULL);
		if (id && id->type == BODY_INT)
			xml_put_int(&r->xml, "id", id->integer);
		if (v && v->type == BODY_TEXT)
			xml_put(&r->xml, text, NULL, v->text);
		xml_end(&r->xml, item);
	}
	xml_end(&r->xml, list);
}

static void begin_story(struct old_render *r, const struct body *activity, const struct body *story)
{
	const struct body *id = body_get(story, "id");
	const struct body *project = body_get(body_get(activity, "project"), "id");
	int64_t of = project && project->type == BODY_INT ? project->integer : 0;
	int64_t n = id && id->type == BODY_INT ? id->integer : 0;
	xml_begin(&r->xml, "story", NULL);
	xml_put_int(&r->xml, "id", n);
	xml_put(&r->xml, "url", NULL,
		arena_printf(r->arena, "%s/services/v%d/projects/%lld/stories/%lld", r->base_url,
			r->version == OLD_V3 ? 3 : 4, (long long)of, (long long)n));
}

/* False for a story that only made room for another, or only got a new updated_at or followers. */
static bool is_meant(const struct body *change)
{
	const struct body *new = new_values(change);
	bool is_update = str_equal_z(old_text(body_get(change, "change_type")), "update");
	if (!is_of_kind(change, "story"))
		return false;
	for (const struct body *x = new ? new->first : NULL; x &&is_update; x = x->next)
		if (!str_equal_z(x->key, "updated_at") && !str_equal_z(x->key, "before_id") &&
			!str_equal_z(x->key, "after_id") && !str_equal_z(x->key, "follower_ids"))
			return true;
	return !is_update;
}

static void put_parts_of(struct old_render *r, const struct body *activity)
{
	const struct body *changes = body_get(activity, "changes");
	if (r->version == OLD_V3)
		put_parts(r, changes, "comment", "notes", "note", "text");
	else
		put_parts(r, changes, "comment", "comments", "comment", "text");
	put_parts(r, changes, "task", "tasks", "task", "description");
}

/* The stories that changed; if none did, the one that the activity is about. */
static void put_stories(
	struct old_render *r, const struct body *activity, const struct old_names *names)
{
	const struct body *changes = body_get(activity, "changes");
	const struct body *story = first_of(body_get(activity, "primary_resources"), "story");
	bool any = false;
	xml_begin(&r->xml, "stories", "type=\"array\"");
	for (const struct body *x = changes ? changes->first : NULL; x; x = x->next) {
		if (!is_meant(x))
			continue;
		begin_story(r, activity, x);
		put_values(r, new_values(x));
		put_people(r, new_values(x), names);
		put_labels(r, new_values(x), names);
		if (!any)
			put_parts_of(r, activity);
		xml_end(&r->xml, "story");
		any = true;
	}
	if (!any && story) {
		begin_story(r, activity, story);
		put_parts_of(r, activity);
		xml_end(&r->xml, "story");
	}
	xml_end(&r->xml, "stories");
}

/* Activities --------------------------------------------------------------------- */

/* For a single story: its name in quotes instead of its type. */
static struct str describe(struct arena *a, const struct body *activity)
{
	const struct body *stories = body_get(activity, "primary_resources");
	const struct body *story = first_of(stories, "story");
	struct str who = old_text(body_get(body_get(activity, "performed_by"), "name"));
	struct str does = old_text(body_get(activity, "highlight"));
	struct str name = old_text(body_get(story, "name"));
	struct str kind = old_text(body_get(activity, "kind"));
	bool is_story =
		kind.n > 6 && !memcmp(kind.p, "story_", 6) && stories && stories->count == 1;
	if (!is_story || !name.n || !who.n)
		return old_text(body_get(activity, "message"));
	return arena_printf(a, "%.*s %.*s \"%.*s\"", (int)who.n, who.p, (int)does.n, does.p,
		(int)name.n, name.p);
}

void old_render_event(
	struct old_render *r, const struct body *activity, const struct old_names *names)
{
	static const struct old_field fields[] = { { "occurred_at", .form = OLD_TIME }, { 0 } };
	const struct body *version = body_get(activity, "project_version");
	const struct body *project = body_get(body_get(activity, "project"), "id");
	int64_t n = version && version->type == BODY_INT ? version->integer : 0;
	int64_t of = project && project->type == BODY_INT ? project->integer : 0;
	xml_begin(&r->xml, "activity", NULL);
	/*
	 * Project and version side by side, for people to read; integers in XML have no upper
	 * limit.
	 */
	xml_put(&r->xml, "id", "integer",
		arena_printf(r->arena, "%lld%07lld", (long long)of, (long long)n));
	xml_put_int(&r->xml, "version", n);
	xml_put(&r->xml, "event_type", NULL, str_of(type_of(activity, r->version)));
	old_render_field(r, fields, activity);
	old_render_person(r, "author", body_get(activity, "performed_by"));
	xml_put_int(&r->xml, "project_id", of);
	xml_put(&r->xml, "description", NULL, describe(r->arena, activity));
	put_stories(r, activity, names);
	xml_end(&r->xml, "activity");
}
