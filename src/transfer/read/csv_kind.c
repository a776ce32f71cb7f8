#include "transfer/read/csv_kind.h"

#include <string.h>

#include "lib/buf.h"

enum { HEAD_MAX = 1 << 16, ABOVE_MAX = 10 /* rows */ };

/* Those behind the first three are used only if the file says so. */
enum { TRIED = 3 };
static const char separators[] = ",;\t|:";

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
	STORY = 1 << 9,
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
	{ "Story Type", STORY },
	{ "Current State", STORY },
	{ "Estimate", STORY },
	{ "Labels", STORY },
	{ "Description", STORY },
	{ "Requested By", STORY },
	{ "Owned By", STORY },
};

static unsigned bit_of(struct str cell)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_equal_nocase(str_trim(cell), str_of(names[i].name)))
			return names[i].bit;
	return 0;
}

struct row {
	unsigned bits;
	size_t filled; /* cells that are not blank */
};

static void end_cell(struct row *row, struct buf *cell)
{
	row->bits |= bit_of(buf_str(cell));
	row->filled += str_trim(buf_str(cell)).n > 0;
	buf_reset(cell);
}

/*
 * Takes the next row that has a cell from *rest; false if there is none. A cell cut off by the end of
 * the bytes does not count.
 */
static bool take_row(struct str *rest, char separator, struct buf *cell, struct row *row)
{
	bool quoted = false, any = false, ended = false;
	size_t i = 0;
	*row = (struct row){ 0 };
	buf_reset(cell);
	for (; i < rest->n && !ended; i++) {
		char c = rest->p[i];
		bool ends_row = !quoted && (c == '\n' || c == '\r');
		ended = ends_row && any;
		any = any || (c && !ends_row);
		quoted = quoted != (c == '"');
		if (ends_row || (!quoted && c == separator))
			end_cell(row, cell);
		else if (c && c != '"')
			buf_put_char(cell, c);
	}
	*rest = (struct str){ rest->p + i, rest->n - i };
	return any;
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

/* Below other rows, a header has more cells than they have: theirs could be the table, and this one of its rows. */
static bool is_header(const struct row *row, int above, size_t most)
{
	enum csv_kind kind = kind_of(row->bits);
	if (!above || kind == CSV_NONE)
		return kind != CSV_NONE;
	return row->filled > most && (kind != CSV_STORIES || (row->bits & (ID | TYPE | STORY)));
}

static void find(struct str rest, char separator, struct buf *cell, struct csv_start *found)
{
	const bool is_first = found->kind == CSV_NONE;
	const int end = is_first ? ABOVE_MAX : found->above - 1;
	struct row row;
	size_t most = 0;
	for (int above = 0; above <= end && take_row(&rest, separator, cell, &row); above++) {
		if (is_header(&row, above, most)) {
			*found = (struct csv_start){ kind_of(row.bits), separator, above, false };
			return;
		}
		most = row.filled > most ? row.filled : most;
	}
}

/* Takes the line that tells Excel the separator, like `sep=;`. */
static bool take_separator(struct str *rest, char *separator)
{
	static const char *const forms[] = { "sep=%c", "\"sep=%c\"" };
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		for (const char *s = separators; *s; s++) {
			char wanted[16];
			const struct str w = str_print(wanted, sizeof wanted, forms[i], *s);
			if (rest->n <= w.n || !str_equal_nocase((struct str){ rest->p, w.n }, w) ||
				(rest->p[w.n] != '\n' && rest->p[w.n] != '\r'))
				continue;
			*separator = *s;
			*rest = (struct str){ rest->p + w.n, rest->n - w.n };
			return true;
		}
	return false;
}

struct csv_start csv_start_of(struct str start)
{
	struct csv_start found = { CSV_NONE, '\0', 0, false };
	struct buf cell = { 0 };
	char separator;
	if (start.n > HEAD_MAX)
		start.n = HEAD_MAX;
	start = without_mark(start);
	if (take_separator(&start, &separator)) {
		found.separator = separator;
		find(start, separator, &cell, &found);
		found.above++;
		found.has_separator = true;
	} else {
		for (size_t i = 0; i < TRIED; i++)
			find(start, separators[i], &cell, &found);
	}
	buf_free(&cell);
	return found;
}
