/* Reading tables: quotes, line ends, places, limits, and how little memory a large one takes. */
#include <criterion/criterion.h>

#include <string.h>
#include <sys/resource.h>

#include "transfer/read/cell.h"
#include "transfer/read/csv_kind.h"
#include "transfer/read/csv_read.h"
#include "transfer/form/history_csv.h"
#include "transfer/common/id_set.h"
#include "transfer/form/members_csv.h"
#include "transfer/common/name_set.h"
#include "transfer/form/stories_csv.h"
#include "transfer_print.h"

static struct transfer_print print;
static struct transfer_bytes bytes;
static struct buf got, made;

static void ready(void)
{
	transfer_print_init(&print);
}

static void tidy(void)
{
	buf_free(&got);
	buf_free(&made);
	buf_free(&print.out);
}

TestSuite(csv_read, .init = ready, .fini = tidy);

static void put_rows(struct csv_read *r)
{
	while (csv_read_row(r)) {
		buf_printf(&got, "%lld:%lld", (long long)r->at.line, (long long)r->at.row);
		for (size_t i = 0; i < r->n; i++)
			buf_printf(&got, " <%.*s>", (int)r->cells[i].n, r->cells[i].p);
		if (r->nuls)
			buf_printf(&got, " %lld nuls", (long long)r->nuls);
		buf_put_char(&got, '\n');
	}
}

/* Rows as "LINE:ROW <cell> <cell>", a line each, and the reader's remarks. */
static const char *rows_of(struct str table, size_t step, bool twice)
{
	struct csv_read r;
	buf_reset(&got);
	buf_reset(&print.out);
	transfer_bytes_init(&bytes, table, STR(""), 0, STR(""));
	bytes.step = step;
	csv_read_open(&r, &print.in, 0, &bytes.bytes);
	put_rows(&r);
	if (twice && csv_read_again(&r)) {
		buf_reset(&got);
		put_rows(&r);
	}
	csv_read_close(&r);
	buf_put_str(&got, buf_str(&print.out));
	buf_put_char(&got, '\0');
	return got.p;
}

static void expect_rows(struct str table, const char *wanted)
{
	for (size_t step = 0; step < 3; step++) {
		const char *rows = rows_of(table, step, false);
		cr_expect_str_eq(rows, wanted, "%.*s: %s", (int)table.n, table.p, rows);
	}
}

Test(csv_read, cells)
{
	expect_rows(STR("a,b\nc,d\n"), "1:1 <a> <b>\n2:2 <c> <d>\n");
	expect_rows(STR("a,b\nc,d"), "1:1 <a> <b>\n2:2 <c> <d>\n");
	expect_rows(STR("a,,\n,\n"), "1:1 <a> <> <>\n2:2 <> <>\n");
	expect_rows(STR("a,b,"), "1:1 <a> <b> <>\n");
	expect_rows(STR("\"a,\"\"b\"\"\",\"\"\n\"\"\n"), "1:1 <a,\"b\"> <>\n2:2 <>\n");
	expect_rows(STR("\"a\"b\"c, \"d\"\n"), "1:1 <ab\"c> < \"d\">\n");
	expect_rows(STR("\"a\nb\",c\nd"), "1:1 <a\nb> <c>\n3:2 <d>\n");
	expect_rows(STR("a\n\n\nb\n"), "1:1 <a>\n4:4 <b>\n");
	expect_rows(STR("a\r\n\r\nb\r\n"), "1:1 <a>\n3:3 <b>\n");
	expect_rows(STR("a,b\rc\r"), "1:1 <a> <b>\n2:2 <c>\n");
	expect_rows(STR("aa\0,\0\"b\0\"\"\0c\"\n"), "1:1 <aa> <b\"c> 4 nuls\n");
	expect_rows(STR("\xef\xbb\xbf\"a\",b"), "1:1 <a> <b>\n");
	expect_rows(STR(""), "");
	expect_rows(STR("\xef\xbb\xbf"), "");
	expect_rows(STR("\n\r\n"), "");
}

Test(csv_read, the_header_says_how_cells_are_parted)
{
	expect_rows(STR("a;b;c,d\ne;f\n"), "1:1 <a> <b> <c,d>\n2:2 <e> <f>\n");
	expect_rows(STR("a\tb\tc;d\n"), "1:1 <a> <b> <c;d>\n");
	expect_rows(STR("\"a;b;c\",d\ne;f,g"), "1:1 <a;b;c> <d>\n2:2 <e;f> <g>\n");
	expect_rows(STR("\n\na;b\n"), "3:3 <a> <b>\n");
	expect_rows(STR("a\nb;c,d\n"), "1:1 <a>\n2:2 <b;c> <d>\n");
}

