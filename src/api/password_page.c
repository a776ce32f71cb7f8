#include "api/password.h"

#include <string.h>

#include "http/page.h"

/* The sentences of the pages; a sentence that is not here stays in English. */
static const char *const german[][2] = {
	{ "We will send a link to choose a password to your address.",
		"Ein Link, um ein Passwort zu wählen, geht an Ihre Adresse." },
	{ "Email address", "E-Mail-Adresse" },
	{ "Send the link", "Link senden" },
	{ "Choose a password", "Passwort wählen" },
	{ "New password, at least 8 characters", "Neues Passwort, mindestens 8 Zeichen" },
	{ "Keep my API tokens and passkeys", "Meine API-Tokens und Passkeys behalten" },
	{ "Take it", "Übernehmen" },
	{ "Request a link", "Einen Link anfordern" },
	{ "Sign in", "Anmelden" },
	{ "If somebody here has this address, a link is on its way. It is valid for 30 minutes.",
		"Wenn jemand diese Adresse hier hat, ist ein Link dorthin unterwegs. Er gilt "
		"30 Minuten." },
	{ "This link was already used, or is older than 30 minutes.",
		"Dieser Link wurde benutzt oder ist älter als 30 Minuten." },
	{ "Your password was changed. You can now sign in with it.",
		"Das Passwort ist geändert. Melden Sie sich damit an." },
	{ "A password can have at most 1000 bytes.", "Ein Passwort hat höchstens 1000 Bytes." },
	{ "A password must have at least 8 characters.", "Ein Passwort hat mindestens 8 Zeichen." },
	{ "A password must be a single line.", "Ein Passwort ist eine Zeile." },
};

static const char *say(const struct req *r, const char *english)
{
	if (!page_is_german(r))
		return english;
	for (size_t i = 0; i < sizeof(german) / sizeof(german[0]); i++)
		if (!strcmp(german[i][0], english))
			return german[i][1];
	return english;
}

void password_page_ask(struct req *r)
{
	page_begin(r, say(r, "Choose a password"));
	buf_printf(r->out,
		"<p>%s</p>\n<form method=\"post\">\n<p><label>%s\n"
		"<input type=\"email\" name=\"email\" required autofocus autocomplete=\"email\">"
		"</label></p>\n<p><button>%s</button></p>\n</form>\n"
		"<p><a href=\"/signin\">%s</a></p>\n",
		say(r, "We will send a link to choose a password to your address."),
		say(r, "Email address"), say(r, "Send the link"), say(r, "Sign in"));
	page_end(r);
}

void password_page_choose(struct req *r, const char *problem)
{
	page_begin(r, say(r, "Choose a password"));
	if (problem)
		buf_printf(r->out, "<p role=\"alert\"><strong>%s</strong></p>\n", say(r, problem));
	buf_printf(r->out,
		"<form method=\"post\">\n<p><label>%s\n"
		"<input type=\"password\" name=\"password\" required autofocus minlength=\"8\" "
		"autocomplete=\"new-password\"></label></p>\n"
		"<p><label><input type=\"checkbox\" name=\"keep_token\" value=\"true\"> %s"
		"</label></p>\n"
		"<p><button>%s</button></p>\n</form>\n",
		say(r, "New password, at least 8 characters"),
		say(r, "Keep my API tokens and passkeys"), say(r, "Take it"));
	page_end(r);
}

void password_page_say(struct req *r, const char *text, enum password_next next)
{
	static const char *const links[][2] = { [PASSWORD_ASK] = { "/choose_password",
							"Request a link" },
		[PASSWORD_SIGN_IN] = { "/signin", "Sign in" } };

	page_begin(r, say(r, "Choose a password"));
	buf_printf(r->out, "<p role=\"status\">%s</p>\n<p><a href=\"%s\">%s</a></p>\n",
		say(r, text), links[next][0], say(r, links[next][1]));
	page_end(r);
}
