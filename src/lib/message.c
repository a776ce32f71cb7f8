#include "lib/message.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Lines with encoded words (RFC 2047 2) and all others (RFC 2045 6.7) have at most 76
   characters. */
enum { WORD_BYTES = 39, LINE_MAX_CHARS = 75, SUBJECT_MAX_BYTES = 200, PLAIN_SUBJECT_MAX = 67 };

bool message_is_address(struct str s)
{
	size_t ats = 0;

	if (s.n < 3 || s.n > 254 || s.p[0] == '@' || s.p[s.n - 1] == '@')
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] <= ' ' || s.p[i] > '~' || strchr("<>()[]\\,;:\"", s.p[i]))
			return false;
		ats += s.p[i] == '@';
	}
	return ats == 1;
}

/* Bytes of the character that begins here. */
static size_t char_size(struct str s)
{
	size_t n = 1;
	while (n < s.n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n++;
	return n;
}

/* How many bytes of whole characters fit into max. */
static size_t fit(struct str s, size_t max)
{
	size_t n = 0;
	while (n < s.n) {
		size_t next = char_size((struct str){ s.p + n, s.n - n });
		if (n + next > max)
			break;
		n += next;
	}
	return n;
}

/* Headers ------------------------------------------------------------------ */

static void put_base64(struct buf *b, struct str s)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < s.n; i += 3) {
		unsigned int v = 0;
		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (i + k < s.n ? (unsigned char)s.p[i + k] : 0);
		for (unsigned int k = 0; k < 4; k++)
			buf_put_char(b, i + k > s.n ? '=' : digits[v >> (18 - 6 * k) & 63]);
	}
}

static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < ' ' || s.p[i] > '~' ||
			(s.p[i] == '=' && i + 1 < s.n && s.p[i + 1] == '?'))
			return false;
	return s.n <= PLAIN_SUBJECT_MAX;
}

static void put_subject(struct buf *b, struct str subject)
{
	char text[SUBJECT_MAX_BYTES + 4];
	bool is_cut = subject.n > SUBJECT_MAX_BYTES;
	struct str s = { text, fit(subject, SUBJECT_MAX_BYTES) };
	for (size_t i = 0; i < s.n; i++) {
		bool is_control = (unsigned char)subject.p[i] < ' ' || subject.p[i] == 0x7f;
		text[i] = is_control ? ' ' : subject.p[i];
	}
	if (is_cut) {
		memcpy(text + s.n, "\xe2\x80\xa6", 3); /* an ellipsis */
		s.n += 3;
	}
	buf_put_z(b, "Subject: ");
	if (is_plain(s)) {
		buf_put_str(b, s);
	} else {
		for (const char *between = ""; s.n > 0; between = "\r\n ") {
			size_t n = fit(s, WORD_BYTES);
			buf_printf(b, "%s=?utf-8?B?", between);
			put_base64(b, (struct str){ s.p, n });
			buf_put_z(b, "?=");
			s = (struct str){ s.p + n, s.n - n };
		}
	}
	buf_put_z(b, "\r\n");
}

static void put_date(struct buf *b, int64_t at)
{
	static const char days[][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
		"Sep", "Oct", "Nov", "Dec" };
	time_t t = (time_t)at;
	struct tm tm;
	gmtime_r(&t, &tm);
	buf_printf(b, "Date: %s, %d %s %d %02d:%02d:%02d +0000\r\n", days[tm.tm_wday], tm.tm_mday,
		months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Body --------------------------------------------------------------------- */

static void put_line(struct buf *b, struct str line)
{
	size_t column = 0;
	for (size_t i = 0; i < line.n; i++) {
		unsigned char c = (unsigned char)line.p[i];
		bool is_last = i + 1 == line.n;
		bool as_is =
			(c > ' ' && c <= '~' && c != '=') || ((c == ' ' || c == '\t') && !is_last);
		if (column + (as_is ? 1 : 3) > LINE_MAX_CHARS) {
			buf_put_z(b, "=\r\n");
			column = 0;
		}
		if (as_is)
			buf_put_char(b, (char)c);
		else
			buf_printf(b, "=%02X", c);
		column += as_is ? 1 : 3;
	}
	buf_put_z(b, "\r\n");
}

void message_put(struct buf *b, struct str name, const struct message *m)
{
	struct str host = m->from, body = m->body;
	str_cut(&host, '@');
	put_date(b, m->at);
	buf_printf(b, "From: %.*s <%.*s>\r\n", (int)name.n, name.p, (int)m->from.n, m->from.p);
	buf_printf(b, "To: <%.*s>\r\n", (int)m->to.n, m->to.p);
	put_subject(b, m->subject);
	buf_printf(b, "Message-ID: <%.*s@%.*s>\r\n", (int)m->id.n, m->id.p, (int)host.n, host.p);
	buf_put_z(b,
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
		"Content-Transfer-Encoding: quoted-printable\r\n"
		"Auto-Submitted: auto-generated\r\n\r\n");
	while (body.p) {
		struct str line = str_cut(&body, '\n');
		if (line.n > 0 && line.p[line.n - 1] == '\r')
			line.n--;
		put_line(b, line);
	}
}