Test(csv_read, line_ends_in_cells_become_lf_when_a_program_made_all_of_them_crlf)
{
	cr_expect_str_eq(rows_of(STR("a\r\n\"b\r\nc\"\r\n"), 1, true), "1:1 <a>\n2:2 <b\nc>\n");
	cr_expect_str_eq(rows_of(STR("a\n\"b\r\nc\"\n"), 1, true), "1:1 <a>\n2:2 <b\r\nc>\n");
	cr_expect_str_eq(
		rows_of(STR("a\r\n\"b\r\nc\nd\"\r\n"), 1, true), "1:1 <a>\n2:2 <b\r\nc\nd>\n");
}

Test(csv_read, what_is_not_closed_or_not_text_refuses_the_file)
{
	expect_rows(STR("a\n\"b\nc"),
		"1:1 <a>\nerror 2:0 - open_quote [] the quote that begins a cell in this line is "
		"never closed\n");
	expect_rows(STR("a\n\"b\n\xff\"\nc"),
		"1:1 <a>\nerror 3:0 - not_utf8 [] line 3 is not UTF-8: save the file as CSV in "
		"UTF-8, or give --encoding windows-1252 if it is that\n");
	const char *many =
		rows_of(STR("\xff\n\xff\n\xff\n\xff\n\xff\n\xff\n\xff\n\xff\n\xff\n\"a"), 0, false);
	cr_expect(strstr(many, "lines 1, 2, 3, 4, 5, 6, 7, 8 and perhaps others are not UTF-8"),
		"%s", many);
}

/* Reading the table of stories gives exactly one error, with this message. */
static void expect_refused(const char *what)
{
	struct str out;
	print.errors = print.records = 0;
	buf_reset(&print.out);
	cr_expect_eq(stories_csv_read(&print.in, 0, &bytes.bytes), RC_OK);
	cr_expect_eq(print.errors, 1);
	cr_expect_eq(print.records, 0);
	buf_put_char(&print.out, '\0');
	out = buf_str(&print.out);
	cr_expect(strstr(out.p, what), "%s: %s", what, out.p);
}

/* The most kilobytes that this process has used; 0 with a sanitizer, which holds on to freed memory. */
static long peak(void)
{
	struct rusage usage = { 0 };
#ifndef __SANITIZE_ADDRESS__
	getrusage(RUSAGE_SELF, &usage);
#endif
	return usage.ru_maxrss;
}

/* A megabyte of a single character. */
static struct str megabyte(char c)
{
	buf_reset(&made);
	memset(buf_reserve(&made, 1 << 20), c, 1 << 20);
	made.n = 1 << 20;
	return buf_str(&made);
}

static const char *const one_gigabyte[] = { "Id,Title\n1,", "Id,Title\n1,\"", "Id,Title,", "" };

Test(csv_read, one_line_of_a_gigabyte_is_refused_in_little_memory)
{
	static const char bytes_of_it[] = { 'x', ',', '\n', '"', '\0' };
	long before = peak();
	for (size_t i = 0; i < sizeof one_gigabyte / sizeof *one_gigabyte; i++)
		for (size_t k = 0; k < 2; k++) {
			bool is_empty = !*one_gigabyte[i];
			transfer_bytes_init(&bytes, str_of(is_empty ? "Id,Title" : one_gigabyte[i]),
				megabyte(bytes_of_it[k]), 1024, STR(""));
			expect_refused("too_large");
			cr_expect_lt(bytes.turn, 64, "it stops early");
		}
	transfer_bytes_init(&bytes, STR("Id,Title\n1,\""), megabyte('\n'), 1024, STR(""));
	expect_refused("a cell of more than 4 MiB: is the quote closed that opens in this line?");
	transfer_bytes_init(&bytes, STR("Id,Title\n1,\""), megabyte('"'), 1024, STR(""));
	expect_refused("a cell of more than 4 MiB");
	cr_expect_lt(peak() - before, 150 << 10);
}

Test(csv_read, a_million_columns_are_refused)
{
	transfer_bytes_init(&bytes, STR("Id,Title"), STR(",Comment"), 1000000, STR("\n1,One\n"));
	expect_refused("a row has more than 16384 columns");
	transfer_bytes_init(&bytes, STR("Id,Title\n1,One"), STR(","), 1000000, STR("\n"));
	expect_refused("a row has more than 16384 columns");
}

