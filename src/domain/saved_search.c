#include "domain/saved_search.h"

#include "model/model.h"

static enum rc check_own(const struct scene *s)
{
	const struct saved_search *x = s->object;
	return x->person_id == s->me->id ? RC_OK : RC_UNAUTHORIZED_OPERATION;
}

enum rc saved_search_create(struct outcome *out, const struct wish *wish)
{
	struct saved_search *n = outcome_new(out, &res_saved_search);
	n->project_id = out->scene->project->id;
	n->person_id = out->scene->me->id;
	n->created_at = n->updated_at = out->scene->now;
	wish_apply(wish, n);
	out->subject = outcome_create(out, &res_saved_search, n);
	return RC_OK;
}

enum rc saved_search_update(struct outcome *out, const struct wish *wish)
{
	const struct saved_search *old = out->scene->object;
	enum rc rc = check_own(out->scene);
	if (rc)
		return rc;
	struct saved_search *n = outcome_edit(out, &res_saved_search, old);
	wish_apply(wish, n);
	out->subject = n;
	if (outcome_differs(&res_saved_search, old, n))
		n->updated_at = out->scene->now;
	return RC_OK;
}

enum rc saved_search_delete(struct outcome *out, const struct wish *none)
{
	enum rc rc = check_own(out->scene);
	(void)none;
	if (!rc)
		outcome_delete(out, &res_saved_search, out->scene->object);
	return rc;
}
