#include "programs/ctl/dump_seal.h"

#include <string.h>

#include "programs/ctl/dump_lines.h"

#define TABLE "COPY planwright.webhook ("
#define NONE "\\N"

/* Sealed secrets begin with this, and no plain secret of ours does. */
#define MARK "planwright-sealed-1:"

/* Fields of COPY -------------------------------------------------------------- */

static const char escapes[][2] = { { '\\', '\\' }, { 'b', '\b' }, { 'f', '\f' }, { 'n', '\n' },
	{ 'r', '\r' }, { 't', '\t' }, { 'v', '\v' } };
enum { ESCAPES = sizeof escapes / sizeof *escapes };

static struct str unescape(struct arena *a, struct str field)
{
	char *p = arena_alloc(a, field.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < field.n; i++) {
		char c = field.p[i];
		if (c == '\\' && i + 1 < field.n) {
			c = field.p[++i];
			for (size_t e = 0; e < ESCAPES; e++)
				if (c == escapes[e][0]) {
					c = escapes[e][1];
					break;
				}
		}
		p[n++] = c;
	}
	return (struct str){ p, n };
}

static void put_escaped(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		size_t e = 0;
		while (e < ESCAPES && text.p[i] != escapes[e][1])
			e++;
		if (e < ESCAPES)
			buf_put_char(out, '\\');
		buf_put_char(out, e < ESCAPES ? escapes[e][0] : text.p[i]);
	}
}

/* "COPY planwright.webhook (id, …) FROM stdin;" */
static int find_column(struct str line, const char *name)
{
	struct str rest = { line.p + strlen(TABLE), line.n - strlen(TABLE) };
	struct str names = str_cut(&rest, ')');

	for (int i = 0; names.p; i++)
		if (str_equal_z(str_trim(str_cut(&names, ',')), name))
			return i;
	return -1;
}

/* Sealed text ------------------------------------------------------------------ */

/* The seal's number is negative for webhooks: positive ones are people's. */
static void put_sealed(struct dump_seal *s, struct buf *out, int64_t id, struct str field)
{
	struct str sealed = crypt_seal(s->crypt, &s->arena, -id, unescape(&s->arena, field));

	buf_put_z(out, MARK);
	for (size_t i = 0; i < sealed.n; i++)
		buf_printf(out, "%02x", (unsigned char)sealed.p[i]);
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Null if it is not hexadecimal. */
static struct str read_hex(struct arena *a, struct str hex)
{
	char *p = arena_alloc(a, hex.n / 2 + 1);

	for (size_t i = 0; i + 1 < hex.n; i += 2) {
		int high = digit(hex.p[i]), low = digit(hex.p[i + 1]);
		if (high < 0 || low < 0)
			return (struct str){ 0 };
		p[i / 2] = (char)(high << 4 | low);
	}
	return (struct str){ p, hex.n / 2 };
}

static void put_opened(struct dump_seal *s, struct buf *out, int64_t id, struct str field)
{
	size_t n = strlen(MARK);

	if (!dump_line_begins(field, MARK)) {
		buf_put_str(out, field);
		return;
	}
	struct str sealed = read_hex(&s->arena, (struct str){ field.p + n, field.n - n });
	struct str secret = { 0 };
	if (s->crypt && sealed.p)
		secret = crypt_open(s->crypt, &s->arena, -id, sealed);
	s->lost += !secret.p;
	if (secret.p)
		put_escaped(out, secret);
	else
		buf_put_z(out, NONE);
}

/* Lines ------------------------------------------------------------------------ */

static struct str field_at(struct str line, int column)
{
	struct str field = { 0 };

	for (int i = 0; i <= column; i++)
		field = str_cut(&line, '\t');
	return field;
}

static void put_row(struct dump_seal *s, struct str line, struct buf *out)
{
	struct str rest = { line.p, line.n - 1 };
	struct str secret = field_at(rest, s->secret);
	int64_t id;

	if (!secret.p || str_equal_z(secret, NONE) || !str_to_int(field_at(rest, s->id), &id))
		return;
	s->n++;
	for (int i = 0; rest.p; i++) {
		struct str field = str_cut(&rest, '\t');
		if (i > 0)
			buf_put_char(out, '\t');
		if (i != s->secret)
			buf_put_str(out, field);
		else if (s->opens)
			put_opened(s, out, id, field);
		else
			put_sealed(s, out, id, field);
	}
	buf_put_char(out, '\n');
	arena_reset(&s->arena);
}

/* A table's rows end with a line that no row can be. */
void dump_seal_line(struct dump_seal *s, struct str line, struct buf *instead)
{
	if (s->in_rows) {
		if (str_equal_z(line, "\\.\n"))
			s->in_rows = false;
		else if (s->id >= 0 && s->secret >= 0)
			put_row(s, line, instead);
		return;
	}
	if (!dump_line_begins(line, "COPY "))
		return;
	bool is_ours = dump_line_begins(line, TABLE);
	s->in_rows = true;
	s->id = is_ours ? find_column(line, "id") : -1;
	s->secret = is_ours ? find_column(line, "secret") : -1;
}
