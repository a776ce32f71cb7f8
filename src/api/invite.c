#include "api/invite.h"

#include "model/model.h"

/* The person whom this change makes a member; NIL: nobody. */
static int64_t newcomer_of(const struct change *x)
{
	if (x->type != CHANGE_CREATE)
		return NIL;
	if (x->of == &res_project_membership)
		return ((const struct membership *)x->new)->person_id;
	return x->of == &res_account_membership
		? ((const struct account_membership *)x->new)->person_id
		: NIL;
}

void invite_newcomers(struct req *r, const struct outcome *out, struct save *save)
{
	if (!save->mail || !body_get(r->body, "email"))
		return;
	for (const struct batch *b = out->batches; b; b = b->next)
		for (size_t i = 0; i < b->n; i++) {
			int64_t person = newcomer_of(&b->changes[i]);
			const struct db_param params[] = { db_int(r->arena, person),
				db_int(r->arena, r->person_id) };
			if (person != NIL)
				save_send(save, STMT_LETTER_INVITE, 2, params);
		}
}
