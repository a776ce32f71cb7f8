/*
 * Tables from other programs: the golden cases in t/import/, in the notation described in its
 * README.md, each read as a whole and in small pieces.
 */
#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/when.h"
#include "transfer/read/csv_kind.h"
#include "transfer/form/history_csv.h"
#include "transfer/form/members_csv.h"
#include "transfer/form/stories_csv.h"
#include "transfer_print.h"

static struct buf wanted, table;

static void tidy(void)
{
	buf_free(&wanted);
	buf_free(&table);
}

TestSuite(import_csv, .fini = tidy);

/* A golden case: what the header of its file says. */
struct golden {
	char folder[4000], encoding[40], project[100];
	struct str file;
	struct str kind;
	struct str records; /* the expected ones */
	struct transfer_print print;
};

static void load(const char *folder, struct str name, struct buf *to)
{
	char path[4400];
	FILE *f =
		fopen(str_print(path, sizeof path, "%s/%.*s", folder, (int)name.n, name.p).p, "r");
	size_t n;
	cr_assert(f, "%s", path);
	buf_reset(to);
	while ((n = fread(buf_reserve(to, 4096), 1, 4096, f)) > 0)
		to->n += n;
	fclose(f);
}

static const char *z_of(struct str s, char *to, size_t size)
{
	return str_print(to, size, "%.*s", (int)s.n, s.p).p;
}

static void take_directive(struct golden *g, struct str line)
{
	struct str value = line, word = str_cut(&value, ' ');
	struct transfer_print *p = &g->print;
	if (!word.n || word.p[0] == '#')
		return;
	if (str_equal_z(word, "file"))
		g->file = value;
	else if (str_equal_z(word, "kind"))
		g->kind = value;
	else if (str_equal_z(word, "date-order"))
		p->in.date_order = value.p[0];
	else if (str_equal_z(word, "today"))
		cr_assert(when_parse_date(value, &p->in.today));
	else if (str_equal_z(word, "encoding"))
		p->in.encoding = z_of(value, g->encoding, sizeof g->encoding);
	else if (str_equal_z(word, "project"))
		p->in.project = z_of(value, g->project, sizeof g->project);
	else if (str_equal_z(word, "name") && p->n_names < TRANSFER_NAMES)
		p->names[p->n_names++] = value;
	else
		cr_assert(false, "no such directive: %.*s", (int)line.n, line.p);
}

static void take_head(struct golden *g)
{
	struct str rest = buf_str(&wanted);
	transfer_print_init(&g->print);
	while (rest.p) {
		struct str line = str_cut(&rest, '\n');
		if (str_equal_z(line, "---"))
			break;
		take_directive(g, line);
	}
	g->records = rest;
}

static enum rc read_table(struct golden *g, size_t step)
{
	struct transfer_bytes b;
	transfer_bytes_init(&b, buf_str(&table), STR(""), 0, STR(""));
	b.step = step;
	switch (csv_start_of(buf_str(&table)).kind) {
	case CSV_HISTORY: return history_csv_read(&g->print.in, 0, &b.bytes);
	case CSV_MEMBERS: return members_csv_read(&g->print.in, 0, &b.bytes);
	case CSV_STORIES: return stories_csv_read(&g->print.in, 0, &b.bytes);
	default: return RC_OK;
	}
}

/* For writing new cases: if IMPORT_GOT in the environment names a folder, results are kept there. */
static void keep(const char *name, struct str got)
{
	const char *folder = getenv("IMPORT_GOT");
	char path[4400];
	if (!folder)
		return;
	FILE *f = fopen(str_print(path, sizeof path, "%s/%s", folder, name).p, "w");
	cr_assert(f, "%s", path);
	fwrite(got.p, 1, got.n, f);
	fclose(f);
}

static void compare(const char *name, struct str got, struct str expected)
{
	for (int line = 1; got.p || expected.p; line++) {
		struct str a = str_cut(&got, '\n'), b = str_cut(&expected, '\n');
		cr_expect(str_equal(a, b),
			"%s, line %d behind the head:\n got    %.*s\n wanted %.*s", name, line,
			(int)a.n, a.p, (int)b.n, b.p);
		if (!str_equal(a, b))
			return;
	}
}

static void run_case(const char *name)
{
	static const char *const kinds[] = { "none", "stories", "history", "members" };
	struct golden g = { 0 };
	const char *root = getenv("srcdir");
	char csv[300];
	str_print(g.folder, sizeof g.folder, "%s/t/import", root ? root : ".");
	g.file = str_print(
		csv, sizeof csv, "%.*s.csv", (int)(strlen(name) - strlen(".records")), name);
	load(g.folder, str_of(name), &wanted);
	take_head(&g);
	load(g.folder, g.file, &table);
	cr_expect(str_equal_z(g.kind.n ? g.kind : STR("stories"),
			  kinds[csv_start_of(buf_str(&table)).kind]),
		"%s", name);
	for (size_t step = 0; step < 4; step += 3) {
		buf_reset(&g.print.out);
		cr_expect_eq(read_table(&g, step), RC_OK, "%s", name);
		compare(name, buf_str(&g.print.out), g.records);
	}
	keep(name, buf_str(&g.print.out));
	buf_free(&g.print.out);
}

Test(import_csv, golden_cases)
{
	const char *root = getenv("srcdir");
	char path[4000];
	int cases = 0;
	DIR *d = opendir(str_print(path, sizeof path, "%s/t/import", root ? root : ".").p);
	cr_assert(d, "%s", path);
	for (struct dirent *e; (e = readdir(d));) {
		size_t n = strlen(e->d_name);
		if (n < 9 || strcmp(e->d_name + n - 8, ".records") != 0)
			continue;
		run_case(e->d_name);
		cases++;
	}
	closedir(d);
	cr_expect_geq(cases, 25);
}
