#include "transfer/settle/stage_kinds.h"

#include <string.h>

#include "lib/log.h"
#include "model/model.h"
#include "model/travel.h"

/*
 * What records have besides the fields of their resource, or have in another form. A row here takes
 * precedence over the resource's.
 */
#define F(name, type) { name, type, 0, NULL, NULL }
#define T(name, max) { name, STAGE_TEXT, max, NULL, NULL }
#define MORE(fields) fields, (int)(sizeof fields / sizeof *fields)

/* This name is only shown to people; the command gives the project's name. */
static const struct stage_field of_project[] = { F("name", STAGE_TEXT), F("whole", STAGE_BOOL) };
static const struct stage_field of_epic[] = { T("label", 255) };
static const struct stage_field of_story[] = { { "labels", STAGE_NAMES, 255, NULL, "label_ids" },
	F("iteration", STAGE_SPAN) };
static const struct stage_field of_comment[] = { F("number", STAGE_ID) };
static const struct stage_field of_review[] = { { "type", STAGE_TEXT, 255, NULL,
	"review_type_id" } };
static const struct stage_field of_file[] = { F("story_id", STAGE_ID), F("epic_id", STAGE_ID),
	F("number", STAGE_ID), F("comment_id", STAGE_ID), F("body", STAGE_TEXT),
	F("told", STAGE_BOOL) };
static const struct stage_field of_activity[] = { F("number", STAGE_ID), T("type", 255),
	F("about", STAGE_ABOUT), F("performed_by", STAGE_PERSON) };

static const struct {
	const struct stage_field *more;
	int n;
} more[INTAKE__MAX] = {
	[INTAKE_PROJECT] = { MORE(of_project) },
	[INTAKE_EPIC] = { MORE(of_epic) },
	[INTAKE_STORY] = { MORE(of_story) },
	[INTAKE_COMMENT] = { MORE(of_comment) },
	[INTAKE_REVIEW] = { MORE(of_review) },
	[INTAKE_FILE] = { MORE(of_file) },
	[INTAKE_ACTIVITY] = { MORE(of_activity) },
};

static bool has(const struct stage_kind *k, const char *name)
{
	for (int i = 0; i < k->n; i++)
		if (!strcmp(k->fields[i].name, name))
			return true;
	return false;
}

static void add(struct stage_kind *k, struct stage_field f)
{
	if (has(k, f.name))
		return;
	if (k->n == STAGE_FIELDS_MAX)
		log_die("records have more fields than %d: %s", STAGE_FIELDS_MAX, f.name);
	k->fields[k->n++] = f;
}

static enum stage_type type_of(const struct resource *r, const struct field *f)
{
	switch (f->type) {
	case FT_INT: return travel_names_row(r, f) ? STAGE_ID : STAGE_INT;
	case FT_FLOAT:
	case FT_DECIMAL: return STAGE_NUMBER;
	case FT_BOOL: return STAGE_BOOL;
	case FT_WORD: return STAGE_WORD;
	case FT_DATE: return STAGE_DAY;
	case FT_TIME: return STAGE_TIME;
	case FT_IDS: return STAGE_IDS;
	case FT_JSON:
	case FT_EVENTS: return STAGE_JSON;
	case FT_ZONE: return STAGE_ZONE;
	default: return STAGE_TEXT;
	}
}

static void add_field(struct stage_kind *k, const struct resource *r, const struct field *f)
{
	const char *person = travel_person(r, f);
	const struct stage_field s = { person ? person : f->name,
		!person                     ? type_of(r, f)
			: f->type == FT_IDS ? STAGE_PEOPLE
					    : STAGE_PERSON,
		f->type == FT_STRING || f->type == FT_TEXT ? (int)f->max : 0, f->words, f->name };
	add(k, s);
}

/* People go only to staged_person; the import says which project records belong to. */
static void fill(struct stage_kind *k, enum intake_kind kind)
{
	const struct resource *r = intake_resource(kind);
	if (kind == INTAKE_PERSON)
		return;
	for (int i = 0; i < more[kind].n; i++)
		add(k, more[kind].more[i]);
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *f = &r->fields[i];
		if ((travel_field(f) || (f->flags & F_KEY && f->type == FT_INT)) &&
			strcmp(f->name, "project_id") != 0)
			add_field(k, r, f);
	}
	if (r->depth > 0 || kind == INTAKE_ACTIVITY)
		add(k, (struct stage_field)F("position", STAGE_INT));
}

const struct stage_kind *stage_kind_of(enum intake_kind kind)
{
	static struct stage_kind kinds[INTAKE__MAX];
	static bool is_filled;
	for (int i = 0; i < INTAKE__MAX && !is_filled; i++)
		fill(&kinds[i], (enum intake_kind)i);
	is_filled = true;
	return &kinds[kind];
}

int64_t stage_bits(enum intake_kind kind, const char *column)
{
	const struct stage_kind *k = stage_kind_of(kind);
	int64_t bits = 0;
	for (int i = 0; i < k->n; i++)
		if (k->fields[i].column && !strcmp(k->fields[i].column, column))
			bits |= (int64_t)1 << i;
	if (!bits)
		log_die("%s has no field for %s", intake_kinds[kind], column);
	return bits;
}
