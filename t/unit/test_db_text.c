#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/db_rows.h"

static struct db *db;

static void setup(void)
{
	db = calloc(1, sizeof(*db));
}

static void teardown(void)
{
	db_text_forget(db);
	free(db);
}

TestSuite(db_text, .init = setup, .fini = teardown);

static int find(int n)
{
	char text[40];

	snprintf(text, sizeof(text), "select %d", n);
	return db_text_find(db, str_of(text));
}

/* The place with the text of this number; -1: none has it. */
static int place_of(int n)
{
	char text[40];

	snprintf(text, sizeof(text), "select %d", n);
	for (int i = 0; i < db->n_texts; i++)
		if (str_equal_z(db->texts[i].sql, text))
			return i;
	return -1;
}

Test(db_text, a_text_keeps_its_place)
{
	int first = find(1), second = find(2);

	cr_assert(first >= 0 && second >= 0 && first != second);
	cr_assert_eq(find(1), first);
	cr_assert_eq(db->texts[first].uses, 2);
	cr_assert_eq(db->texts[second].uses, 1);
}

Test(db_text, a_full_table_drops_what_is_used_least)
{
	for (int n = 0; n < DB_TEXTS_MAX; n++)
		find(n);
	for (int n = 0; n < DB_TEXTS_MAX; n++)
		if (n != 77)
			find(n);
	int at = place_of(77);
	db->texts[at].prepared = db->texts[at].on_server = true;
	cr_assert_eq(find(1000), at);
	cr_assert_eq(place_of(77), -1);
	cr_assert_not(db->texts[at].prepared, "it is another text's place");
	cr_assert(db->texts[at].on_server, "the server holds the old one by this name");
	cr_assert_eq(db->texts[at].uses, 1);
}

Test(db_text, among_equals_the_oldest_goes)
{
	for (int n = 0; n < DB_TEXTS_MAX; n++)
		find(n);
	for (int n = 0; n < DB_TEXTS_MAX; n++) {
		find(1000 + n);
		cr_assert_eq(place_of(n), -1);
	}
	cr_assert_neq(place_of(1000), -1);
}

Test(db_text, what_is_being_prepared_stays)
{
	for (int n = 0; n < DB_TEXTS_MAX; n++)
		db->texts[find(n)].asked = true;
	cr_assert_eq(find(1000), -1);
	db->texts[9].asked = false;
	cr_assert_eq(find(1000), 9);
}

/* A text that was once used a thousand times does not keep its place forever. */
Test(db_text, uses_grow_old)
{
	for (int n = 0; n < DB_TEXTS_MAX; n++)
		for (int use = 0; use < 1000; use++)
			find(n);
	for (int n = 0; n < 20 * DB_TEXTS_MAX; n++)
		find(1000 + n);
	int left = 0;
	for (int n = 0; n < DB_TEXTS_MAX; n++)
		left += place_of(n) >= 0;
	cr_assert_lt(left, DB_TEXTS_MAX / 2);
}

Test(db_text, a_long_text_is_not_kept)
{
	char *text = calloc(1, 9000);

	memset(text, 'x', 8193);
	cr_assert_eq(db_text_find(db, str_of(text)), -1);
	text[8192] = '\0';
	cr_assert_eq(db_text_find(db, str_of(text)), 0);
	free(text);
}
