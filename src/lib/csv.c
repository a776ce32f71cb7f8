#include "lib/csv.h"

#include <string.h>

void csv_init(struct csv *c, struct buf *out)
{
	*c = (struct csv){ .out = out };
}

static bool needs_quotes(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (strchr("\",\r\n", s.p[i]))
			return true;
	return false;
}

static void put_bytes(struct csv *c, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			buf_put_char(c->out, '"');
		buf_put_char(c->out, s.p[i]);
	}
}

static void put_cell(struct csv *c, const char *before, struct str text)
{
	bool quoted = needs_quotes(text);
	if (c->in_row)
		buf_put_char(c->out, ',');
	c->in_row = true;
	if (quoted)
		buf_put_char(c->out, '"');
	buf_put_z(c->out, before);
	put_bytes(c, text);
	if (quoted)
		buf_put_char(c->out, '"');
}

void csv_put(struct csv *c, struct str text)
{
	put_cell(c, "", text);
}

void csv_put_int(struct csv *c, int64_t v)
{
	if (c->in_row)
		buf_put_char(c->out, ',');
	c->in_row = true;
	buf_put_int(c->out, v);
}

void csv_put_text(struct csv *c, struct str text)
{
	bool is_formula = text.n && text.p[0] && strchr("=+-@\t\r", text.p[0]);
	put_cell(c, is_formula ? "'" : "", text);
}

void csv_end_row(struct csv *c)
{
	buf_put_z(c->out, "\r\n");
	c->in_row = false;
}
