#include "transfer/read/csv_read.h"

#include <string.h>

#include "lib/buf.h"
#include "transfer/read/cell.h"
#include "transfer/read/csv_kind.h"

enum { BLOCK = 1 << 16, BAD_LINES = 8 };

/* Where a byte is. */
enum place {
	AT_CELL,  /* at the start of a cell */
	IN_PLAIN, /* in a cell without quotes, or after the closing one */
	IN_QUOTES,
	AT_QUOTE, /* after a quote in quotes: it closes them, or is the first of two */
};

struct csv_reading {
	struct intake *in;
	struct intake_bytes *bytes;
	unsigned char block[BLOCK];
	size_t next, end; /* of the block */
	bool started, ended;
	bool windows;        /* the bytes are windows-1252 */
	bool crlf, not_crlf; /* line ends seen */
	bool to_lf;          /* CR LF in cells becomes LF */
	bool after_cr;       /* the last row ended with CR: an LF belongs to it */
	char separator;
	int above;          /* rows above the header */
	bool has_separator; /* the first of them tells the separator */
	bool is_again;

	enum place place;
	bool after_quotes;        /* the cell had quotes, which are closed */
	int64_t line, quote_line; /* of the next byte; where the open quotes began */
	int64_t cell_line;
	struct buf row;
	size_t from; /* where the cell begins in row */
	size_t n;
	size_t ends[CSV_READ_COLUMNS_MAX];
	struct str cells[CSV_READ_COLUMNS_MAX];

	int64_t bad_lines[BAD_LINES]; /* lines that are not UTF-8 */
	size_t bad;
};

/* Bytes ---------------------------------------------------------------------------- */

static void refuse(struct csv_read *r, int64_t line, const char *code, const char *text)
{
	struct intake_place at = { .file = r->at.file, .line = line };
	if (!r->refused)
		intake_say(r->reading->in, INTAKE_ERROR, at, NIL, NULL, code, "%s", text);
	r->refused = true;
}

/* False if there are no more bytes. */
static bool fill(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	if (g->ended || r->refused)
		return false;
	g->next = g->end = 0;
	if (!intake_goes_on(g->in)) {
		r->refused = true; /* without a remark: nobody reads it any more */
		return false;
	}
	while (g->end < BLOCK) {
		int64_t n = g->bytes->read(g->bytes, g->block + g->end, BLOCK - g->end);
		if (n < 0)
			refuse(r, g->line, "unreadable",
				"the file cannot be read to its end: it is broken");
		if (n <= 0) {
			g->ended = true;
			break;
		}
		g->end += (size_t)n;
	}
	return g->end > 0 && !r->refused;
}

/* The most frequent of the three in the first row that is not empty. */
static char separator_of(const unsigned char *p, size_t n)
{
	static const char separators[] = { ',', ';', '\t' };
	size_t counts[3] = { 0 }, most = 0;
	bool quoted = false, any = false;
	for (size_t i = 0; i < n; i++) {
		if (p[i] == '"')
			quoted = !quoted;
		if (!quoted && any && (p[i] == '\n' || p[i] == '\r'))
			break;
		any = any || (p[i] != '\n' && p[i] != '\r');
		for (size_t k = 0; k < 3; k++)
			counts[k] += !quoted && p[i] == (unsigned char)separators[k];
	}
	for (size_t k = 1; k < 3; k++)
		if (counts[k] > counts[most])
			most = k;
	return separators[most];
}

static bool starts_with(const struct csv_reading *g, const char *mark, size_t n)
{
	return g->end >= n && memcmp(g->block, mark, n) == 0;
}

