#include "api/move.h"

#include "http/route.h"
#include "model/model.h"

static const struct field type_fields[] = {
	{ "id", FT_INT, F_KEY, .doc = "In the project that the story leaves." },
	{ "to", FT_INT, 0, AT(type_along, to) },
	{ "name", FT_STRING, 0, AT(type_along, name) },
	{ "hidden", FT_BOOL, 0, AT(type_along, hidden) },
};
static const struct resource res_type_along = { "review_type", RESOURCE_FIELDS(type_fields),
	.size = sizeof(struct type_along) };

static void take_stories(struct load *l, const struct rows *rows)
{
	for (int i = 0; i < db_count(rows); i++)
		l->scene->along.stories =
			ids_with(l->arena, l->scene->along.stories, db_get_int(rows, i, 0));
}

static void load_parts(struct command *c, const struct db_param *params)
{
	struct along *along = &c->scene.along;
	load_ask(&c->load, STMT_LOAD_MOVED_REVIEWS, 1, params + 1, &res_review, &along->reviews);
	load_ask(&c->load, STMT_LOAD_MOVED_REVIEW_TYPES, 2, params, &res_type_along, &along->types);
	load_new_ids_by(&c->load, &res_review_type, STMT_NEW_MOVED_REVIEW_TYPE_IDS, 2, params);
	load_ask(&c->load, STMT_LOAD_MOVED_REVIEWERS, 2, params, &res_member, &c->scene.members);
	load_ask(&c->load, STMT_LOAD_MOVED_BLOCKERS, 1, params + 1, &res_blocker, &along->blockers);
	load_ask_rows(&c->load, STMT_LOAD_MOVED_BLOCKING_STORIES, 2, params, take_stories);
}

void move_load(struct command *c)
{
	const struct db_param params[] = { c->load.project, c->load.story };
	int64_t story = route_id(c->r, ":story");
	load_labels_of_story(&c->load);
	load_ask(&c->load, STMT_LOAD_MOVED_LABELS, 2, params, &res_label, &c->scene.labels);
	load_new_ids_by(&c->load, &res_label, STMT_NEW_MOVED_LABEL_IDS, 2, params);
	load_members(
		&c->load, (struct ids){ 0 }, (struct strs){ 0 }, false, (struct ids){ &story, 1 });
	load_parts(c, params);
}
