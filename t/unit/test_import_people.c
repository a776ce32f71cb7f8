/* Who a person in the files is, and the map that corrects it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "transfer/people/people_choose.h"

/* Deciding ------------------------------------------------------------------------------ */

static struct someone somebody(const char *name)
{
	return (struct someone){ .name = str_of(name),
		.id = NIL,
		.known = NIL,
		.by_email = NIL,
		.by_name = NIL,
		.row = { .person_id = NIL },
		.row_by_id = NIL,
		.row_by_email = NIL,
		.row_by_username = NIL,
		.person = NIL,
		.wished = NIL };
}

static struct someone chosen(struct someone s)
{
	people_choose(&s, 1);
	return s;
}

#define IS(s, done, who, made)                                                                     \
	do {                                                                                       \
		cr_assert_eq((s).row.action, done);                                                \
		cr_assert_eq((s).person, who);                                                     \
		cr_assert_eq((s).is_new, made);                                                    \
		cr_assert_null((s).problem);                                                       \
	} while (0)

Test(people_choose, an_address_counts_before_a_name)
{
	struct someone s = somebody("Ana");
	s.by_email = 5;
	s.named = 2;
	s = chosen(s);
	IS(s, PEOPLE_MATCH, 5, false);
}

Test(people_choose, the_only_one_of_the_name_is_suggested)
{
	struct someone s = somebody("Ana");
	s.named = 1;
	s.by_name = 6;
	s.is_loose = true;
	s = chosen(s);
	IS(s, PEOPLE_MATCH, 6, false);
}

Test(people_choose, who_is_not_here_holds_a_place_with_the_id_of_elsewhere)
{
	struct someone s = somebody("Ana");
	s.id = 77;
	s.namesakes = 1;
	s = chosen(s);
	IS(s, PEOPLE_PLACEHOLDER, NIL, true);
	cr_assert_eq(s.wished, 77);
}

Test(people_choose, an_address_of_somebody_elsewhere_holds_a_place)
{
	struct someone s = somebody("Ana");
	s.row.action = PEOPLE_CREATE;
	s.row.email = STR("ana@example.com");
	s.row_email_elsewhere = true;
	s = chosen(s);
	IS(s, PEOPLE_PLACEHOLDER, NIL, true);
	cr_assert(str_equal_z(s.email, "ana@example.com"));
}

Test(people_choose, namesakes_here_are_ambiguous)
{
	struct someone s = somebody("Ana");
	s.named = 2;
	s.is_loose = true;
	s = chosen(s);
	cr_assert_eq(s.row.action, PEOPLE_AMBIGUOUS);
	cr_assert(s.problem && !s.is_new);
}

Test(people_choose, namesakes_in_the_files_are_ambiguous_for_who_is_known_by_name_alone)
{
	struct someone two[] = { somebody("Sam"), somebody("Sam") };
	two[0].id = 1;
	two[0].namesakes = two[1].namesakes = 2;
	two[1].is_loose = true;
	people_choose(two, 2);
	IS(two[0], PEOPLE_PLACEHOLDER, NIL, true);
	cr_assert_eq(two[1].row.action, PEOPLE_AMBIGUOUS);
	two[0].named = 1;
	two[0].by_name = 9;
	two[0].row.action = PEOPLE_SUGGEST;
	two[0].is_new = false;
	people_choose(two, 1);
	cr_assert_eq(two[0].row.action, PEOPLE_AMBIGUOUS);
}

Test(people_choose, what_an_import_settled_stays)
{
	struct someone s = somebody("Sam");
	s.is_known = true;
	s.known = 8;
	s.named = 3;
	s.is_loose = true;
	s = chosen(s);
	IS(s, PEOPLE_MATCH, 8, false);
	struct someone blank = somebody("Sam");
	blank.is_known = true;
	blank = chosen(blank);
	IS(blank, PEOPLE_SKIP, NIL, false);
}

Test(people_choose, a_row_that_is_still_ambiguous_is_looked_at_again)
{
	struct someone s = somebody("Sam");
	s.has_row = true;
	s.row.action = PEOPLE_AMBIGUOUS;
	s.named = 1;
	s.by_name = 4;
	s = chosen(s);
	IS(s, PEOPLE_MATCH, 4, false);
}

