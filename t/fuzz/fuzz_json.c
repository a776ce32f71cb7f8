/*
 * Any bytes, read as API responses, give records and remarks of well-formed text that do not
 * depend on how the bytes arrive (src/transfer/form/json_read.h).
 */
#include "intake_sink.h"

#include "transfer/form/json_projects.h"
#include "transfer/form/json_read.h"
#include "unit/transfer_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum rc put(struct intake *in, enum intake_kind kind, struct intake_place at,
	const struct record *record)
{
	struct intake_sink *s = (struct intake_sink *)in;
	const size_t n = s->all.n;

	must(kind < INTAKE__MAX, "a record has a kind");
	must(at.line > 0, "a record has a line");
	buf_printf(&s->all, "%d %lld ", (int)kind, (long long)at.line);
	transfer_print_record(&s->all, kind, record);
	must(str_is_text((struct str){ s->all.p + n, s->all.n - n }), "a record is text");
	return RC_OK;
}

static void read_once(struct str data, size_t step, struct buf *all)
{
	struct intake_sink sink = intake_sink_of(*all, put);
	struct intake_source source = intake_source_of(data, step);
	struct json_projects projects;
	bool refused;
	struct v5 v;

	v5_init(&v, &sink.in, 0, "x.json");
	must(json_read(&v, &source.bytes, V5_UNKNOWN, &refused) == RC_OK,
		"reading goes to the end");
	must(sink.errors == (refused ? 1 : 0), "an error is said once");
	v5_free(&v);
	json_projects_init(&projects, &sink.in, 0, "x.json");
	for (int pass = 0; pass < 2; pass++) {
		source.bytes.rewind(&source.bytes);
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
