/* Signing in when the web server in front has authenticated the browser: the page that begins a
   session. */
#include "http/remote_user.h"

#include "api/routes.h"
#include "domain/identity.h"
#include "http/page.h"
#include "http/route.h"

#define ASK_EN ": ask the administrator of this server."
#define ASK_DE ": Fragen Sie, wer diesen Server betreibt."

static const struct end {
	int status;
	const char *english, *german;
} off = { 404, "There is no such way to sign in here.",
	"Diese Art der Anmeldung gibt es hier nicht." },
  no_target = { 400, "The address to go to afterwards is not one of this server.",
	  "Die Adresse, zu der es danach gehen soll, ist keine dieses Servers." },
  no_page = { 403, "This address works only when opened as a page.",
	  "Diese Adresse meldet an, wer sie als Seite öffnet." },
  nobody = { 403, "The web server in front has not signed you in" ASK_EN,
	  "Der Webserver davor hat Sie nicht angemeldet" ASK_DE },
  refusals[] = {
	  [REMOTE_USER_UNKNOWN] = { 403,
		  "The web server has signed you in, but nobody here has the name that it gives "
		  "you" ASK_EN,
		  "Sie sind beim Webserver angemeldet, aber niemand hier hat den Namen, den er Ihnen gibt" ASK_DE },
	  [REMOTE_USER_DISABLED] = { 403, "You can no longer sign in here" ASK_EN,
		  "Sie können sich hier nicht mehr anmelden" ASK_DE },
	  [REMOTE_USER_CLAIMED] = { 403,
		  "The web server has signed you in, but nobody has confirmed that the name that "
		  "it gives you is that of the person who has it here" ASK_EN,
		  "Sie sind beim Webserver angemeldet, aber niemand hat bestätigt, dass der Name, den er Ihnen gibt, dem Menschen gehört, der ihn hier hat" ASK_DE },
  };

static enum rc refuse(struct req *r, const struct end *why)
{
	r->status = why->status;
	page_refuse(r, page_is_german(r) ? why->german : why->english, "");
	return RC_OK;
}

/* Otherwise any page with an image at this address could begin sessions for its visitors. */
static bool is_page(const struct req *r)
{
	return !r->fetch_dest.p || str_equal_z(r->fetch_dest, "document");
}

static enum rc come_in(struct req *r)
{
	const struct uri_param *to = uri_find(r->params, "to");
	enum remote_user found;
	if (!r->conf->trust_remote_user)
		return refuse(r, &off);
	if (to && !identity_is_target(to->value))
		return refuse(r, &no_target);
	if (r->refused)
		return r->refused;
	if (!is_page(r))
		return refuse(r, &no_page);
	if (!r->remote_user.n)
		return refuse(r, &nobody);
	enum rc rc = remote_user_sign_in(r, &found);
	if (rc)
		return rc;
	if (found != REMOTE_USER_FOUND)
		return refuse(r, &refusals[found]);
	r->is_page = true;
	r->status = 303;
	r->location = arena_printf(r->arena, "%s%s", r->conf->base_url, to ? to->value.p : "/");
	return RC_OK;
}

static const struct param params[] = {
	{ "to", FT_STRING,
		.doc = "A path of this server, to which the browser goes afterwards; "
		       "/ if it is left out." },
	{ 0 },
};

const struct route remote_user_routes[] = {
	{ "GET", "/session/remote_user", NEED_NOTHING, come_in, NULL, .params = params,
		.flags = R_QUIET | R_ROOT | R_REDIRECTS, .media = "text/html; charset=utf-8",
		.fetch = FETCH_PAGE, .scope = SCOPE_NONE,
		.audit = AUDIT_TELLS(SIGN_IN) | AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Sign in as the person whom the web server has signed in, or show a page "
		       "with the reason why not." },
	{ 0 },
};