static struct someone row(enum people_action action, int64_t id)
{
	struct someone s = somebody("Sam");
	s.has_row = true;
	s.row.action = action;
	s.row.person_id = id;
	return s;
}

Test(people_choose, a_match_is_by_id_then_address_then_user_name)
{
	struct someone s = row(PEOPLE_MATCH, 3);
	s.row_by_id = 3;
	s.row_by_email = 4;
	s = chosen(s);
	IS(s, PEOPLE_MATCH, 3, false);
	s = row(PEOPLE_MATCH, NIL);
	s.row_by_email = 4;
	s.row_by_username = 5;
	s = chosen(s);
	IS(s, PEOPLE_MATCH, 4, false);
	s = row(PEOPLE_MATCH, NIL);
	s.row_by_username = 5;
	s = chosen(s);
	IS(s, PEOPLE_MATCH, 5, false);
	s = chosen(row(PEOPLE_MATCH, NIL));
	cr_assert(s.problem);
	s = row(PEOPLE_MATCH, 3);
	s.row_by_email = 4;
	s = chosen(s);
	cr_assert(s.problem);
}

Test(people_choose, a_match_may_be_of_somebody_who_is_new)
{
	struct someone three[] = { row(PEOPLE_PLACEHOLDER, 12), row(PEOPLE_MATCH, 12),
		row(PEOPLE_PLACEHOLDER, 12) };
	people_choose(three, 3);
	IS(three[0], PEOPLE_PLACEHOLDER, NIL, true);
	cr_assert_eq(three[1].same_as, &three[0]);
	cr_assert_null(three[1].problem);
	cr_assert_eq(three[2].same_as, &three[0]);
}

Test(people_choose, somebody_new_has_an_address)
{
	struct someone s = row(PEOPLE_CREATE, 9);
	cr_assert(chosen(s).problem);
	s.row.email = STR("sam");
	cr_assert(chosen(s).problem);
	s.row.email = STR("sam@");
	cr_assert(chosen(s).problem);
	s.row.email = STR("sam@a@b");
	cr_assert(chosen(s).problem);
	s.row.email = STR("Sam@x.test");
	s.row.username = STR("sammy");
	struct someone made = chosen(s);
	IS(made, PEOPLE_CREATE, NIL, true);
	cr_assert_eq(made.wished, 9);
	cr_assert(str_equal_z(made.email, "Sam@x.test") && str_equal_z(made.username, "sammy"));
	s.row_by_email = 21;
	made = chosen(s);
	IS(made, PEOPLE_CREATE, 21, false);
}

Test(people_choose, two_of_one_new_address_are_one)
{
	struct someone two[] = { row(PEOPLE_CREATE, NIL), row(PEOPLE_CREATE, NIL) };
	two[0].email = STR("sam@x.test");
	two[1].row.email = STR("SAM@X.test");
	people_choose(two, 2);
	cr_assert_null(two[0].same_as);
	cr_assert_eq(two[1].same_as, &two[0]);
}

Test(people_choose, a_placeholder_is_found_again)
{
	struct someone s = row(PEOPLE_PLACEHOLDER, 12);
	s.row_by_id_is_placeholder = true;
	s.row_by_id = 12;
	s = chosen(s);
	IS(s, PEOPLE_PLACEHOLDER, 12, false);
	s = row(PEOPLE_PLACEHOLDER, NIL);
	s.named = 1;
	s.by_name = 13;
	struct someone other = chosen(s);
	IS(other, PEOPLE_PLACEHOLDER, NIL, true);
	s.by_name_is_placeholder = true;
	s = chosen(s);
	IS(s, PEOPLE_PLACEHOLDER, 13, false);
}

Test(people_choose, a_skip_is_blank)
{
	struct someone s = row(PEOPLE_SKIP, 3);
	s.by_email = 4;
	s = chosen(s);
	IS(s, PEOPLE_SKIP, NIL, false);
}

/* The map ---------------------------------------------------------------------------------- */

