#include "api/oidc_end.h"

#include <string.h>

#include "http/languages.h"
#include "http/tell.h"
#include "lib/log.h"

#define ASK_EN "ask whoever runs this server"
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
		"This sign-in began in another browser, is older than ten minutes, or was used already: begin again.",
		"Diese Anmeldung begann in einem anderen Browser, ist älter als zehn Minuten oder wurde schon benutzt: Beginnen Sie neu." },
	[OIDC_END_DECLINED] = { 403, "%s did not sign you in.", "%s hat Sie nicht angemeldet." },
	[OIDC_END_ANSWER] = { 403,
		"The answer of %s cannot be accepted: begin again, and if that does not help, " ASK_EN
		".",
		"Die Antwort von %s ist nicht annehmbar: Beginnen Sie neu, und wenn das nicht hilft, " ASK_DE
		"." },
	[OIDC_END_UNREACHED] = { 503, "%s does not answer at the moment: try again in a minute.",
		"%s antwortet gerade nicht: Versuchen Sie es in einer Minute noch einmal." },
	[OIDC_END_NOT_ALLOWED] = { 403,
		"Your account of %s is in no group that may sign in here: " ASK_EN ".",
		"Ihr Konto bei %s ist in keiner Gruppe, die sich hier anmelden darf: " ASK_DE "." },
	[OIDC_END_DISABLED] = { 403, "You cannot sign in here any more: " ASK_EN ".",
		"Sie können sich hier nicht mehr anmelden: " ASK_DE "." },
	[OIDC_END_OF_ANOTHER] = { 403,
		"Your account of %s belongs to somebody else here: they have to unlink it first.",
		"Ihr Konto bei %s gehört hier zu jemand anderem: Dort muss es erst gelöst werden." },
	[OIDC_END_TAKEN] = { 403,
		"Somebody here has your address already: if that is you, sign in as before and link %s on your profile page.",
		"Jemand hier hat Ihre Adresse schon: Wenn Sie das sind, melden Sie sich wie bisher an und verknüpfen Sie %s auf Ihrer Profilseite." },
	[OIDC_END_NO_ADDRESS] = { 403,
		"%s does not confirm an email address of yours, and nobody new is let in without one: " ASK_EN
		".",
		"%s bestätigt keine E-Mail-Adresse von Ihnen, und ohne eine wird niemand Neues eingelassen: " ASK_DE
		"." },
	[OIDC_END_UNKNOWN] = { 403,
		"Nobody here is linked with your account of %s: sign in as before and link it on your profile page, or " ASK_EN
		".",
		"Niemand hier ist mit Ihrem Konto bei %s verknüpft: Melden Sie sich wie bisher an und verknüpfen Sie es auf Ihrer Profilseite, oder " ASK_DE
		"." },
};

const char *oidc_end_words(enum oidc_end why, bool in_german)
{
	return in_german ? ends[why].german : ends[why].english;
}

static void put_html(struct buf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		switch (s.p[i]) {
		case '&': buf_put_z(out, "&amp;"); break;
		case '<': buf_put_z(out, "&lt;"); break;
		case '>': buf_put_z(out, "&gt;"); break;
		default: buf_put_char(out, s.p[i]);
		}
}

/* The sentence with the label in its place. */
static void put_sentence(struct buf *out, const char *words, const char *label)
{
	const char *place = strstr(words, "%s");
	struct str before = { words, place ? (size_t)(place - words) : strlen(words) };
	put_html(out, before);
	if (place) {
		put_html(out, str_of(label));
		put_html(out, str_of(place + 2));
	}
}

static void write_page(struct req *r, const struct conf_oidc *p, enum oidc_end why)
{
	bool in_german = languages_prefer(r->languages, "de", "en");
	const char *title = in_german ? "Anmelden" : "Sign in";
	r->is_page = true;
	r->media_type = "text/html; charset=utf-8";
	r->envelope = false;
	r->status = ends[why].status;
	r->out->n = 0;
	buf_printf(r->out,
		"<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<meta name=\"robots\" content=\"noindex\">\n<title>%s – planwright</title>\n"
		"<link rel=\"stylesheet\" href=\"/-/style.css\">\n</head>\n"
		"<body class=\"form\">\n<main>\n<h1>%s</h1>\n<p role=\"alert\"><strong>",
		in_german ? "de" : "en", title, title);
	put_sentence(r->out, oidc_end_words(why, in_german), p ? p->label : "");
	buf_printf(r->out,
		"</strong></p>\n<p><a href=\"/signin\">%s</a></p>\n</main>\n</body>\n</html>\n",
		title);
}

static const char *address_of(struct req *r)
{
	return r->address.n ? arena_str(r->arena, r->address).p : "-";
}

enum rc oidc_end_refuse(
	struct req *r, const struct conf_oidc *provider, enum oidc_end why, const char *reason)
{
	log_warn("a sign-in was refused: from %s, by the provider %s: %s", address_of(r),
		provider ? provider->name : "that is none", reason);
	r->sign_in_refused = true;
	write_page(r, provider, why);
	if (!provider)
		return RC_OK;
	const struct tell_refusal refusal = {
		.means = arena_printf(r->arena, "provider:%s", provider->name),
		.nobody = STR("somebody at a provider"),
		.reason = str_of(reason),
	};
	return tell_refused(r, &refusal);
}

void oidc_end_tell(struct req *r, const struct conf_oidc *provider, int64_t person, const char *how)
{
	log_info("a sign-in: from %s, by the provider %s: person %lld %s", address_of(r),
		provider->name, (long long)person, how);
}
