#include "programs/ctl/dump_lines.h"

#include <string.h>

/* Longer lines hold file contents or activities: nothing of interest here. */
enum { LONG_LINE = 64 * 1024 };

bool dump_line_begins(struct str line, const char *with)
{
	size_t n = strlen(with);

	return line.n >= n && memcmp(line.p, with, n) == 0;
}

static bool give(struct dump_lines *d)
{
	struct str line = buf_str(&d->line);

	if (d->is_long)
		return d->to->put(d->to, line);
	buf_reset(&d->instead);
	if (!d->look(d->of, line, &d->instead))
		return true;
	return d->to->put(d->to, d->instead.n ? buf_str(&d->instead) : line);
}

static bool put_lines(struct sink *sink, struct str bytes)
{
	struct dump_lines *d = (struct dump_lines *)sink;
	bool ok = true;

	while (ok && bytes.n > 0) {
		const char *end = memchr(bytes.p, '\n', bytes.n);
		size_t n = end ? (size_t)(end - bytes.p) + 1 : bytes.n;
		buf_put_str(&d->line, (struct str){ bytes.p, n });
		bytes = (struct str){ bytes.p + n, bytes.n - n };
		if (!end && d->line.n < LONG_LINE)
			continue;
		ok = give(d);
		d->is_long = !end;
		buf_reset(&d->line);
	}
	return ok;
}

void dump_lines_begin(struct dump_lines *d, struct sink *to,
	bool (*look)(void *of, struct str line, struct buf *instead), void *of)
{
	*d = (struct dump_lines){ .sink = { put_lines }, .to = to, .look = look, .of = of };
}

bool dump_lines_end(struct dump_lines *d)
{
	bool ok = d->line.n == 0 || d->to->put(d->to, buf_str(&d->line));

	buf_free(&d->line);
	buf_free(&d->instead);
	return ok;
}