static char path[] = "/tmp/planwright-people-XXXXXX";
static struct arena arena;
static struct report *report;
static struct people_map map;

static void setup(void)
{
	int fd = mkstemp(path);
	cr_assert(fd >= 0);
	close(fd);
	report = report_open(NULL, 0, NULL);
}

static void teardown(void)
{
	unlink(path);
	report_close(report);
	arena_free(&arena);
}

TestSuite(people_map, .init = setup, .fini = teardown);

static void read_map(const char *text)
{
	FILE *f = fopen(path, "w");
	cr_assert(f);
	fputs(text, f);
	cr_assert_eq(fclose(f), 0);
	people_map_read(&map, &arena, path, report);
}

#define HEADING "name,email,username,person_id,action\n"

Test(people_map, reads_what_it_wrote)
{
	struct people_row rows[] = {
		{ STR("=Bo, \"the\" Li"), STR("bo@x.test"), STR("bo"), 12, PEOPLE_MATCH, { 0 } },
		{ STR("Ana Núñez"), { 0 }, { 0 }, NIL, PEOPLE_AMBIGUOUS,
			STR("person_id 7: ana@x.test; person_id 8: initials AN") },
		{ STR("-"), { 0 }, { 0 }, NIL, PEOPLE_SKIP, { 0 } },
	};
	cr_assert(people_map_write(&(struct people_map){ rows, 3 }, path));
	people_map_read(&map, &arena, path, report);
	cr_assert_eq(report_status(report), IMPORT_ALL);
	cr_assert_eq(map.n, 3);
	for (size_t i = 0; i < 3; i++) {
		cr_assert(str_equal(map.rows[i].name, rows[i].name));
		cr_assert(str_equal(map.rows[i].email, rows[i].email));
		cr_assert(str_equal(map.rows[i].username, rows[i].username));
		cr_assert_eq(map.rows[i].person_id, rows[i].person_id);
		cr_assert_eq(map.rows[i].action, rows[i].action);
	}
}

Test(people_map, one_that_is_not_there_has_no_rows)
{
	people_map_read(&map, &arena, "/nowhere/people.csv", report);
	cr_assert_eq(map.n, 0);
	cr_assert_eq(report_status(report), IMPORT_ALL);
	cr_assert_not(people_map_write(&map, "/nowhere/people.csv"));
}

Test(people_map, takes_what_a_spreadsheet_saved)
{
	read_map("\xef\xbb\xbf"
		 "Action;Name;Person_ID;Email;Username;Remark\r\nMATCH; Bo ;12;;;x\r\n;Ana\r\n");
	cr_assert_eq(report_status(report), IMPORT_ALL);
	cr_assert_eq(map.n, 2);
	cr_assert(str_equal_z(map.rows[0].name, "Bo"));
	cr_assert_eq(map.rows[0].action, PEOPLE_MATCH);
	cr_assert_eq(map.rows[0].person_id, 12);
	cr_assert_null(map.rows[0].email.p);
	cr_assert_eq(map.rows[1].action, PEOPLE_SUGGEST);
	cr_assert_eq(map.rows[1].person_id, NIL);
}

static void is_refused(const char *text, const char *said)
{
	read_map(text);
	struct str problem = report_problem(report);
	cr_assert_eq(report_status(report), IMPORT_REFUSED);
	cr_assert(problem.p && strstr(problem.p, said), "%s", problem.p);
	cr_assert(strstr(problem.p, path));
}

Test(people_map, a_heading_is_wanted)
{
	is_refused("name,email\nBo,\n", "the heading is not name,email");
}

Test(people_map, ids_are_numbers)
{
	is_refused(HEADING "Bo,,,x12,match\n", "row 2");
}

Test(people_map, ids_are_above_nought)
{
	is_refused(HEADING "Bo,,,0,match\n", "person_id is not an id");
}

Test(people_map, actions_are_words)
{
	is_refused(HEADING "Bo,,,1,match\nAna,,,,matched\n", "row 3");
}

Test(people_map, a_quote_is_closed)
{
	is_refused(HEADING "\"Bo,,,1,match\n", "quote");
}
