#include "http/page.h"

#include <string.h>

#include "http/languages.h"

bool page_is_german(const struct req *r)
{
	return languages_prefer(r->languages, "de", "en");
}

void page_begin(struct req *r, const char *title)
{
	r->is_page = true;
	r->media_type = "text/html; charset=utf-8";
	r->envelope = false;
	r->out->n = 0;
	buf_printf(r->out,
		"<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<meta name=\"robots\" content=\"noindex\">\n<title>%s – planwright</title>\n"
		"<link rel=\"stylesheet\" href=\"/-/style.css\">\n</head>\n"
		"<body class=\"form\">\n<main>\n<h1>%s</h1>\n",
		page_is_german(r) ? "de" : "en", title, title);
}

void page_end(struct req *r)
{
	buf_put_z(r->out, "</main>\n</body>\n</html>\n");
}

/* Escapes what HTML requires. */
static void put(struct req *r, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		switch (s.p[i]) {
		case '&': buf_put_z(r->out, "&amp;"); break;
		case '<': buf_put_z(r->out, "&lt;"); break;
		case '>': buf_put_z(r->out, "&gt;"); break;
		default: buf_put_char(r->out, s.p[i]);
		}
}

/* The sentence with the label in its place. */
static void put_sentence(struct req *r, const char *words, const char *label)
{
	const char *place = strstr(words, "%s");
	put(r, (struct str){ words, place ? (size_t)(place - words) : strlen(words) });
	if (place) {
		put(r, str_of(label));
		put(r, str_of(place + 2));
	}
}

void page_refuse(struct req *r, const char *sentence, const char *label)
{
	const char *title = page_is_german(r) ? "Anmelden" : "Sign in";
	page_begin(r, title);
	buf_put_z(r->out, "<p role=\"alert\"><strong>");
	put_sentence(r, sentence, label);
	buf_printf(r->out, "</strong></p>\n<p><a href=\"/signin\">%s</a></p>\n", title);
	page_end(r);
}

void page_write_error(struct req *r, int status)
{
	static const struct {
		int status;
		const char *english, *german;
	} errors[] = {
		{ 429, "Too many people are signing in at the moment: try again in a few seconds.",
			"Gerade melden sich zu viele an: Versuchen Sie es in einigen Sekunden noch einmal." },
		{ 503, "The server cannot answer at the moment: try again in a few seconds.",
			"Der Server kann gerade nicht antworten: Versuchen Sie es in einigen Sekunden noch einmal." },
		{ 0,
			"This did not work: start again, and if that does not help, ask the "
			"administrator of this server.",
			"Das ging nicht: Beginnen Sie neu, und wenn das nicht hilft, fragen Sie, wer diesen Server betreibt." },
	};
	size_t i = 0;
	while (errors[i].status && errors[i].status != status)
		i++;
	r->status = status;
	page_refuse(r, page_is_german(r) ? errors[i].german : errors[i].english, "");
}