static void start(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	const char *encoding = g->in->encoding;
	g->started = true;
	g->line = 1;
	if (encoding && strcmp(encoding, "windows-1252") != 0) {
		refuse(r, 0, "unknown_encoding",
			"an encoding is windows-1252 or none: everything else is saved as UTF-8");
		return;
	}
	g->windows = encoding != NULL;
	if (!fill(r))
		return;
	if (starts_with(g, "\xff\xfe", 2) || starts_with(g, "\xfe\xff", 2) ||
		(g->end > 1 && (!g->block[0] || !g->block[1]))) {
		refuse(r, 1, "utf16", "the file is UTF-16: save it as CSV in UTF-8");
		return;
	}
	if (starts_with(g, "\xef\xbb\xbf", 3)) {
		g->next = 3;
		g->windows = false;
	}
	const struct csv_start s = csv_start_of((struct str){ (const char *)g->block, g->end });
	g->above = s.above;
	g->has_separator = s.has_separator;
	g->separator =
		s.separator ? s.separator : separator_of(g->block + g->next, g->end - g->next);
}

/* Text ----------------------------------------------------------------------------- */

static void put_char(struct buf *b, uint32_t c)
{
	if (c < 0x800) {
		buf_put_char(b, (char)(0xc0 | c >> 6));
	} else {
		buf_put_char(b, (char)(0xe0 | c >> 12));
		buf_put_char(b, (char)(0x80 | (c >> 6 & 0x3f)));
	}
	buf_put_char(b, (char)(0x80 | (c & 0x3f)));
}

/*
 * Decodes windows-1252; five bytes without a meaning become the control character of their number.
 */
static void put_windows(struct buf *b, const unsigned char *p, size_t n)
{
	static const uint16_t low[32] = { 0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020,
		0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f, 0x90, 0x2018,
		0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
		0x0153, 0x9d, 0x017e, 0x0178 };
	for (size_t i = 0; i < n; i++)
		if (p[i] < 0x80)
			buf_put_char(b, (char)p[i]);
		else
			put_char(b, p[i] < 0xa0 ? low[p[i] - 0x80] : p[i]);
}

/* Notes the lines of a cell that are not UTF-8. */
static void note_bad(struct csv_reading *g, struct str cell)
{
	int64_t line = g->cell_line;
	while (cell.p && g->bad < BAD_LINES) {
		struct str text = str_cut(&cell, '\n');
		if (!str_is_text(text) && (!g->bad || g->bad_lines[g->bad - 1] != line))
			g->bad_lines[g->bad++] = line;
		line++;
	}
}

static void refuse_bad(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	struct buf text = { 0 };
	if (r->refused)
		return;
	buf_put_z(&text, g->bad > 1 ? "lines " : "line ");
	for (size_t i = 0; i < g->bad; i++)
		buf_printf(&text, "%s%lld", i ? ", " : "", (long long)g->bad_lines[i]);
	buf_printf(&text,
		"%s not UTF-8: save the file as CSV in UTF-8, or give --encoding windows-1252 if "
		"it is that",
		g->bad == BAD_LINES  ? " and perhaps others are"
			: g->bad > 1 ? " are"
				     : " is");
	buf_put_char(&text, '\0');
	refuse(r, g->bad_lines[0], "not_utf8", text.p);
	buf_free(&text);
}

/* Turns CR LF into LF from there to the end. */
static void drop_cr(struct buf *b, size_t from)
{
	size_t to = from;
	for (size_t i = from; i < b->n; i++)
		if (b->p[i] != '\r' || i + 1 == b->n || b->p[i + 1] != '\n')
			b->p[to++] = b->p[i];
	b->n = to;
}

/* Cells ---------------------------------------------------------------------------- */

static void end_cell(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	struct str cell = { 0 };
	if (g->row.n > g->from)
		cell = (struct str){ g->row.p + g->from, g->row.n - g->from };
	if (g->n == CSV_READ_COLUMNS_MAX) {
		refuse(r, g->line, "too_large", "a row has more than 16384 columns");
		return;
	}
	if (cell.n && !str_is_text(cell))
		note_bad(g, cell);
	if (g->to_lf)
		drop_cr(&g->row, g->from);
	g->ends[g->n++] = g->row.n;
	g->from = g->row.n;
	g->place = AT_CELL;
	g->after_quotes = false;
	g->cell_line = g->line;
}

