#include "transfer/common/report.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"

enum { CODES_MAX = 200, FIRST_MAX = 160 };

/* Remarks of one code: how many, and the first one as an example. */
struct code {
	enum intake_severity severity;
	char name[48];
	char first[FIRST_MAX + sizeof("…")];
	int64_t n;
};

struct report {
	FILE *lines;
	int n_files;
	const char *const *files;
	struct code codes[CODES_MAX];
	int n_codes;
	int64_t counts[INTAKE__MAX][REPORT_END__MAX];
	bool has_loss, has_error;
	char *problem; /* of the first error */
	struct buf line;
	int64_t written, bytes, left_out; /* lines, and their bytes; lines without room */
};

static const char *const severities[] = {
	[INTAKE_NOTE] = "note",
	[INTAKE_CHANGED] = "changed",
	[INTAKE_LOST] = "lost",
	[INTAKE_ERROR] = "error",
};

static const char *const ends[REPORT_END__MAX] = {
	[REPORT_CREATED] = "created",
	[REPORT_UPDATED] = "updated",
	[REPORT_SAME] = "same",
	[REPORT_SKIPPED] = "skipped",
	[REPORT_LOST] = "lost",
};

struct report *report_open(FILE *lines, int n, const char *const *files)
{
	struct report *r = calloc(1, sizeof(*r));
	if (!r)
		log_die("out of memory");
	r->lines = lines;
	r->n_files = n;
	r->files = files;
	return r;
}

void report_close(struct report *r)
{
	if (!r)
		return;
	buf_free(&r->line);
	free(r->problem);
	free(r);
}

/* Remarks ------------------------------------------------------------------------------ */

/* Copies one line, cut between two characters. */
static void cut(char *to, struct str s)
{
	size_t n = s.n < FIRST_MAX ? s.n : FIRST_MAX;
	while (n < s.n && n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)s.p[i] < ' ' ? ' ' : s.p[i];
	memcpy(to + n, n < s.n ? "…" : "", n < s.n ? sizeof("…") : 1);
}

static void count_code(struct report *r, const struct intake_remark *remark)
{
	const char *code = remark->code ? remark->code : "other";
	int i = 0;
	while (i < r->n_codes &&
		(r->codes[i].severity != remark->severity ||
			strncmp(r->codes[i].name, code, sizeof(r->codes[i].name) - 1) != 0))
		i++;
	if (i == CODES_MAX) {
		i--; /* not reached: fewer places in the program make remarks */
	} else if (i == r->n_codes) {
		r->n_codes++;
		r->codes[i].severity = remark->severity;
		str_print(r->codes[i].name, sizeof(r->codes[i].name), "%s", code);
		cut(r->codes[i].first, remark->message);
	}
	r->codes[i].n++;
}

static void put_number(struct json *j, const char *key, int64_t v, int64_t none)
{
	json_key(j, key);
	if (v == none)
		json_null(j);
	else
		json_int(j, v);
}

static void put_text(struct json *j, const char *key, const char *z)
{
	json_key(j, key);
	json_str(j, str_of(z));
}

/* Remarks may quote bytes that are not text. */
static struct str as_text(struct str s, char **copy)
{
	if (!s.p || str_is_text(s))
		return s;
	char *p = *copy = malloc(s.n + 1);
	if (!p)
		log_die("out of memory");
	for (size_t i = 0; i < s.n; i++)
		p[i] = (unsigned char)s.p[i] < 0x80 && s.p[i] ? s.p[i] : '?';
	return (struct str){ p, s.n };
}

static bool has_room(const struct report *r, enum intake_severity severity)
{
	int64_t share = severity == INTAKE_NOTE ? 2 : 1;
	return r->written < REPORT_LINES_MAX / share &&
		r->bytes + (int64_t)r->line.n <= REPORT_BYTES_MAX / share;
}

static void make_line(struct report *r, const struct intake_remark *remark)
{
	const struct intake_place *at = &remark->at;
	struct json j;
	r->line.n = 0;
	json_init(&j, &r->line);
	json_object(&j);
	put_text(&j, "file", at->file >= 0 && at->file < r->n_files ? r->files[at->file] : NULL);
	put_number(&j, "row", at->row, 0);
	put_number(&j, "line", at->line, 0);
	put_number(&j, "id", remark->id, NIL);
	put_text(&j, "column", remark->column);
	put_text(&j, "severity", severities[remark->severity]);
	put_text(&j, "code", remark->code);
	json_key(&j, "message");
	json_str(&j, remark->message);
	json_object_end(&j);
	buf_put_char(&r->line, '\n');
}

static void write_line(struct report *r)
{
	fwrite(r->line.p, 1, r->line.n, r->lines);
	r->written++;
	r->bytes += (int64_t)r->line.n;
	buf_reset(&r->line);
}

static void put_line(struct report *r, const struct intake_remark *remark)
{
	if (!r->lines)
		return;
	make_line(r, remark);
	if (has_room(r, remark->severity))
		write_line(r);
	else
		r->left_out++;
}

