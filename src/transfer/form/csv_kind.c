#include "transfer/form/csv_kind.h"

#include "lib/buf.h"

enum { HEAD_MAX = 1 << 16 };

/* Names that identify the tables: one bit for each that a header has. */
enum {
	ID = 1 << 0,
	TITLE = 1 << 1,
	TYPE = 1 << 2,
	MESSAGE = 1 << 3,
	PERFORMER = 1 << 4,
	OCCURRED = 1 << 5,
	NAME = 1 << 6,
	EMAIL = 1 << 7,
	MEMBER = 1 << 8,
};

static const struct {
	const char *name;
	unsigned bit;
} names[] = {
	{ "Id", ID },
	{ "Title", TITLE },
	{ "Story", TITLE },
	{ "Type", TYPE },
	{ "Message", MESSAGE },
	{ "Performed By", PERFORMER },
	{ "Occurred At", OCCURRED },
	{ "Name", NAME },
	{ "Email Address", EMAIL },
	{ "Email", EMAIL },
	{ "Person ID", MEMBER },
	{ "Account Role", MEMBER },
	{ "Project Name", MEMBER },
	{ "Project Role", MEMBER },
};

static unsigned bit_of(struct str cell)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_equal_nocase(str_trim(cell), str_of(names[i].name)))
			return names[i].bit;
	return 0;
}

/*
 * The names in the first row that is not blank; a cell cut off by the end of the bytes does not
 * count.
 */
static unsigned bits_of(struct str s, char separator, struct buf *cell)
{
	unsigned bits = 0;
	bool quoted = false, any = false;
	buf_reset(cell);
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (c == '\0')
			continue;
		if (c == '"') {
			quoted = !quoted;
		} else if (!quoted && (c == separator || c == '\n' || c == '\r')) {
			bits |= bit_of(buf_str(cell));
			any = any || cell->n || c == separator;
			buf_reset(cell);
			if (c != separator && any)
				break;
		} else {
			buf_put_char(cell, c);
		}
	}
	return bits;
}

static enum csv_kind kind_of(unsigned bits)
{
	const unsigned history = ID | TYPE | MESSAGE | PERFORMER | OCCURRED;
	const unsigned members = NAME | EMAIL | MEMBER;
	if ((bits & history) == history)
		return CSV_HISTORY;
	if ((bits & members) == members)
		return CSV_MEMBERS;
	return bits & TITLE ? CSV_STORIES : CSV_NONE;
}

static struct str without_mark(struct str s)
{
	static const struct str marks[] = { { "\xef\xbb\xbf", 3 }, { "\xff\xfe", 2 },
		{ "\xfe\xff", 2 } };
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (s.n >= marks[i].n && str_equal((struct str){ s.p, marks[i].n }, marks[i]))
			return (struct str){ s.p + marks[i].n, s.n - marks[i].n };
	return s;
}

enum csv_kind csv_kind_of(struct str start)
{
	static const char separators[] = { ',', ';', '\t' };
	enum csv_kind kind = CSV_NONE;
	struct buf cell = { 0 };
	if (start.n > HEAD_MAX)
		start.n = HEAD_MAX;
	start = without_mark(start);
	for (size_t i = 0; i < sizeof separators && kind == CSV_NONE; i++)
		kind = kind_of(bits_of(start, separators[i], &cell));
	buf_free(&cell);
	return kind;
}
