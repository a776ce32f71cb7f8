#include "domain/account.h"

#include "domain/activity.h"
#include "domain/membership.h"
#include "domain/person.h"
#include "model/model.h"

const struct account *account_make(struct outcome *out, struct str name, int64_t owner)
{
	struct account *n = outcome_new(out, &res_account);
	struct account_membership *m = outcome_new(out, &res_account_membership);
	n->name = name;
	n->updated_at = out->scene->now;
	m->account_id = n->id;
	m->person_id = owner;
	m->owner = m->admin = m->project_creator = true;
	m->created_at = m->updated_at = out->scene->now;
	outcome_create(out, &res_account, n);
	outcome_create(out, &res_account_membership, m);
	return n;
}

enum rc account_update(struct outcome *out, const struct wish *wish)
{
	const struct account *old = out->scene->object;
	struct account *n = outcome_edit(out, &res_account, old);
	int least = out->scene->second_factor;
	out->subject = n;
	wish_apply(wish, n);
	if (n->second_factor != WORD_NONE && n->second_factor < least)
		return outcome_refuse_field(out, "second_factor",
			"The second factor is %s on this server, and an account can only be "
			"stricter.",
			words_second_factor[least]);
	if (outcome_differs(&res_account, old, n))
		n->updated_at = out->scene->now;
	return RC_OK;
}

enum rc account_member_add(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	const struct account_membership *w = wish->object;
	const struct person_ref ref = PERSON_REF(w);
	const struct person *person;
	enum rc rc = person_named(out, &ref, &person);
	if (rc)
		return rc;
	if (person->in_account)
		return outcome_refuse(out, "Member already exists.");
	struct account_membership *n = outcome_new(out, &res_account_membership);
	n->account_id = object_id(s->accounts.v[0]);
	n->person_id = person->id;
	n->created_at = n->updated_at = s->now;
	wish_apply(wish, n);
	out->subject = outcome_create(out, &res_account_membership, n);
	news_of_account(out, person, s->accounts.v[0]);
	return RC_OK;
}

enum rc account_member_update(struct outcome *out, const struct wish *wish)
{
	const struct account_membership *old = out->scene->object;
	struct account_membership *n = outcome_edit(out, &res_account_membership, old);
	out->subject = n;
	wish_apply(wish, n);
	if (n->owner && !n->admin)
		return outcome_refuse_field(
			out, "admin", "The owner of an account is always an administrator of it.");
	if (n->owner && !n->project_creator)
		return outcome_refuse_field(out, "project_creator",
			"The owner of an account may always create projects in it.");
	if (outcome_differs(&res_account_membership, old, n))
		n->updated_at = out->scene->now;
	return RC_OK;
}

enum rc account_member_remove(struct outcome *out, const struct wish *none)
{
	const struct scene *s = out->scene;
	(void)none;
	if (s->account_memberships.n == 0)
		return RC_UNFOUND_RESOURCE; /* somebody else was first */
	const struct account_membership *old = s->account_memberships.v[0];
	if (old->owner)
		return outcome_refuse(out, "The owner of an account cannot be removed from it.");
	outcome_delete(out, &res_account_membership, old);
	return membership_leave_all(out, old->person_id);
}