/* Keeps the message, after its place if it does not name its file itself. */
static void keep_problem(struct report *r, const struct intake_remark *m)
{
	const struct intake_place *at = &m->at;
	const char *file = at->file >= 0 && at->file < r->n_files ? r->files[at->file] : NULL;
	struct buf text = { 0 };
	r->has_error = true;
	if (file && !memmem(m->message.p, m->message.n, file, strlen(file))) {
		buf_printf(&text, "%s", file);
		if (at->line > 0)
			buf_printf(&text, ", line %lld", (long long)at->line);
		buf_put_z(&text, ": ");
	}
	buf_put_str(&text, m->message);
	r->problem = strndup(text.p ? text.p : "", text.n);
	buf_free(&text);
}

void report_remark(struct report *r, const struct intake_remark *remark)
{
	char *copy = NULL;
	struct intake_remark m = *remark;
	m.message = as_text(remark->message, &copy);
	r->has_loss = r->has_loss || m.severity == INTAKE_LOST;
	if (m.is_whole)
		r->counts[m.kind][REPORT_LOST]++;
	if (m.severity == INTAKE_ERROR && !r->has_error)
		keep_problem(r, &m);
	count_code(r, &m);
	put_line(r, &m);
	free(copy);
}

void report_end_lines(struct report *r)
{
	struct buf text = { 0 };
	if (!r->left_out)
		return;
	buf_printf(&text, "%lld more lines were left out here", (long long)r->left_out);
	const struct intake_remark cut = { .severity = INTAKE_NOTE,
		.at = { .file = -1 },
		.id = NIL,
		.code = "report_cut",
		.message = buf_str(&text) };
	count_code(r, &cut);
	make_line(r, &cut);
	write_line(r);
	r->left_out = 0;
	buf_free(&text);
}

void report_say(struct report *r, enum intake_severity severity, int64_t id, const char *column,
	const char *code, const char *format, ...)
{
	struct buf text = { 0 };
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	report_remark(r,
		&(struct intake_remark){ .severity = severity,
			.at = { .file = -1 },
			.id = id,
			.column = column,
			.code = code,
			.message = buf_str(&text) });
	buf_free(&text);
}

/* Counts --------------------------------------------------------------------------------- */

void report_count(struct report *r, enum intake_kind kind, enum report_end end, int64_t n)
{
	r->counts[kind][end] += n;
	r->has_loss = r->has_loss || (end == REPORT_LOST && n > 0);
}

enum import_end report_status(const struct report *r)
{
	return r->has_error ? IMPORT_REFUSED : r->has_loss ? IMPORT_LOST : IMPORT_ALL;
}

struct str report_problem(const struct report *r)
{
	return str_of(r->problem);
}

static bool is_counted(const struct report *r, int kind)
{
	int64_t sum = 0;
	for (int e = 0; e < REPORT_END__MAX; e++)
		sum += r->counts[kind][e];
	return sum > 0;
}

void report_put_counts(const struct report *r, struct buf *to)
{
	struct json j;
	json_init(&j, to);
	json_object(&j);
	for (int k = 0; k < INTAKE__MAX; k++) {
		if (!is_counted(r, k))
			continue;
		json_key(&j, intake_kinds[k]);
		json_object(&j);
		for (int e = 0; e < REPORT_END__MAX; e++) {
			json_key(&j, ends[e]);
			json_int(&j, r->counts[k][e]);
		}
		json_object_end(&j);
	}
	json_object_end(&j);
}

static void put_table(const struct report *r, struct buf *to)
{
	buf_printf(to, "%-18s", "");
	for (int e = 0; e < REPORT_END__MAX; e++)
		buf_printf(to, "%10s", ends[e]);
	buf_put_char(to, '\n');
	for (int k = 0; k < INTAKE__MAX; k++) {
		char word[24];
		if (!is_counted(r, k))
			continue;
		str_print(word, sizeof(word), "%s", intake_kinds[k]);
		for (char *p = word; *p; p++)
			*p = *p == '_' ? ' ' : *p;
		buf_printf(to, "%-18s", word);
		for (int e = 0; e < REPORT_END__MAX; e++)
			buf_printf(to, "%10lld", (long long)r->counts[k][e]);
		buf_put_char(to, '\n');
	}
}

void report_put_summary(const struct report *r, struct buf *to)
{
	bool is_empty = true;
	for (int k = 0; k < INTAKE__MAX; k++)
		is_empty = is_empty && !is_counted(r, k);
	if (!is_empty)
		put_table(r, to);
	for (int s = INTAKE_ERROR; s >= INTAKE_NOTE; s--)
		for (int i = 0; i < r->n_codes; i++)
			if ((int)r->codes[i].severity == s)
				buf_printf(to, "%s: %lld x %s, the first: %s\n", severities[s],
					(long long)r->codes[i].n, r->codes[i].name,
					r->codes[i].first);
}
