#include "domain/settings.h"

#include "model/model.h"

enum rc settings_update(struct outcome *out, const struct wish *wish)
{
	const struct me_wish *w = wish->object;
	const struct settings *old = out->scene->object;
	struct settings *n = outcome_edit(out, &res_personal_settings, old);
	if (w->personal_settings)
		wish_apply(w->personal_settings, n);
	out->subject = n;
	if (outcome_differs(&res_personal_settings, old, n))
		n->updated_at = out->scene->now;
	return RC_OK;
}
