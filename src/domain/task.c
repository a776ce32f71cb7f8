#include "domain/task.h"

#include <string.h>

#include "domain/items.h"
#include "domain/story.h"
#include "domain/touch.h"
#include "model/model.h"

/* Moves all other tasks from first to last by one place. */
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

/* A new task; it goes last unless the wish gives a position. */
static enum rc make(struct outcome *out, const struct wish *wish, const struct story *story,
	int64_t last, struct task **made)
{
	struct task *n = outcome_new(out, &res_task);
	n->position = last;
	n->story_id = story->id;
	n->created_at = n->updated_at = out->scene->now;
	wish_apply(wish, n);
	*made = n;
	return check_position(out, n->position, last);
}

enum rc task_create(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	int64_t last = (int64_t)s->tasks.n + 1;
	struct task *n;
	enum rc rc = make(out, wish, s->story, last, &n);
	if (rc)
		return rc;
	shift(out, n->id, n->position, last, 1);
	out->subject = outcome_create(out, &res_task, n);
	touch_story(out, s->story);
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
	/* Seen in recordings: a changed task is reported after its story. */
	touch_story(out, s->story);
	outcome_put(out, &res_task, old, n);
	return RC_OK;
}

enum rc task_delete(struct outcome *out, const struct wish *none)
{
	const struct task *old = out->scene->object;
	(void)none;
	outcome_delete(out, &res_task, old);
	shift(out, old->id, old->position + 1, INT64_MAX, -1);
	touch_story(out, out->scene->story);
	return RC_OK;
}

/* A list of a story's body ----------------------------------------------------- */

/* The story's tasks while a list is applied: copies of the old ones, by id, and all of them in
   their new order, with room for new ones. */
struct row {
	struct items items;
	struct task **copies;
	struct task **order;
	size_t n;
	struct task **made;
	size_t n_made;
};

static struct row row_of(const struct scene *s, size_t more)
{
	struct row row = { .items = items_of(s->arena, "tasks", "task", &s->tasks) };
	row.copies = arena_array(s->arena, s->tasks.n, sizeof *row.copies);
	row.order = arena_array(s->arena, s->tasks.n + more, sizeof *row.order);
	row.made = arena_array(s->arena, more, sizeof *row.made);
	for (size_t i = 0; i < s->tasks.n; i++) {
		size_t at = objects_place(&row.items.known, object_id(s->tasks.v[i]));
		row.copies[at] = object_copy(s->arena, &res_task, s->tasks.v[i]);
		row.order[row.n++] = row.copies[at];
	}
	return row;
}

static void insert(struct row *row, struct task *t, size_t at)
{
	memmove(row->order + at + 1, row->order + at, (row->n - at) * sizeof *row->order);
	row->order[at] = t;
	row->n++;
}

static void take_out(struct row *row, const struct task *t)
{
	size_t at = 0;
	while (row->order[at] != t)
		at++;
	row->n--;
	memmove(row->order + at, row->order + at + 1, (row->n - at) * sizeof *row->order);
}

static enum rc add_item(
	struct outcome *out, struct row *row, const struct wish *wish, const struct story *story)
{
	int64_t last = (int64_t)row->n + 1;
	struct task *n;
	enum rc rc = make(out, wish, story, last, &n);
	if (rc)
		return rc;
	insert(row, n, (size_t)n->position - 1);
	row->made[row->n_made++] = n;
	return RC_OK;
}

static enum rc change_item(struct outcome *out, struct row *row, const struct wish *wish)
{
	size_t at;
	enum rc rc = items_find(out, &row->items, object_id(wish->object), &at);
	if (rc)
		return rc;
	const struct task *old = row->items.known.v[at];
	struct task *n = row->copies[at];
	wish_apply(wish, n);
	if (wish_asks(wish, task, position)) {
		if ((rc = check_position(out, n->position, (int64_t)row->n)))
			return rc;
		size_t to = (size_t)n->position - 1;
		if (row->order[to] != n) {
			take_out(row, n);
			insert(row, n, to);
			n->updated_at = out->scene->now;
		}
		n->position = old->position; /* put_row sets the new one */
	}
	if (outcome_differs(&res_task, old, n))
		n->updated_at = out->scene->now;
	return RC_OK;
}

/* Puts the existing tasks, then the new ones. */
static void put_row(struct outcome *out, const struct row *row, const struct story *story)
{
	const struct scene *s = out->scene;
	bool any = row->n_made;
	for (size_t i = 0; i < row->n; i++)
		row->order[i]->position = (int64_t)i + 1;
	for (size_t i = 0; i < s->tasks.n; i++) {
		size_t at = objects_place(&row->items.known, object_id(s->tasks.v[i]));
		if (!outcome_differs(&res_task, s->tasks.v[i], row->copies[at]))
			continue;
		outcome_put(out, &res_task, s->tasks.v[i], row->copies[at]);
		any = true;
	}
	for (size_t i = 0; i < row->n_made; i++)
		outcome_create(out, &res_task, row->made[i]);
	if (any)
		touch_story(out, story);
}

enum rc task_list(struct outcome *out, struct wishes list, const struct story *story)
{
	enum rc rc = RC_OK;
	if (list.n == 0)
		return RC_OK;
	struct row row = row_of(out->scene, list.n);
	for (size_t i = 0; i < list.n && !rc; i++)
		rc = object_id(list.v[i]->object) == NIL ? add_item(out, &row, list.v[i], story)
							 : change_item(out, &row, list.v[i]);
	if (!rc)
		put_row(out, &row, story);
	return rc;
}