Test(csv_read, a_large_table_takes_little_memory)
{
	long before = peak();
	print.quiet = true;
	transfer_bytes_init(&bytes, STR("Title,Type,Id,Requested By,Comment\n"),
		STR("A story of many,feature,,Ana Li,\"It is\ndone (Bo Li - Oct 1, 2023)\"\n"),
		300000, STR(""));
	cr_expect_eq(stories_csv_read(&print.in, 0, &bytes.bytes), RC_OK);
	cr_expect_eq(print.records, 600000);
	cr_expect_lt(peak() - before, 12 << 10);
}

Test(csv_read, bytes_that_fail)
{
	transfer_bytes_init(&bytes, STR("Id,Title\n1,One\n"), STR(""), 0, STR(""));
	bytes.once = true;
	expect_refused("the file cannot be read twice");
	bytes.fails = true;
	expect_refused("the file cannot be read to its end");
}

Test(csv_read, what_put_returns_ends_the_reading)
{
	static const struct {
		const char *table;
		enum rc (*read)(struct intake *in, int file, struct intake_bytes *bytes);
	} tables[] = {
		{ "Id,Title\n1,One\n2,Two\n", stories_csv_read },
		{ "ID,Type,Message,Performed By,Occurred At\n1,a,b,c,2023-10-02\n1,a,b,c,2023-10-02\n",
			history_csv_read },
		{ "Name,Email Address,Person ID\na,b@example.com,1\nc,d@example.com,2\n",
			members_csv_read },
	};
	print.ends = RC_UNAVAILABLE;
	for (size_t i = 0; i < 3; i++) {
		print.records = 0;
		transfer_bytes_init(&bytes, str_of(tables[i].table), STR(""), 0, STR(""));
		cr_expect_eq(tables[i].read(&print.in, 0, &bytes.bytes), RC_UNAVAILABLE);
		cr_expect_eq(print.records, 1);
	}
}

Test(csv_read, a_text_that_a_spreadsheet_may_have_cut_is_noted)
{
	static const struct {
		const char *letter; /* takes one or two units in UTF-16 */
		int64_t times;
		bool is_noted;
	} texts[] = { { "x", 32766, true }, { "x", 32765, false }, { "x", 32767, false },
		{ "\xc3\xa9", 32766, true }, { "\xf0\x9f\x98\x80", 16383, true } };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		transfer_bytes_init(&bytes, STR("Id,Title\n1,y"), str_of(texts[i].letter),
			texts[i].times, STR("\n"));
		buf_reset(&print.out);
		cr_expect_eq(stories_csv_read(&print.in, 0, &bytes.bytes), RC_OK);
		buf_put_char(&print.out, '\0');
		cr_expect_eq(strstr(print.out.p, "cut_cell [Title]") != NULL, texts[i].is_noted,
			"%zu", i);
	}
}

