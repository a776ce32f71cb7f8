#include "domain/membership.h"

#include "domain/activity.h"
#include "domain/person.h"
#include "model/model.h"

/* Colours -------------------------------------------------------------------------- */

/* Six hexadecimal digits, in lower case. */
static enum rc take_color(struct outcome *out, struct membership *n)
{
	char text[6];
	bool is_color = n->project_color.n == sizeof text;
	for (size_t i = 0; i < sizeof text && is_color; i++) {
		char c = n->project_color.p[i];
		text[i] = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
		is_color = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
	}
	if (!is_color)
		return outcome_refuse_field(
			out, "project_color", "project_color must be six hexadecimal digits.");
	n->project_color = arena_str(out->scene->arena, (struct str){ text, sizeof text });
	return RC_OK;
}

/* Owners ----------------------------------------------------------------------------- */

/* Whether that membership is the only one of an owner of its project. */
static bool is_last_owner(const struct scene *s, const struct membership *m)
{
	if (m->role != ROLE_OWNER)
		return false;
	for (size_t i = 0; i < s->memberships.n; i++) {
		const struct membership *o = s->memberships.v[i];
		if (o->id != m->id && o->project_id == m->project_id && o->role == ROLE_OWNER)
			return false;
	}
	return true;
}

static enum rc refuse_last(struct outcome *out)
{
	return outcome_refuse_field(out, "role", "A project must have at least one owner.");
}

static bool is_steward(const struct scene *s)
{
	return s->me->role == ROLE_OWNER || s->administers;
}

/* Commands ----------------------------------------------------------------------------- */

struct membership *membership_make(struct outcome *out, int64_t project, int64_t person, int role)
{
	struct membership *n = outcome_new(out, &res_project_membership);
	n->project_id = project;
	n->person_id = person;
	n->role = role;
	n->created_at = n->updated_at = out->scene->now;
	return n;
}

enum rc membership_create(struct outcome *out, const struct wish *wish)
{
	const struct membership *w = wish->object;
	const struct person_ref ref = PERSON_REF(w);
	const struct person *person;
	enum rc rc = person_named(out, &ref, &person);
	if (rc)
		return rc;
	if (person->in_project)
		return outcome_refuse_field(out, ref.id != NIL ? "person_id" : "email",
			"%.*s is already a project member", (int)person->name.n, person->name.p);
	struct membership *n =
		membership_make(out, out->scene->project->id, person->id, ROLE_MEMBER);
	wish_apply(wish, n);
	if ((rc = take_color(out, n)))
		return rc;
	out->subject = outcome_create(out, &res_project_membership, n);
	news_of_project(out, person);
	return RC_OK;
}

/* Other people's clients need not know about personal preferences. */
enum rc membership_update(struct outcome *out, const struct wish *wish)
{
	const struct scene *s = out->scene;
	const struct membership *old = s->object;
	bool own = old->person_id == s->me->id;
	struct membership *n = outcome_edit(out, &res_project_membership, old);
	out->subject = n;
	wish_apply(wish, n);
	if (!is_steward(s) && (!own || n->role != old->role))
		return RC_UNAUTHORIZED_OPERATION;
	enum rc rc = take_color(out, n);
	if (rc)
		return rc;
	if (n->role != ROLE_OWNER && is_last_owner(s, old))
		return refuse_last(out);
	if (outcome_differs(&res_project_membership, old, n))
		n->updated_at = s->now;
	if (own && n->role == old->role)
		out->batch->activity = NULL;
	return RC_OK;
}

enum rc membership_delete(struct outcome *out, const struct wish *none)
{
	const struct scene *s = out->scene;
	const struct membership *old = s->object;
	(void)none;
	if (!is_steward(s) && old->person_id != s->me->id)
		return RC_UNAUTHORIZED_OPERATION;
	if (is_last_owner(s, old))
		return refuse_last(out);
	outcome_delete(out, &res_project_membership, old);
	return RC_OK;
}

enum rc membership_leave_all(struct outcome *out, int64_t person)
{
	const struct scene *s = out->scene;
	for (size_t i = 0; i < s->memberships.n; i++) {
		const struct membership *m = s->memberships.v[i];
		if (m->person_id != person)
			continue;
		if (is_last_owner(s, m))
			return refuse_last(out);
		outcome_turn(out, objects_find(&s->projects, m->project_id),
			"project_membership_delete");
		outcome_delete(out, &res_project_membership, m);
	}
	return RC_OK;
}
