#include "lib/xml.h"

void xml_init(struct xml *x, struct buf *out)
{
	*x = (struct xml){ .out = out };
	buf_put_z(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

bool xml_is_full(const struct xml *x)
{
	return x->limit && x->out->n > x->limit;
}

static void start_line(struct xml *x)
{
	if (x->is_open)
		buf_put_z(x->out, ">\n");
	x->is_open = false;
	for (int i = 0; i < x->depth; i++)
		buf_put_z(x->out, "  ");
}

void xml_begin(struct xml *x, const char *name, const char *attributes)
{
	if (xml_is_full(x))
		return;
	start_line(x);
	buf_printf(x->out, attributes ? "<%s %s" : "<%s", name, attributes);
	x->is_open = true;
	x->depth++;
}

void xml_end(struct xml *x, const char *name)
{
	if (xml_is_full(x))
		return;
	x->depth--;
	if (x->is_open) {
		buf_put_z(x->out, "/>\n");
		x->is_open = false;
		return;
	}
	start_line(x);
	buf_printf(x->out, "</%s>\n", name);
}

/* U+FFFE and U+FFFF, the only ones of three bytes that are not XML characters. */
static bool is_noncharacter(struct str rest)
{
	return rest.n >= 3 && rest.p[0] == '\xef' && rest.p[1] == '\xbf' &&
		(rest.p[2] == '\xbe' || rest.p[2] == '\xbf');
}

/* How many bytes of the text *instead replaces; null: one byte that stays as it is. */
static size_t escape(struct str rest, const char **instead)
{
	unsigned char c = (unsigned char)rest.p[0];
	*instead = NULL;
	if (c == '&')
		*instead = "&amp;";
	else if (c == '<')
		*instead = "&lt;";
	else if (c == '>')
		*instead = "&gt;";
	else if (c == '"')
		*instead = "&quot;";
	else if (c == '\r') /* readers would take it for a line feed */
		*instead = "&#13;";
	else if (c < 0x20 && c != '\t' && c != '\n')
		*instead = "\xef\xbf\xbd";
	else if (is_noncharacter(rest)) {
		*instead = "\xef\xbf\xbd";
		return 3;
	}
	return 1;
}

static void put_text(struct buf *out, struct str text)
{
	size_t from = 0, at = 0;
	while (at < text.n) {
		const char *instead;
		size_t n = escape((struct str){ text.p + at, text.n - at }, &instead);
		if (instead) {
			buf_put(out, text.p + from, at - from);
			buf_put_z(out, instead);
			from = at + n;
		}
		at += n;
	}
	buf_put(out, text.p + from, at - from);
}

void xml_put(struct xml *x, const char *name, const char *type, struct str text)
{
	if (xml_is_full(x))
		return;
	start_line(x);
	buf_printf(x->out, type ? "<%s type=\"%s\">" : "<%s>", name, type);
	if (text.n)
		put_text(x->out, text);
	buf_printf(x->out, "</%s>\n", name);
}

void xml_put_int(struct xml *x, const char *name, int64_t v)
{
	if (xml_is_full(x))
		return;
	start_line(x);
	buf_printf(x->out, "<%s type=\"integer\">%lld</%s>\n", name, (long long)v, name);
}