Test(csv_read, kinds_are_told_by_the_header)
{
	static const struct {
		const char *start;
		enum csv_kind kind;
	} heads[] = {
		{ "Id,Title\n", CSV_STORIES },
		{ "\n\r\n id ; \"STORY\";x\n", CSV_STORIES },
		{ "\xef\xbb\xbf\"Id\"\t\"Title\"\t", CSV_STORIES },
		{ "Title,Labels,Id\r", CSV_STORIES },
		{ "Type;Title\n", CSV_STORIES },
		{ "Title\nfirst", CSV_STORIES },
		{ "Titl", CSV_NONE },
		{ "Id,Titl", CSV_NONE },
		{ "Id,Name\nId,Title\n", CSV_NONE },
		{ "sep=;\nId;Title\n", CSV_STORIES },
		{ "\xef\xbb\xbf\"sep=|\"\r\nId|Title\r\n", CSV_STORIES },
		{ "sep=;\nId,Title\n", CSV_NONE },
		{ "Id|Title\n", CSV_NONE },
		{ "Table 1\nId,Title\n", CSV_STORIES },
		{ "Website, as of Oct 2, 2023;;\n\n;;\nID;Type;Message;Performed By;Occurred At\n",
			CSV_HISTORY },
		{ "SEP=\t\n\tMembers\nName\tEmail\tAccount Role\n", CSV_MEMBERS },
		{ "Table 1\nStory,of a bug\n", CSV_NONE },
		{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nId,Title\n", CSV_STORIES },
		{ "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\nId,Title\n", CSV_NONE },
		{ "name,email,username,person_id,action\nStory,s@example.test,id,,create\n",
			CSV_NONE },
		{ "\"Id,Title\n\",x\n", CSV_NONE },
		{ "ID,Type,Message,Performed By,Occurred At\n", CSV_HISTORY },
		{ "Occurred at;performed by;message;type;id\n", CSV_HISTORY },
		{ "ID,Type,Message,Performed By\n", CSV_NONE },
		{ "Name,Email Address,Username,Initials,Person ID\n", CSV_MEMBERS },
		{ "Name,Email,Project Name,Project Role\n", CSV_MEMBERS },
		{ "name,email,username,person_id,action\n", CSV_NONE },
		{ "Name,Email\n", CSV_NONE },
		{ "", CSV_NONE },
		{ "[{\"id\":1,\"title\":2}]", CSV_NONE },
	};
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		cr_expect_eq(csv_start_of(str_of(heads[i].start)).kind, heads[i].kind, "%s",
			heads[i].start);
}

Test(csv_read, sets_of_names_and_ids)
{
	struct arena a = { 0 };
	struct name_set names;
	struct id_set ids = { 0 };
	name_set_init(&names, &a);
	cr_expect_not(name_set_has(&names, STR("Ana")));
	name_set_add(&names, STR(" Ana\n"));
	name_set_add(&names, STR("  "));
	cr_expect(name_set_has(&names, STR("Ana ")));
	cr_expect_not(name_set_has(&names, STR("An")));
	cr_expect_not(name_set_has(&names, STR("ana")));
	cr_expect_not(name_set_has(&names, STR("")));
	for (int64_t i = 1; i <= 5000; i++)
		cr_expect(id_set_add(&ids, i * 1024));
	for (int64_t i = 1; i <= 5000; i++)
		cr_expect_not(id_set_add(&ids, i * 1024));
	cr_expect(id_set_add(&ids, -1));
	name_set_free(&names);
	id_set_free(&ids);
	arena_free(&a);
}

Test(csv_read, places_in_repositories)
{
	static const struct {
		const char *url, *word, *host_url, *owner, *repo, *name; /* host_url null: none */
	} urls[] = {
		{ "https://github.com/o/r/pull/7", "pull", "https://github.com/", "o", "r", "7" },
		{ " HTTP://Git.example.com:8080/o/r/pull/7?x#y ", "pull",
			"HTTP://Git.example.com:8080/", "o", "r", "7" },
		{ "https://github.com/o/r/pull/7/files", "pull", "https://github.com/", "o", "r",
			"7" },
		{ "https://github.com/o/r/tree/a/b#1", "tree", "https://github.com/", "o", "r",
			"a/b#1" },
		{ "https://github.com/o/r/pull/", "pull", NULL, NULL, NULL, NULL },
		{ "https://github.com/o/r/pull/7x", "pull", NULL, NULL, NULL, NULL },
		{ "https://github.com/o/r/pulls/7", "pull", NULL, NULL, NULL, NULL },
		{ "https://github.com//r/pull/7", "pull", NULL, NULL, NULL, NULL },
		{ "https://gitlab.com/o/r/-/merge_requests/7", "pull", NULL, NULL, NULL, NULL },
		{ "ftp://github.com/o/r/pull/7", "pull", NULL, NULL, NULL, NULL },
		{ "https:/github.com/o/r/pull/7", "pull", NULL, NULL, NULL, NULL },
		{ "https://", "tree", NULL, NULL, NULL, NULL },
		{ "main", "tree", NULL, NULL, NULL, NULL },
		{ "", "tree", NULL, NULL, NULL, NULL },
	};
	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		struct cell_place p;
		bool is = cell_place(str_of(urls[i].url), urls[i].word, &p);
		cr_expect_eq(is, urls[i].host_url != NULL, "%s", urls[i].url);
		if (!is || !urls[i].host_url)
			continue;
		cr_expect(str_equal_z(p.host_url, urls[i].host_url), "%s", urls[i].url);
		cr_expect(str_equal_z(p.owner, urls[i].owner), "%s", urls[i].url);
		cr_expect(str_equal_z(p.repo, urls[i].repo), "%s", urls[i].url);
		cr_expect(str_equal_z(p.name, urls[i].name), "%s", urls[i].url);
	}
}
