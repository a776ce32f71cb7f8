#include "domain/review.h"

#include "domain/story.h"
#include "domain/touch.h"
#include "model/model.h"

/* Reviews -------------------------------------------------------------------- */

enum rc review_check(struct outcome *out, void *object, const void *before)
{
	const struct review *n = object, *old = before;
	const struct scene *s = out->scene;
	if (!old || n->review_type_id != old->review_type_id) {
		const struct review_type *type = objects_find(&s->review_types, n->review_type_id);
		if (!type || type->hidden)
			return outcome_refuse_field(out, "review_type_id",
				"Review type with id=%lld does not exist within this project, or is "
				"hidden.",
				(long long)n->review_type_id);
	}
	if (n->reviewer_id != NIL && (!old || n->reviewer_id != old->reviewer_id))
		touch_people(
			out, "reviewer_id", (struct ids){ &n->reviewer_id, 1 }, (struct ids){ 0 });
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}

/* Types ------------------------------------------------------------------------ */

struct str review_type_name(struct str wished)
{
	return str_trim(wished);
}

/* A name is unique in a project, ignoring case. */
static enum rc check_name(struct outcome *out, const struct review_type *n)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->review_types.n; i++)
		if (object_id(s->review_types.v[i]) != n->id)
			return outcome_refuse_field(out, "name",
				"The review type '%.*s' already exists in this project.",
				(int)n->name.n, n->name.p);
	return RC_OK;
}

enum rc review_type_create(struct outcome *out, const struct wish *wish)
{
	struct review_type *n = outcome_new(out, &res_review_type);
	n->project_id = out->scene->project->id;
	n->created_at = n->updated_at = out->scene->now;
	wish_apply(wish, n);
	n->name = review_type_name(n->name);
	out->subject = outcome_create(out, &res_review_type, n);
	return check_name(out, n);
}

enum rc review_type_update(struct outcome *out, const struct wish *wish)
{
	const struct review_type *old = out->scene->object;
	struct review_type *n = outcome_edit(out, &res_review_type, old);
	out->subject = n;
	wish_apply(wish, n);
	if (wish_asks(wish, review_type, name))
		n->name = review_type_name(n->name);
	if (outcome_differs(&res_review_type, old, n))
		n->updated_at = out->scene->now;
	return wish_asks(wish, review_type, name) ? check_name(out, n) : RC_OK;
}
