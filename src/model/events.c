#include "model/events.h"

#include <stdlib.h>
#include <string.h>

#include "lib/when.h"
#include "model/tally.h"

struct reader {
	struct str text;
	size_t at;
	struct buf out;
	bool millis;
	const char *base_url;
};

static char peek(const struct reader *r)
{
	return r->at < r->text.n ? r->text.p[r->at] : '\0';
}

static void skip_blanks(struct reader *r)
{
	while (peek(r) == ' ')
		r->at++;
}

/* A string with its quotes; the reader is then past it. */
static struct str take_string(struct reader *r)
{
	size_t start = r->at++;
	while (r->at < r->text.n && r->text.p[r->at] != '"')
		r->at += r->text.p[r->at] == '\\' ? 2 : 1;
	r->at = r->at < r->text.n ? r->at + 1 : r->text.n;
	return (struct str){ r->text.p + start, r->at - start };
}

static bool ends_with(struct str s, const char *end)
{
	size_t n = strlen(end);
	return s.n >= n && !memcmp(s.p + s.n - n, end, n);
}

static void put_instant(struct reader *r)
{
	size_t digits = strspn(r->text.p + r->at, "0123456789");
	int64_t ms;
	if (!digits || r->millis || !str_to_int((struct str){ r->text.p + r->at, digits }, &ms))
		return;
	r->at += digits;
	buf_put_char(&r->out, '"');
	when_put_iso(&r->out, ms * 1000);
	buf_put_char(&r->out, '"');
}

static void put_counts(struct reader *r)
{
	double tally[TALLY_MAX] = { 0 };
	struct json j;
	if (peek(r) != '[')
		return;
	const char *p = r->text.p + r->at + 1, *end = memchr(p, ']', r->text.n - r->at - 1);
	for (int i = 0; end && i < TALLY_MAX && p < end; i++) {
		tally[i] = strtod(p, NULL);
		const char *comma = memchr(p, ',', (size_t)(end - p));
		p = comma ? comma + 1 : end;
	}
	if (!end)
		return;
	r->at = (size_t)(end - r->text.p) + 1;
	json_init(&j, &r->out);
	tally_put(&j, tally);
}

static void put_address(struct reader *r)
{
	if (peek(r) != '"' || r->at + 1 >= r->text.n || r->text.p[r->at + 1] != '/')
		return;
	r->at++;
	buf_put_char(&r->out, '"');
	buf_put_z(&r->out, r->base_url);
}

/* The value after a key, if it is one of those to be changed. */
static void put_value(struct reader *r, struct str key)
{
	if (ends_with(key, "_at\"") || str_equal_z(key, "\"deadline\""))
		put_instant(r);
	else if (str_equal_z(key, "\"counts\""))
		put_counts(r);
	else if (str_equal_z(key, "\"url\""))
		put_address(r);
}

void events_put(struct json *j, struct str text, bool millis, const char *base_url)
{
	struct reader r = { .text = text, .millis = millis, .base_url = base_url };
	while (r.at < text.n) {
		if (peek(&r) != '"') {
			buf_put_char(&r.out, text.p[r.at++]);
			continue;
		}
		struct str s = take_string(&r);
		buf_put_str(&r.out, s);
		skip_blanks(&r);
		if (peek(&r) != ':')
			continue;
		r.at++;
		buf_put_char(&r.out, ':');
		skip_blanks(&r);
		put_value(&r, s);
	}
	json_raw(j, buf_str(&r.out));
	buf_free(&r.out);
}
