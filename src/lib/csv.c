#include "lib/csv.h"

#include <string.h>

void csv_init(struct csv *c, struct buf *out, enum csv_style style)
{
	*c = (struct csv){ .out = out, .style = style };
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

static void put_comma(struct csv *c)
{
	if (c->in_row)
		buf_put_char(c->out, ',');
	c->in_row = true;
}

static void put_blanks(struct csv *c)
{
	for (; c->blanks > 0; c->blanks--)
		put_comma(c);
}

static void begin_cell(struct csv *c)
{
	put_blanks(c);
	put_comma(c);
}

static void put_cell(struct csv *c, const char *before, struct str text)
{
	bool quoted = needs_quotes(text);
	if (!text.n) {
		c->blanks++;
		return;
	}
	begin_cell(c);
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
	begin_cell(c);
	buf_put_int(c->out, v);
}

void csv_put_empty(struct csv *c)
{
	begin_cell(c);
	buf_put_z(c->out, "\"\"");
}

static bool is_formula(const struct csv *c, struct str text)
{
	if (!text.n || !text.p[0] || !strchr("=+-@\t\r", text.p[0]))
		return false;
	bool begins_list = text.n > 1 && text.p[0] == '-' && (text.p[1] == ' ' || text.p[1] == '-');
	return !(begins_list && c->style == CSV_SHORT_ROWS);
}

void csv_put_text(struct csv *c, struct str text)
{
	put_cell(c, is_formula(c, text) ? "'" : "", text);
}

void csv_end_row_whole(struct csv *c)
{
	put_blanks(c);
	buf_put_z(c->out, c->style == CSV_RFC ? "\r\n" : "\n");
	c->in_row = false;
}

void csv_end_row(struct csv *c)
{
	if (c->style == CSV_SHORT_ROWS)
		c->blanks = 0;
	csv_end_row_whole(c);
}
