/*
 * Any bytes, read as each kind of table, give records and remarks of well-formed text that do not
 * depend on how the bytes arrive, or one error and nothing else (src/transfer/form/stories_csv.h).
 */
#include "intake_sink.h"

#include "transfer/read/csv_kind.h"
#include "transfer/form/history_csv.h"
#include "transfer/form/members_csv.h"
#include "transfer/form/stories_csv.h"
#include "unit/transfer_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum rc put(struct intake *in, enum intake_kind kind, struct intake_place at,
	const struct record *record)
{
	struct intake_sink *s = (struct intake_sink *)in;
	const size_t n = s->all.n;
	s->records++;
	must(kind < INTAKE__MAX, "a record has a kind");
	must(at.line >= s->line && at.line >= at.row && at.row > 1, "lines follow each other");
	s->line = at.line;
	buf_printf(&s->all, "%d ", (int)kind);
	transfer_print_record(&s->all, kind, record);
	must(str_is_text((struct str){ s->all.p + n, s->all.n - n }), "a record is text");
	return RC_OK;
}

static bool is_name(struct intake *in, struct str name)
{
	(void)in;
	return str_equal_z(name, "Bo");
}

/* Reads it in one way, with one encoding and date order; everything read goes to `all`. */
static void read_once(struct str data, size_t step, int way, struct buf *all)
{
	static enum rc (*const reads[])(struct intake *in, int file, struct intake_bytes *bytes) = {
		stories_csv_read, history_csv_read, members_csv_read
	};
	struct intake_sink sink = intake_sink_of(*all, put);
	struct intake_source source = intake_source_of(data, step);
	sink.in.is_name = is_name;
	sink.in.encoding = way & 4 ? "windows-1252" : NULL;
	sink.in.date_order = way & 8 ? 'd' : 0;
	sink.in.project = "P";
	must(reads[way & 3](&sink.in, 0, &source.bytes) == RC_OK, "reading goes to the end");
	must(sink.errors <= 1, "there is one error");
	must(!sink.errors || !sink.records, "a refused file has no records");
	*all = sink.all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct buf whole, pieces;
	struct str table = { (const char *)data, size };
	csv_start_of(table);
	for (int way = 0; way < 16; way++) {
		if ((way & 3) == 3)
			continue;
		buf_reset(&whole);
		buf_reset(&pieces);
		read_once(table, size ? size : 1, way, &whole);
		read_once(table, 7, way, &pieces);
		must(str_equal(buf_str(&whole), buf_str(&pieces)), "pieces are the whole");
	}
	return 0;
}
