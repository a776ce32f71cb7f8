#include "domain/part.h"

#include <string.h>

#include "domain/blocker.h"
#include "domain/review.h"
#include "domain/story.h"
#include "domain/touch.h"
#include "model/model.h"

/* Kinds with rules of their own. */
static const struct {
	const struct resource *of;
	enum rc (*check)(struct outcome *, void *object, const void *before);
} rules[] = { { &res_blocker, blocker_check }, { &res_review, review_check } };

static enum rc check(
	struct outcome *out, const struct resource *of, void *object, const void *before)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].of == of)
			return rules[i].check(out, object, before);
	return RC_OK;
}

/* A field that the kind may have. */
static void set(const struct resource *of, void *object, const char *name, int64_t v)
{
	int i = resource_field(of, name);
	if (i >= 0)
		memcpy((char *)object + of->fields[i].at, &v, sizeof v);
}

/* Adding, changing and deleting ---------------------------------------------- */

enum rc part_add(
	struct outcome *out, const struct wish *wish, int64_t story, int64_t epic, void **made)
{
	void *n = outcome_new(out, wish->of);
	set(wish->of, n, "story_id", story);
	set(wish->of, n, "epic_id", epic);
	set(wish->of, n, "created_at", out->scene->now);
	set(wish->of, n, "updated_at", out->scene->now);
	wish_apply(wish, n);
	outcome_create(out, wish->of, n);
	if (made)
		*made = n;
	return check(out, wish->of, n, NULL);
}

enum rc part_change(struct outcome *out, const struct wish *wish, const void *old)
{
	void *n = object_copy(out->scene->arena, wish->of, old);
	wish_apply(wish, n);
	enum rc rc = check(out, wish->of, n, old);
	if (rc || !outcome_differs(wish->of, old, n))
		return rc;
	set(wish->of, n, "updated_at", out->scene->now);
	outcome_put(out, wish->of, old, n);
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
