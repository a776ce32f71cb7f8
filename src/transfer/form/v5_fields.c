#include "transfer/form/v5_fields.h"

#include <string.h>

#include "model/model.h"
#include "model/travel.h"

/*
 * What the fields of the resources do not say: older names, objects in place of ids, lists of a
 * project, and what the original works out.
 */
#define SKIP(name) { name, .how = V5_SKIP }
#define PARTS(name, kind) { name, .how = V5_PARTS, .part = kind }

static const struct v5_field story_fields[] = {
	{ "owned_by", .how = V5_PEOPLE, .to = "owners", .unless = "owners owner_ids" },
	{ "owned_by_id", .how = V5_PEOPLE, .to = "owners", .unless = "owners owner_ids owned_by" },
	{ "labels", .how = V5_LABELS },
	{ "label_ids", .how = V5_INTS, .unless = "labels" },
	{ "iteration", .how = V5_SPAN },
	PARTS("activity", INTAKE_ACTIVITY),
	SKIP("position"),
	SKIP("projected_completion_interval"),
	SKIP("stories"),
	SKIP("story_ids"),
	{ 0 },
};

static const struct v5_field epic_fields[] = {
	{ "label", .how = V5_LABEL },
	{ "label_id", .how = V5_INT, .unless = "label" },
	PARTS("activity", INTAKE_ACTIVITY),
	SKIP("position"),
	{ 0 },
};

static const struct v5_field project_fields[] = {
	PARTS("stories", INTAKE_STORY),
	PARTS("epics", INTAKE_EPIC),
	PARTS("labels", INTAKE_LABEL),
	PARTS("memberships", INTAKE_MEMBERSHIP),
	PARTS("review_types", INTAKE_REVIEW_TYPE),
	PARTS("integrations", INTAKE_INTEGRATION),
	PARTS("iterations", V5_ITERATION),
	PARTS("iteration_overrides", INTAKE_OVERRIDE),
	PARTS("releases", V5_RELEASE),
	PARTS("webhooks", INTAKE_WEBHOOK),
	PARTS("activity", INTAKE_ACTIVITY),
	{ 0 },
};

static const struct v5_field person_fields[] = { SKIP("receives_in_app_notifications"), { 0 } };

static const struct v5_field comment_fields[] = {
	{ "attachments", .how = V5_PARTS, .unless = "file_attachments google_attachments",
		.part = V5_UNKNOWN },
	{ 0 },
};

static const struct v5_field review_fields[] = {
	{ "type", .how = V5_TEXT },
	PARTS("review_type", INTAKE_REVIEW_TYPE),
	{ 0 },
};

static const struct v5_field file_fields[] = { SKIP("thumbnail_big_url"), SKIP("file_path"),
	{ 0 } };

static const struct v5_field activity_fields[] = {
	{ "performed_by", .how = V5_PERSON },
	{ "performed_by_id", .how = V5_PERSON, .to = "performed_by", .unless = "performed_by" },
	{ 0 },
};

static const struct v5_field *const exceptions[INTAKE__MAX] = {
	[INTAKE_PROJECT] = project_fields,
	[INTAKE_PERSON] = person_fields,
	[INTAKE_EPIC] = epic_fields,
	[INTAKE_STORY] = story_fields,
	[INTAKE_COMMENT] = comment_fields,
	[INTAKE_REVIEW] = review_fields,
	[INTAKE_FILE] = file_fields,
	[INTAKE_ACTIVITY] = activity_fields,
};

/* Any record may have these: what it is, and what it belongs to, as an id or nested. */
static const struct v5_field any_fields[] = {
	SKIP("kind"),
	SKIP("project_id"),
	SKIP("project"),
	SKIP("story"),
	SKIP("epic"),
	SKIP("comment"),
	{ "story_id", .how = V5_INT },
	{ "epic_id", .how = V5_INT },
	{ 0 },
};

/* Most names differ in their first letter. */
static bool is_named(struct str name, const char *as)
{
	return name.n > 0 && name.p[0] == as[0] && str_equal_z(name, as);
}

static bool find(const struct v5_field *fields, struct str name, struct v5_field *field)
{
	for (; fields && fields->name; fields++)
		if (is_named(name, fields->name)) {
			*field = *fields;
			return true;
		}
	return false;
}

static enum v5_how how_of(const struct field *f)
{
	switch (f->type) {
	case FT_INT: return V5_INT;
	case FT_FLOAT:
	case FT_DECIMAL: return V5_NUMBER;
	case FT_BOOL: return V5_BOOL;
	case FT_TIME: return f->flags & F_NULL ? V5_WHEN : V5_TIME;
	case FT_DATE: return V5_DAY;
	case FT_IDS: return V5_INTS;
	case FT_STRING:
	case FT_TEXT:
	case FT_WORD: return V5_TEXT;
	default: return V5_RAW;
	}
}

static int kind_of(const struct resource *r)
{
	for (int i = 0; i < INTAKE__MAX; i++)
		if (intake_resource((enum intake_kind)i) == r)
			return i;
	return V5_UNKNOWN;
}

/* Whether the field shows the people whose ids are in a field that travels. */
static bool shows_people(const struct resource *r, const struct field *f)
{
	int key = f->child == &res_person && f->key ? resource_field(r, f->key) : -1;
	return key >= 0 && travel_field(&r->fields[key]);
}

/* Takes one field of the resource; false if nothing of it is read. */
static bool take(const struct resource *r, const struct field *f, struct v5_field *field)
{
	const char *person = travel_field(f) ? travel_person(r, f) : NULL;
	*field = (struct v5_field){ f->name, .how = V5_SKIP };
	if (person) {
		field->how = f->type == FT_IDS ? V5_PEOPLE : V5_PERSON;
		field->to = field->unless = person;
	} else if (travel_field(f) || (f->flags & F_KEY && f->type == FT_INT)) {
		field->how = how_of(f);
	} else if (shows_people(r, f)) {
		field->how = f->type == FT_SOME ? V5_PEOPLE : V5_PERSON;
	} else if (travel_part(r, f)) {
		field->how = V5_PARTS;
		field->part = kind_of(f->child);
	}
	return field->how != V5_SKIP;
}

static bool find_row(const struct resource *r, struct str name, struct v5_field *field)
{
	bool is_known = false;
	for (int i = 0; i < r->n_fields; i++) {
		if (!is_named(name, r->fields[i].name))
			continue;
		is_known = true;
		if (take(r, &r->fields[i], field))
			return true;
	}
	return is_known;
}

bool v5_field_of(enum intake_kind kind, struct str name, struct v5_field *field)
{
	if (str_equal_z(name, "project_id") && kind != INTAKE_MEMBERSHIP)
		return find(any_fields, name, field);
	return find(exceptions[kind], name, field) ||
		find_row(intake_resource(kind), name, field) ||
		(!v5_is_open(kind) && find(any_fields, name, field));
}

bool v5_is_open(enum intake_kind kind)
{
	return kind == INTAKE_PROJECT || kind == INTAKE_MEMBERSHIP || kind == INTAKE_ACTIVITY ||
		kind == INTAKE_WEBHOOK || kind == INTAKE_INTEGRATION;
}
