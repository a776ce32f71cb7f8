/*
 * Any bytes, read as replies of the API, are records and remarks of well-formed text that are
 * the same however the bytes come (src/transfer/json_read.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transfer/json_projects.h"
#include "transfer/json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sink {
	struct intake in; /* first */
	struct buf all;
	int64_t errors;
};

struct source {
	struct intake_bytes bytes; /* first */
	struct str data;
	size_t at, step;
};

static void must(bool holds, const char *what)
{
	if (!holds) {
		fprintf(stderr, "broken: %s\n", what);
		abort();
	}
}

static enum rc put(
	struct intake *in, enum intake_kind kind, struct intake_place at, struct str record)
{
	struct sink *s = (struct sink *)in;
	struct arena arena = { 0 };
	const char *problem;

	must(kind < INTAKE__MAX, "a record has a kind");
	must(at.line > 0, "a record has a line");
	must(str_is_text(record), "a record is text");
	const struct body *body = body_parse(&arena, record, &problem);
	must(body && body->type == BODY_OBJECT, "a record is an object");
	arena_free(&arena);
	buf_printf(&s->all, "%d %lld ", (int)kind, (long long)at.line);
	buf_put_str(&s->all, record);
	return RC_OK;
}

static void remark(struct intake *in, const struct intake_remark *r)
{
	struct sink *s = (struct sink *)in;

	s->errors += r->severity == INTAKE_ERROR;
	must(str_is_text(r->message) && !memchr(r->message.p, '\n', r->message.n),
		"a message is one line of text");
	must(r->code && *r->code, "a remark has a code");
	buf_printf(&s->all, "%s %lld ", r->code, (long long)r->at.line);
	buf_put_str(&s->all, r->message);
}

static int64_t read_bytes(struct intake_bytes *bytes, void *to, size_t n)
{
	struct source *s = (struct source *)bytes;
	size_t left = s->data.n - s->at;

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
	((struct source *)bytes)->at = 0;
	return true;
}

static void read_once(struct str data, size_t step, struct buf *all)
{
	struct sink sink = { .in = { .put = put, .remark = remark, .project_id = NIL } };
	struct source source = { { read_bytes, rewind_bytes }, data, 0, step };
	struct json_projects projects;
	bool refused;
	struct v5 v;

	sink.all = *all;
	v5_init(&v, &sink.in, 0, "x.json");
	must(json_read(&v, &source.bytes, V5_UNKNOWN, &refused) == RC_OK,
		"reading goes to the end");
	must(sink.errors == (refused ? 1 : 0), "an error is said once");
	v5_free(&v);
	json_projects_init(&projects, &sink.in, 0, "x.json");
	for (int pass = 0; pass < 2; pass++) {
		rewind_bytes(&source.bytes);
		must(json_projects_look(&projects, pass, &source.bytes) == RC_OK,
			"looking goes to the end");
	}
	json_projects_choose(&projects, &v.project);
	*all = sink.all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct buf whole, pieces;
	const struct str text = { (const char *)data, size };

	buf_reset(&whole);
	buf_reset(&pieces);
	read_once(text, size ? size : 1, &whole);
	read_once(text, 3, &pieces);
	must(str_equal(buf_str(&whole), buf_str(&pieces)), "pieces are the whole");
	return 0;
}
