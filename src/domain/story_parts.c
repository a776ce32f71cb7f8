#include "domain/story_parts.h"

#include "domain/comment.h"
#include "domain/items.h"
#include "domain/part.h"
#include "domain/story.h"
#include "domain/task.h"
#include "domain/touch.h"
#include "model/model.h"

static enum rc add_part(struct outcome *out, const struct wish *wish, const struct story *story)
{
	enum rc rc = part_add(out, wish, story->id, NIL, NULL);
	touch_story(out, story);
	return rc;
}

static enum rc add_comment(struct outcome *out, const struct wish *wish, const struct story *story)
{
	return comment_add(out, wish, story, NULL);
}

static enum rc change_comment(struct outcome *out, const struct wish *wish, const void *old)
{
	return comment_change(out, wish, old);
}

/* Lists, in the order in which they are processed. */
struct list {
	const char *name, *noun;
	size_t wishes, known; /* in the wish, and in the scene */
	enum rc (*add)(struct outcome *, const struct wish *, const struct story *);
	enum rc (*change)(struct outcome *, const struct wish *, const void *old);
};

#define PLACES(member) offsetof(struct story, member), offsetof(struct scene, member)
static const struct list lists[] = {
	{ "comments", "comment", PLACES(comments), add_comment, change_comment },
#define LIST(one, ONE, list, LIST, NOUN, ...) { #list, NOUN, PLACES(list), add_part, part_change },
	LISTED_PARTS(LIST)
#undef LIST
};

static enum rc take_list(struct outcome *out, const struct list *list, const struct story *w,
	const struct story *story)
{
	const struct scene *s = out->scene;
	const struct wishes *wishes = (const void *)((const char *)w + list->wishes);
	const struct objects *known = (const void *)((const char *)s + list->known);
	struct items items = items_of(s->arena, list->name, list->noun, known);
	enum rc rc = RC_OK;
	for (size_t i = 0, at; i < wishes->n && !rc; i++) {
		const struct wish *wish = wishes->v[i];
		if (object_id(wish->object) == NIL)
			rc = list->add(out, wish, story);
		else if (!(rc = items_find(out, &items, object_id(wish->object), &at)))
			rc = list->change(out, wish, items.known.v[at]);
	}
	return rc;
}

static enum rc take_lists(struct outcome *out, const struct wish *wish, const struct story *story)
{
	const struct story *w = wish->object;
	enum rc rc = task_list(out, w->tasks, story);
	for (size_t i = 0; i < sizeof lists / sizeof *lists && !rc; i++)
		rc = take_list(out, &lists[i], w, story);
	if (!rc && w->comment)
		rc = comment_add(out, w->comment, story, NULL);
	return rc;
}

enum rc story_parts_create(struct outcome *out, const struct wish *wish)
{
	enum rc rc = story_create(out, wish);
	return rc ? rc : take_lists(out, wish, out->subject);
}

enum rc story_parts_update(struct outcome *out, const struct wish *wish)
{
	const struct story *old = out->scene->story;
	enum rc rc = story_update(out, wish);
	if (rc)
		return rc;
	/* The story is reported before its parts, and only if it or one of them changes. */
	outcome_edit(out, &res_story, old);
	return take_lists(out, wish, old);
}
