#include <criterion/criterion.h>

#include "lib/csv.h"

static struct buf out;
static struct csv csv;

static void setup(void)
{
	out.n = 0;
	csv_init(&csv, &out, CSV_RFC);
}

static void teardown(void)
{
	buf_free(&out);
}

static void assert_written(const char *expected)
{
	cr_assert(str_equal_z(buf_str(&out), expected), "%.*s", (int)out.n, out.p);
}

static void assert_text(struct str text, const char *expected)
{
	setup();
	csv_put_text(&csv, text);
	assert_written(expected);
}

TestSuite(csv, .init = setup, .fini = teardown);

Test(csv, rows_end_in_cr_lf)
{
	csv_put(&csv, STR("a"));
	csv_put_int(&csv, -7);
	csv_end_row(&csv);
	csv_put(&csv, STR("b"));
	csv_end_row(&csv);
	assert_written("a,-7\r\nb\r\n");
}

Test(csv, an_empty_cell_counts)
{
	csv_put(&csv, STR(""));
	csv_put(&csv, (struct str){ 0 });
	csv_put_text(&csv, STR(""));
	csv_end_row(&csv);
	assert_written(",,\r\n");
}

Test(csv, quotes_what_would_break_a_row)
{
	assert_text(STR("a,b"), "\"a,b\"");
	assert_text(STR("a\nb"), "\"a\nb\"");
	assert_text(STR("a\rb"), "\"a\rb\"");
	assert_text(STR("say \"no\""), "\"say \"\"no\"\"\"");
	assert_text(STR("a b;c'd"), "a b;c'd");
}

Test(csv, keeps_utf_8)
{
	assert_text(STR("Größe ✓"), "Größe ✓");
}

Test(csv, takes_formulas_their_meaning)
{
	assert_text(STR("=1+1"), "'=1+1");
	assert_text(STR("+1"), "'+1");
	assert_text(STR("-1"), "'-1");
	assert_text(STR("@SUM(A1)"), "'@SUM(A1)");
	assert_text(STR("\t=1"), "'\t=1");
	assert_text(STR("\r=1"), "\"'\r=1\"");
	assert_text(STR("=\"a\",1"), "\"'=\"\"a\"\",1\"");
	assert_text(STR("1=1"), "1=1");
}

Test(csv, own_cells_stay_as_they_are)
{
	csv_put(&csv, STR("-1"));
	assert_written("-1");
}

static void original(struct str text, const char *expected)
{
	out.n = 0;
	csv_init(&csv, &out, CSV_SHORT_ROWS);
	csv_put_text(&csv, text);
	assert_written(expected);
}

Test(csv, a_row_of_the_original_ends_at_its_last_value)
{
	csv_init(&csv, &out, CSV_SHORT_ROWS);
	csv_put(&csv, STR(""));
	csv_put(&csv, STR("a"));
	csv_put(&csv, STR(""));
	csv_put_empty(&csv);
	csv_put(&csv, STR(""));
	csv_end_row(&csv);
	csv_put(&csv, STR("b"));
	csv_put(&csv, STR(""));
	csv_end_row_whole(&csv);
	csv_put(&csv, STR(""));
	csv_end_row(&csv);
	assert_written(",a,,\"\"\nb,\n\n");
}

Test(csv, a_list_is_no_formula_in_the_original)
{
	original(STR("- a"), "- a");
	original(STR("-- a"), "-- a");
	original(STR("-1"), "'-1");
	original(STR("-"), "'-");
	original(STR("=1"), "'=1");
	original(STR("+1"), "'+1");
	original(STR("@a"), "'@a");
	original(STR("\ta"), "'\ta");
	original(STR("\ra"), "\"'\ra\"");
	assert_text(STR("- a"), "'- a");
}