/* Takes the bytes from p on that have no meaning where they are, and returns how many. */
static size_t take_run(struct csv_reading *g, const unsigned char *p, size_t n)
{
	bool quoted = g->place == IN_QUOTES;
	size_t k = 0;
	for (; k < n; k++) {
		unsigned char c = p[k];
		if (c == '\0' ||
			(quoted ? c == '"' || c == '\n'
				: c == (unsigned char)g->separator || c == '\n' || c == '\r'))
			break;
	}
	if (g->windows)
		put_windows(&g->row, p, k);
	else
		buf_put(&g->row, p, k);
	return k;
}

/* Notes text after the closing quote, unless it is blank: once for each cell. */
static void note_behind(struct csv_read *r, size_t from)
{
	struct csv_reading *g = r->reading;
	if (!g->after_quotes || r->n_behind == CSV_READ_BEHIND_MAX ||
		(r->n_behind && r->behind[r->n_behind - 1] == (int)g->n) ||
		str_is_blank((struct str){ g->row.p + from, g->row.n - from }))
		return;
	r->behind[r->n_behind++] = (int)g->n;
}

/* A line end in quotes. */
static void take_line(struct csv_reading *g)
{
	bool crlf = g->row.n > g->from && g->row.p[g->row.n - 1] == '\r';
	*(crlf ? &g->crlf : &g->not_crlf) = true;
	buf_put_char(&g->row, '\n');
	g->line++;
}

/* The end of a row; true if it has a cell. */
static bool end_row(struct csv_read *r, unsigned char c)
{
	struct csv_reading *g = r->reading;
	bool is_empty = g->place == AT_CELL && g->n == 0;
	g->after_cr = c == '\r';
	g->not_crlf = g->not_crlf || c == '\n';
	if (!is_empty)
		end_cell(r);
	g->line++;
	g->place = AT_CELL;
	g->cell_line = g->line;
	if (is_empty) {
		r->at.line = g->line;
		r->at.row++;
	}
	return !is_empty;
}

/* Takes a byte that may have a meaning. True if the row is complete. */
static bool take(struct csv_read *r, unsigned char c)
{
	struct csv_reading *g = r->reading;
	if (c == '\0') {
		r->nuls++;
	} else if (g->place == IN_QUOTES) {
		if (c == '"')
			g->place = AT_QUOTE;
		else
			take_line(g);
	} else if (c == '"' && g->place == AT_QUOTE) {
		buf_put_char(&g->row, '"');
		g->place = IN_QUOTES;
	} else if (c == '"' && g->place == AT_CELL) {
		g->place = IN_QUOTES;
		g->quote_line = g->line;
	} else if (c == '\n' || c == '\r') {
		return end_row(r, c);
	} else {
		end_cell(r);
	}
	return false;
}

/* Whether a byte has a meaning where it is; else it begins a run. */
static bool has_meaning(const struct csv_reading *g, unsigned char c)
{
	if (c == '\0')
		return true;
	if (g->place == IN_QUOTES)
		return c == '"' || c == '\n';
	return (c == '"' && g->place != IN_PLAIN) || c == (unsigned char)g->separator ||
		c == '\n' || c == '\r';
}

/* Rows ----------------------------------------------------------------------------- */

static void check_size(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	bool quoted = g->place == IN_QUOTES;
	char text[120];
	if (g->row.n - g->from <= CSV_READ_CELL_MAX && g->row.n <= CSV_READ_ROW_MAX)
		return;
	str_print(text, sizeof text, "a %s of more than %d MiB%s",
		g->row.n > CSV_READ_ROW_MAX ? "row" : "cell",
		(g->row.n > CSV_READ_ROW_MAX ? CSV_READ_ROW_MAX : CSV_READ_CELL_MAX) >> 20,
		quoted ? ": is the quote closed that opens in this line?" : "");
	refuse(r, quoted ? g->quote_line : g->cell_line, "too_large", text);
}

/* Takes the last row of a file, which need not end with a line end. */
static bool take_last(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	if (r->refused)
		return false;
	if (g->place == IN_QUOTES) {
		refuse(r, g->quote_line, "open_quote",
			"the quote that begins a cell in this line is never closed");
		return false;
	}
	if (g->place == AT_CELL && g->n == 0)
		return false;
	end_cell(r);
	return !r->refused;
}

