#include "domain/integration.h"

#include "model/model.h"

enum rc integration_create(struct outcome *out, const struct wish *wish)
{
	struct integration *i = outcome_new(out, &res_integration);
	i->project_id = out->scene->project->id;
	i->created_at = i->updated_at = out->scene->now;
	wish_apply(wish, i);
	out->subject = outcome_create(out, &res_integration, i);
	return RC_OK;
}

enum rc integration_update(struct outcome *out, const struct wish *wish)
{
	const struct integration *old = out->scene->object;
	struct integration *i = outcome_edit(out, &res_integration, old);
	wish_apply(wish, i);
	out->subject = i;
	if (outcome_differs(&res_integration, old, i))
		i->updated_at = out->scene->now;
	return RC_OK;
}

enum rc integration_delete(struct outcome *out, const struct wish *none)
{
	(void)none;
	outcome_delete(out, &res_integration, out->scene->object);
	return RC_OK;
}
