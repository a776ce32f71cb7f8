#include "transfer/common/copy_text.h"

#include "lib/when.h"

void copy_text_null(struct buf *to)
{
	buf_put(to, "\\N", 2);
}

static void put_escaped(struct buf *to, char c)
{
	char what = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '\\' ? '\\' : 0;
	if (what)
		buf_put_char(to, '\\');
	buf_put_char(to, what ? what : c);
}

void copy_text_put(struct buf *to, struct str s)
{
	if (!s.p) {
		copy_text_null(to);
		return;
	}
	for (size_t i = 0; i < s.n; i++)
		put_escaped(to, s.p[i]);
}

void copy_text_array(struct buf *to)
{
	buf_put_char(to, '{');
}

void copy_text_item(struct buf *to, struct str s, bool is_first)
{
	buf_put_z(to, is_first ? "\"" : ",\"");
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			put_escaped(to, '\\');
		put_escaped(to, s.p[i]);
	}
	buf_put_char(to, '"');
}

void copy_text_array_end(struct buf *to)
{
	buf_put_char(to, '}');
}

void copy_text_time(struct buf *to, int64_t us, bool is_local)
{
	int64_t part = us % 1000000;
	when_put_iso(to, us);
	to->n--; /* the Z */
	buf_printf(to, ".%06d%s", (int)(part < 0 ? part + 1000000 : part), is_local ? "" : "Z");
}
