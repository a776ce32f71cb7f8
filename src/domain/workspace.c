#include "domain/workspace.h"

#include "model/model.h"

/* Projects that are already in it may stay, even if the person has left them. */
static enum rc take_projects(struct outcome *out, struct workspace *w, struct ids before)
{
	const struct scene *s = out->scene;
	w->project_ids = ids_once(s->arena, w->project_ids);
	for (size_t i = 0; i < w->project_ids.n; i++) {
		int64_t id = w->project_ids.v[i];
		if (!ids_have(before, id) && !ids_have(s->own_projects, id))
			return outcome_refuse(out,
				"You cannot add project id %lld to your workspace, either you are "
				"not a member or the project doesn't exist.",
				(long long)id);
	}
	return RC_OK;
}

enum rc workspace_create(struct outcome *out, const struct wish *wish)
{
	struct workspace *w = outcome_new(out, &res_workspace);
	w->person_id = out->scene->me->id;
	wish_apply(wish, w);
	out->subject = outcome_create(out, &res_workspace, w);
	return take_projects(out, w, (struct ids){ 0 });
}

enum rc workspace_update(struct outcome *out, const struct wish *wish)
{
	const struct workspace *old = out->scene->object;
	if (old->person_id != out->scene->me->id)
		return RC_UNFOUND_RESOURCE;
	const struct ids unreached = out->scene->unreached_projects;
	struct workspace *w = outcome_edit(out, &res_workspace, old);
	wish_apply(wish, w);
	if (wish_asks(wish, workspace, project_ids))
		for (size_t i = 0; i < unreached.n; i++)
			w->project_ids =
				ids_with(out->scene->arena, w->project_ids, unreached.v[i]);
	out->subject = w;
	return take_projects(out, w, old->project_ids);
}

enum rc workspace_delete(struct outcome *out, const struct wish *none)
{
	const struct workspace *old = out->scene->object;
	(void)none;
	if (old->person_id != out->scene->me->id)
		return RC_UNFOUND_RESOURCE;
	outcome_delete(out, &res_workspace, old);
	return RC_OK;
}
