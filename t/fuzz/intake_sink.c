#include "intake_sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void must(bool holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken: %s\n", what);
		abort();
	}
}

static void remark(struct intake *in, const struct intake_remark *r)
{
	struct intake_sink *s = (struct intake_sink *)in;

	s->errors += r->severity == INTAKE_ERROR;
	must(str_is_text(r->message) && !memchr(r->message.p, '\n', r->message.n),
		"a message is one line of text");
	must(r->code && *r->code, "a remark has a code");
	buf_printf(&s->all, "%s %lld ", r->code, (long long)r->at.line);
	buf_put_str(&s->all, r->message);
}

static int64_t read_bytes(struct intake_bytes *bytes, void *to, size_t n)
{
	struct intake_source *s = (struct intake_source *)bytes;
	const size_t left = s->data.n - s->at;

	if (n > s->step)
		n = s->step;
	if (n > left)
		n = left;
	memcpy(to, s->data.p + s->at, n);
	s->at += n;
	return (int64_t)n;
}

static bool rewind_bytes(struct intake_bytes *bytes)
{
	((struct intake_source *)bytes)->at = 0;
	return true;
}

struct intake_sink intake_sink_of(struct buf all,
	enum rc (*put)(
		struct intake *, enum intake_kind, struct intake_place, const struct record *))
{
	return (struct intake_sink){
		.in = { .put = put, .remark = remark, .project_id = NIL },
		.all = all,
	};
}

struct intake_source intake_source_of(struct str data, size_t step)
{
	return (struct intake_source){ { read_bytes, rewind_bytes }, data, 0, step };
}
