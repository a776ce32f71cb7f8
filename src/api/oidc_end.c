#include "api/oidc_end.h"

#include <string.h>

#include "http/page.h"
#include "http/audit_log.h"
#include "lib/log.h"

#define ASK_EN "ask the administrator of this server"
#define ASK_DE "fragen Sie, wer diesen Server betreibt"

static const struct {
	int status;
	const char *english, *german;
} ends[] = {
	[OIDC_END_NO_PROVIDER] = { 404, "There is no such way to sign in here.",
		"Diese Art der Anmeldung gibt es hier nicht." },
	[OIDC_END_TARGET] = { 400, "The address to go to afterwards is not one of this server.",
		"Die Adresse, zu der es danach gehen soll, ist keine dieses Servers." },
	[OIDC_END_STATE] = { 403,
		"This sign-in began in another browser, is older than ten minutes, or was "
		"already used: start again.",
		"Diese Anmeldung begann in einem anderen Browser, ist älter als zehn Minuten oder wurde schon benutzt: Beginnen Sie neu." },
	[OIDC_END_DECLINED] = { 403, "%s did not sign you in.", "%s hat Sie nicht angemeldet." },
	[OIDC_END_ANSWER] = { 403,
		"The answer of %s cannot be accepted: start again, and if that does not help, " ASK_EN
		".",
		"Die Antwort von %s ist nicht annehmbar: Beginnen Sie neu, und wenn das nicht hilft, " ASK_DE
		"." },
	[OIDC_END_UNREACHED] = { 503, "%s does not answer at the moment: try again in a minute.",
		"%s antwortet gerade nicht: Versuchen Sie es in einer Minute noch einmal." },
	[OIDC_END_NOT_ALLOWED] = { 403,
		"Your account at %s is in no group that may sign in here: " ASK_EN ".",
		"Ihr Konto bei %s ist in keiner Gruppe, die sich hier anmelden darf: " ASK_DE "." },
	[OIDC_END_DISABLED] = { 403, "You can no longer sign in here: " ASK_EN ".",
		"Sie können sich hier nicht mehr anmelden: " ASK_DE "." },
	[OIDC_END_OF_ANOTHER] = { 403,
		"Your account at %s is linked with somebody else here: they have to unlink it "
		"first.",
		"Ihr Konto bei %s gehört hier zu jemand anderem: Dort muss es erst gelöst werden." },
	[OIDC_END_TAKEN] = { 403,
		"Somebody here already has your email address: if that is you, sign in as before "
		"and link %s on your profile page; if not, " ASK_EN ".",
		"Jemand hier hat Ihre Adresse schon: Wenn Sie das sind, melden Sie sich wie bisher an und verknüpfen Sie %s auf Ihrer Profilseite; wenn nicht, " ASK_DE
		"." },
	[OIDC_END_NO_ADDRESS] = { 403,
		"%s has not confirmed an email address of yours, and without one, nobody new can "
		"sign in: " ASK_EN ".",
		"%s bestätigt keine E-Mail-Adresse von Ihnen, und ohne eine wird niemand Neues eingelassen: " ASK_DE
		"." },
	[OIDC_END_UNKNOWN] = { 403,
		"Nobody here is linked with your account at %s: sign in as before and link it on "
		"your profile page, or " ASK_EN ".",
		"Niemand hier ist mit Ihrem Konto bei %s verknüpft: Melden Sie sich wie bisher an und verknüpfen Sie es auf Ihrer Profilseite, oder " ASK_DE
		"." },
};

static void write_page(struct req *r, const struct conf_oidc *p, enum oidc_end why)
{
	r->status = ends[why].status;
	page_refuse(r, page_is_german(r) ? ends[why].german : ends[why].english, p ? p->label : "");
}

/* The sentence, with the provider's label in it. */
static const char *say(struct arena *a, enum oidc_end why, const char *label)
{
	const char *words = ends[why].english, *place = strstr(words, "%s");
	return place ? arena_printf(a, "%.*s%s%s", (int)(place - words), words, label, place + 2).p
		     : words;
}

static const char *address_of(struct req *r)
{
	return r->address.n ? arena_str(r->arena, r->address).p : "-";
}

enum rc oidc_end_refuse(
	struct req *r, const struct conf_oidc *provider, enum oidc_end why, const char *reason)
{
	if (!reason)
		reason = say(r->arena, why, provider->label);
	log_warn("a sign-in was refused: from %s, by the provider %s: %s", address_of(r),
		provider ? provider->name : "that does not exist", reason);
	r->sign_in_refused = true;
	write_page(r, provider, why);
	if (!provider)
		return RC_OK;
	const struct audit_log_refusal refusal = {
		.means = arena_printf(r->arena, "provider:%s", provider->name),
		.nobody = STR("somebody at a provider"),
		.reason = str_of(reason),
	};
	return audit_log_refused(r, &refusal);
}

void oidc_end_tell(struct req *r, const struct conf_oidc *provider, int64_t person, const char *how)
{
	log_info("a sign-in: from %s, by the provider %s: person %lld %s", address_of(r),
		provider->name, (long long)person, how);
}
