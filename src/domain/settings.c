#include "domain/settings.h"

#include "domain/person.h"
#include "domain/project.h"
#include "model/model.h"

/* A text that replaces another one, trimmed at both ends. */
static void take_text(struct str wished, struct str *to)
{
	if (wished.p)
		*to = str_trim(wished);
}

/* Whoever is called so elsewhere may be somebody else. */
static bool claims(struct str old, struct str wished)
{
	return !str_equal_nocase(old, wished);
}

static void take_username(struct outcome *out, struct str wished, struct settings *n)
{
	if (!wished.p || str_equal(wished, n->username))
		return;
	n->username_claimed = n->username_claimed || claims(n->username, wished);
	n->username = wished;
	if (!person_is_username(wished))
		outcome_problem(out, "username", "A user name cannot contain spaces, @ or colons.");
	else if (out->scene->username_taken)
		outcome_problem(out, "username", "Somebody else has this user name.");
}

/* A new password can be requested by address, so a token alone cannot change it. */
static void take_email(struct outcome *out, const struct me_wish *w, struct settings *n)
{
	if (!w->email.p || str_equal(w->email, n->email))
		return;
	n->email_claimed = n->email_claimed || claims(n->email, w->email);
	n->email = w->email;
	if (!person_is_address(w->email))
		outcome_problem(out, "email", "%.*s is not a valid email address.", (int)w->email.n,
			w->email.p);
	else if (!out->scene->password_right)
		outcome_problem(out, "password", "Changing your email requires your password.");
	else if (out->scene->email_taken)
		outcome_problem(out, "email", "Somebody else has this email address.");
}

static void take_zone(struct outcome *out, struct str wished, struct settings *n)
{
	if (!wished.p)
		return;
	n->time_zone = wished;
	const char *problem = project_zone_problem(out->scene, wished);
	if (problem)
		outcome_problem(out, "time_zone", "%s", problem);
}

static void check_web(struct outcome *out, struct str web)
{
	enum { WEB_MAX = 16 * 1024 };
	if (web.p && web.n > WEB_MAX)
		outcome_problem(out, "web", "web can have at most %d bytes.", WEB_MAX);
}

enum rc settings_update(struct outcome *out, const struct wish *wish)
{
	const struct me_wish *w = wish->object;
	const struct settings *old = out->scene->object;
	struct settings *n = outcome_edit(out, &res_personal_settings, old);
	if (wish_asks(wish, me_wish, id) && w->id != out->scene->me->id)
		return outcome_refuse(out, "this endpoint cannot accept the parameter: id");
	if (w->personal_settings)
		wish_apply(w->personal_settings, n);
	check_web(out, n->web);
	take_text(w->name, &n->name);
	take_text(w->initials, &n->initials);
	take_username(out, w->username, n);
	take_email(out, w, n);
	take_zone(out, w->time_zone, n);
	if (outcome_is_refused(out))
		return RC_INVALID_PARAMETER;
	out->subject = n;
	if (outcome_differs(&res_personal_settings, old, n))
		n->updated_at = out->scene->now;
	return RC_OK;
}
