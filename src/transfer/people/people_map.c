#include "transfer/people/people_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/csv.h"
#include "transfer/read/csv_read.h"

const char *const people_actions[PEOPLE_ACTION__MAX] = {
	[PEOPLE_MATCH] = "match",
	[PEOPLE_CREATE] = "create",
	[PEOPLE_PLACEHOLDER] = "placeholder",
	[PEOPLE_SKIP] = "skip",
	[PEOPLE_AMBIGUOUS] = "ambiguous",
};

enum column { NAME, EMAIL, USERNAME, PERSON_ID, ACTION, COLUMNS };
static const char *const headings[COLUMNS] = { "name", "email", "username", "person_id", "action" };

/* Reading -------------------------------------------------------------------------------- */

struct reading {
	struct intake in; /* first: the CSV reader reports to it what it cannot read */
	struct intake_bytes bytes;
	FILE *file;
	struct people_map *map;
	struct arena *arena;
	struct report *report;
	const char *path;
	size_t room;
	int at[COLUMNS]; /* which cell; -1: none */
};

static void refuse(struct reading *r, int64_t row, const char *what)
{
	report_say(r->report, INTAKE_ERROR, NIL, NULL, "people_map",
		"row %lld of the map of people %s: %s", (long long)row, r->path, what);
}

static void take_remark(struct intake *in, const struct intake_remark *remark)
{
	struct reading *r = (struct reading *)in;
	report_say(r->report, remark->severity, NIL, remark->column, "people_map",
		"the map of people %s: %.*s", r->path, (int)remark->message.n, remark->message.p);
}

static int64_t read_bytes(struct intake_bytes *b, void *to, size_t n)
{
	struct reading *r = (struct reading *)((char *)b - offsetof(struct reading, bytes));
	size_t got = fread(to, 1, n, r->file);
	return got == 0 && ferror(r->file) ? -1 : (int64_t)got;
}

static bool rewind_bytes(struct intake_bytes *b)
{
	struct reading *r = (struct reading *)((char *)b - offsetof(struct reading, bytes));
	return fseek(r->file, 0, SEEK_SET) == 0;
}

static bool take_headings(struct reading *r, const struct csv_read *csv)
{
	for (int c = 0; c < COLUMNS; c++) {
		r->at[c] = -1;
		for (size_t i = 0; i < csv->n && r->at[c] < 0; i++)
			if (str_equal_nocase(str_trim(csv->cells[i]), str_of(headings[c])))
				r->at[c] = (int)i;
		if (r->at[c] < 0) {
			refuse(r, 1,
				"the heading is not name,email,username,person_id,action: "
				"correct it, or let a dry run write a new map");
			return false;
		}
	}
	return true;
}

/* The text without the mark that keeps a spreadsheet from calculating; null if it is blank. */
static struct str cell(struct reading *r, const struct csv_read *csv, enum column c)
{
	if ((size_t)r->at[c] >= csv->n)
		return (struct str){ 0 };
	struct str s = str_trim(csv->cells[r->at[c]]);
	if (s.n > 1 && s.p[0] == '\'' && strchr("=+-@", s.p[1]))
		s = (struct str){ s.p + 1, s.n - 1 };
	return s.n ? arena_str(r->arena, s) : (struct str){ 0 };
}

static bool is_action(struct str word, enum people_action *action)
{
	*action = PEOPLE_SUGGEST;
	for (int i = PEOPLE_SUGGEST + 1; i < PEOPLE_ACTION__MAX && *action == PEOPLE_SUGGEST; i++)
		if (str_equal_nocase(word, str_of(people_actions[i])))
			*action = (enum people_action)i;
	return !word.p || *action != PEOPLE_SUGGEST;
}

static void add_row(struct reading *r, const struct people_row *row)
{
	struct people_map *m = r->map;
	if (m->n == r->room) {
		r->room = r->room ? 2 * r->room : 64;
		struct people_row *rows = arena_array(r->arena, r->room, sizeof(*rows));
		if (m->n)
			memcpy(rows, m->rows, m->n * sizeof(*rows));
		m->rows = rows;
	}
	m->rows[m->n++] = *row;
}

static void take_row(struct reading *r, const struct csv_read *csv)
{
	struct str id = cell(r, csv, PERSON_ID);
	struct people_row row = { .name = cell(r, csv, NAME),
		.email = cell(r, csv, EMAIL),
		.username = cell(r, csv, USERNAME),
		.person_id = NIL };
	if (id.p && (!str_to_int(id, &row.person_id) || row.person_id <= 0))
		refuse(r, csv->at.row, "person_id is not an id: give a number from 1, or none");
	if (!is_action(cell(r, csv, ACTION), &row.action))
		refuse(r, csv->at.row,
			"the action must be match, create, placeholder, skip or ambiguous");
	if (row.name.p || row.email.p || row.username.p)
		add_row(r, &row);
}

void people_map_read(
	struct people_map *map, struct arena *a, const char *path, struct report *report)
{
	struct csv_read csv;
	struct reading r = { .in = { .remark = take_remark, .project_id = NIL },
		.bytes = { read_bytes, rewind_bytes },
		.map = map,
		.arena = a,
		.report = report,
		.path = path };

	*map = (struct people_map){ 0 };
	r.file = fopen(path, "re");
	if (!r.file) {
		if (errno != ENOENT)
			report_say(report, INTAKE_ERROR, NIL, NULL, "people_map",
				"the map of people %s cannot be read: %s", path, strerror(errno));
		return;
	}
	csv_read_open(&csv, &r.in, 0, &r.bytes);
	if (csv_read_row(&csv) && take_headings(&r, &csv))
		while (map->n <= PEOPLE_MAX && csv_read_row(&csv))
			take_row(&r, &csv);
	if (map->n > PEOPLE_MAX)
		refuse(&r, PEOPLE_MAX, "there are too many people: a map can have at most 20,000");
	csv_read_close(&csv);
	fclose(r.file);
}

/* Writing ---------------------------------------------------------------------------------- */

static void put_rows(const struct people_map *map, struct buf *out)
{
	struct csv csv;
	bool has_candidates = false;
	for (size_t i = 0; i < map->n; i++)
		has_candidates = has_candidates || map->rows[i].candidates.n;
	csv_init(&csv, out, CSV_RFC);
	for (int c = 0; c < COLUMNS; c++)
		csv_put(&csv, str_of(headings[c]));
	if (has_candidates)
		csv_put(&csv, STR("candidates"));
	csv_end_row(&csv);
	for (size_t i = 0; i < map->n; i++) {
		const struct people_row *row = &map->rows[i];
		csv_put_text(&csv, row->name);
		csv_put_text(&csv, row->email);
		csv_put_text(&csv, row->username);
		if (row->person_id == NIL)
			csv_put(&csv, (struct str){ 0 });
		else
			csv_put_int(&csv, row->person_id);
		csv_put(&csv, str_of(people_actions[row->action]));
		if (has_candidates)
			csv_put_text(&csv, row->candidates);
		csv_end_row(&csv);
	}
}

bool people_map_write(const struct people_map *map, const char *path)
{
	struct buf out = { 0 }, other = { 0 };
	put_rows(map, &out);
	buf_printf(&other, "%s.new%c", path, 0);
	FILE *f = fopen(other.p, "we");
	bool ok = f && fwrite(out.p, 1, out.n, f) == out.n;
	if (f)
		ok = fclose(f) == 0 && ok;
	ok = ok && rename(other.p, path) == 0;
	if (f && !ok) {
		int why = errno;
		unlink(other.p);
		errno = why;
	}
	buf_free(&out);
	buf_free(&other);
	return ok;
}
