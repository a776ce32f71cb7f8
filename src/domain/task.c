#include "domain/task.h"

#include "domain/story.h"
#include "model/model.h"

/* Moves all others that stand from first to last by one place. */
static void shift(struct outcome *out, int64_t own, int64_t first, int64_t last, int64_t by)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->tasks.n; i++) {
		const struct task *t = s->tasks.v[i];
		if (t->id == own || t->position < first || t->position > last)
			continue;
		struct task *n = outcome_edit(out, &res_task, t);
		n->position += by;
	}
}

static enum rc check_position(struct outcome *out, int64_t position, int64_t last)
{
	if (position >= 1 && position <= last)
		return RC_OK;
	return outcome_require(out,
		arena_printf(
			out->scene->arena, "position must be between 1 and %lld.", (long long)last)
			.p,
		NULL);
}

enum rc task_create(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	int64_t last = (int64_t)s->tasks.n + 1;
	struct task *n = outcome_new(out, &res_task);
	n->position = last;
	n->story_id = s->story->id;
	n->created_at = n->updated_at = s->now;
	wish_apply(wish, n);
	enum rc rc = check_position(out, n->position, last);
	if (rc)
		return rc;
	shift(out, n->id, n->position, last, 1);
	out->subject = outcome_create(out, &res_task, n);
	story_touch(out, s->story);
	return RC_OK;
}

enum rc task_update(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	const struct task *old = s->object;
	struct task *n = object_copy(s->arena, &res_task, old);
	out->subject = n;
	wish_apply(wish, n);
	enum rc rc = check_position(out, n->position, (int64_t)s->tasks.n);
	if (rc || !outcome_differs(&res_task, old, n))
		return rc;
	n->updated_at = s->now;
	if (n->position < old->position)
		shift(out, n->id, n->position, old->position - 1, 1);
	else
		shift(out, n->id, old->position + 1, n->position, -1);
	/* Recorded: a changed task is told behind its story. */
	story_touch(out, s->story);
	outcome_put(out, &res_task, old, n);
	return RC_OK;
}

enum rc task_delete(struct outcome *out, const struct wish *none)
{
	const struct task *old = out->scene->object;
	(void)none;
	outcome_delete(out, &res_task, old);
	shift(out, old->id, old->position + 1, INT64_MAX, -1);
	story_touch(out, out->scene->story);
	return RC_OK;
}