/* Takes the rest of the last row's line end, of which only CR was seen. */
static void take_lf(struct csv_reading *g)
{
	bool is_lf = g->block[g->next] == '\n';
	g->after_cr = false;
	*(is_lf ? &g->crlf : &g->not_crlf) = true;
	g->next += is_lf;
}

static bool scan_row(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	while (!r->refused) {
		if (g->next == g->end && !fill(r))
			return take_last(r);
		if (g->after_cr) {
			take_lf(g);
			continue;
		}
		unsigned char c = g->block[g->next];
		if (has_meaning(g, c)) {
			g->next++;
			if (take(r, c))
				return !r->refused;
		} else {
			size_t from = g->row.n;
			g->after_quotes = g->after_quotes || g->place == AT_QUOTE;
			if (g->place != IN_QUOTES)
				g->place = IN_PLAIN;
			g->next += take_run(g, g->block + g->next, g->end - g->next);
			note_behind(r, from);
		}
		check_size(r);
	}
	return false;
}

static bool read_row(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	do {
		buf_reset(&g->row);
		g->from = g->n = 0;
		r->nuls = 0;
		r->n_behind = 0;
		g->after_quotes = false;
		g->place = AT_CELL;
		r->at.line = g->cell_line = g->line;
		r->at.row++;
		if (!scan_row(r)) {
			if (g->bad)
				refuse_bad(r);
			return false;
		}
		if (g->bad == BAD_LINES)
			refuse_bad(r);
	} while (g->bad && !r->refused);
	for (size_t i = 0, from = 0; i < g->n; from = g->ends[i++])
		g->cells[i] = (struct str){ g->row.p + from, g->ends[i] - from };
	r->cells = g->cells;
	r->n = g->n;
	return !r->refused;
}

/* What stands in a row above the header. */
static void say_above(struct csv_read *r)
{
	enum { SHOWN_MAX = 200 };
	struct buf row = { 0 }, text = { 0 };
	for (size_t i = 0; i < r->n && row.n < SHOWN_MAX; i++)
		if (str_trim(r->cells[i]).n)
			buf_printf(&row, "%s%.*s", row.n ? " " : "", (int)r->cells[i].n,
				r->cells[i].p);
	cell_quote(&text, buf_str(&row));
	buf_put_char(&text, '\0');
	if (row.n)
		intake_say(r->reading->in, INTAKE_NOTE, r->at, NIL, NULL, "above_header",
			"this row is above the header of the table, and is skipped: %s", text.p);
	buf_free(&row);
	buf_free(&text);
}

bool csv_read_row(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	bool is_separator;
	if (!g->started)
		start(r);
	for (; g->above > 0; g->above--) {
		is_separator = g->has_separator;
		g->has_separator = false;
		if (!read_row(r))
			return false;
		if (!is_separator && !g->is_again)
			say_above(r);
	}
	return read_row(r);
}

bool csv_read_again(struct csv_read *r)
{
	struct csv_reading *g = r->reading;
	if (r->refused)
		return false;
	if (!g->bytes->rewind(g->bytes)) {
		refuse(r, 0, "unreadable", "the file cannot be read twice: give it as a file");
		return false;
	}
	g->to_lf = g->crlf && !g->not_crlf;
	g->started = g->ended = g->after_cr = false;
	g->is_again = true;
	r->at.row = 0;
	g->next = g->end = 0;
	return true;
}

void csv_read_open(struct csv_read *r, struct intake *in, int file, struct intake_bytes *bytes)
{
	*r = (struct csv_read){ .at = { .file = file } };
	r->reading = arena_alloc(&r->arena, sizeof *r->reading);
	r->reading->in = in;
	r->reading->bytes = bytes;
}

void csv_read_close(struct csv_read *r)
{
	buf_free(&r->reading->row);
	arena_free(&r->arena);
	r->reading = NULL;
}
