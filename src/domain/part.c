#include "domain/part.h"

#include <string.h>

#include "domain/blocker.h"
#include "domain/review.h"
#include "domain/story.h"
#include "lib/log.h"
#include "domain/touch.h"
#include "model/model.h"

/* The kinds ------------------------------------------------------------------ */

struct kind {
	const struct resource *of;
	enum rc (*check)(struct outcome *, void *object, const void *before); /* null: none */
	size_t story_id, epic_id, created_at, updated_at; /* epic_id 0: on stories only */
};

#define PLACES(type)                                                                               \
	.story_id = offsetof(struct type, story_id),                                               \
	.created_at = offsetof(struct type, created_at),                                           \
	.updated_at = offsetof(struct type, updated_at)

static const struct kind kinds[] = {
	{ &res_blocker, blocker_check, PLACES(blocker) },
	{ &res_review, review_check, PLACES(review) },
	{ &res_pull_request, NULL, PLACES(code_part),
		.epic_id = offsetof(struct code_part, epic_id) },
	{ &res_branch, NULL, PLACES(code_part), .epic_id = offsetof(struct code_part, epic_id) },
	{ &res_cicd_event, NULL, PLACES(code_part) },
};

static const struct kind *kind_of(const struct resource *of)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].of == of)
			return &kinds[i];
	log_die("a %s is not a part of a story", of->kind);
}

static void set(void *object, size_t at, int64_t v)
{
	memcpy((char *)object + at, &v, sizeof v);
}

static enum rc check(struct outcome *out, const struct kind *kind, void *object, const void *before)
{
	return kind->check ? kind->check(out, object, before) : RC_OK;
}

/* What is done to one -------------------------------------------------------- */

enum rc part_add(
	struct outcome *out, const struct wish *wish, int64_t story, int64_t epic, void **made)
{
	const struct kind *kind = kind_of(wish->of);
	void *n = outcome_new(out, kind->of);
	set(n, kind->story_id, story);
	if (kind->epic_id)
		set(n, kind->epic_id, epic);
	set(n, kind->created_at, out->scene->now);
	set(n, kind->updated_at, out->scene->now);
	wish_apply(wish, n);
	outcome_create(out, kind->of, n);
	if (made)
		*made = n;
	return check(out, kind, n, NULL);
}

enum rc part_change(struct outcome *out, const struct wish *wish, const void *old)
{
	const struct kind *kind = kind_of(wish->of);
	void *n = object_copy(out->scene->arena, kind->of, old);
	wish_apply(wish, n);
	enum rc rc = check(out, kind, n, old);
	if (rc || !outcome_differs(kind->of, old, n))
		return rc;
	set(n, kind->updated_at, out->scene->now);
	outcome_put(out, kind->of, old, n);
	touch_story(out, out->scene->story);
	return RC_OK;
}

enum rc part_create(struct outcome *out, const struct wish *wish)
{
	const struct story *story = out->scene->story;
	void *made;
	enum rc rc = part_add(out, wish, story->id, NIL, &made);
	out->subject = made;
	touch_story(out, story);
	return rc;
}

enum rc part_update(struct outcome *out, const struct wish *wish)
{
	out->subject = out->scene->object;
	return part_change(out, wish, out->subject);
}

enum rc part_delete(struct outcome *out, const struct wish *wish)
{
	outcome_delete(out, wish->of, out->scene->object);
	touch_story(out, out->scene->story);
	return RC_OK;
}
