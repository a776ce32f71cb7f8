#include <criterion/criterion.h>
#include <string.h>

#include "service/hint.h"

static struct str written(const struct hints *hints)
{
	static char to[HINT_DATAGRAM_MAX];
	return (struct str){ to, hint_write(hints, to) };
}

Test(hint, what_is_written_is_read)
{
	struct hints hints = { 0 }, read;
	hint_add(&hints, HINT_PROJECT, 5, 12);
	hint_add(&hints, HINT_PERSON, 7, 0);
	hint_add(&hints, HINT_LOOK, 0, 0);
	hints.v[hints.n++] = (struct hint){ .kind = HINT_PRESENCE,
		.presence = PRESENCE_TYPING,
		.id = 5,
		.story = 55,
		.person = 7 };
	struct str s = written(&hints);
	cr_assert(str_equal_z(s, "project 5 12\nperson 7\nlook\npresence 5 55 7 typing\n"));
	cr_assert(hint_read(s, &read));
	cr_expect_eq(read.n, 4);
	cr_expect_eq(memcmp(read.v, hints.v, 4 * sizeof *hints.v), 0);
}

Test(hint, of_a_project_the_highest_version_stays)
{
	struct hints hints = { 0 };
	hint_add(&hints, HINT_PROJECT, 5, 12);
	hint_add(&hints, HINT_PROJECT, 5, 11);
	hint_add(&hints, HINT_PERSON, 5, 0);
	hint_add(&hints, HINT_PERSON, 5, 0);
	cr_assert_eq(hints.n, 2);
	cr_expect_eq(hints.v[0].version, 12);
}

Test(hint, too_many_are_a_look)
{
	struct hints hints = { 0 };
	for (int i = 1; i <= HINTS_MAX; i++)
		hint_add(&hints, HINT_PROJECT, i, INT64_MAX);
	cr_assert_eq(hints.n, HINTS_MAX);
	cr_assert_leq(written(&hints).n, HINT_DATAGRAM_MAX);
	hint_add(&hints, HINT_PERSON, 1, 0);
	cr_assert_eq(hints.n, 1);
	cr_assert(str_equal_z(written(&hints), "look\n"));
}

Test(hint, the_longest_ones_fit)
{
	struct hints hints = { 0 }, read;
	for (int i = 0; i < HINTS_MAX; i++)
		hint_add(&hints, HINT_PROJECT, INT64_MAX - i, INT64_MAX);
	cr_assert(hint_read(written(&hints), &read));
	cr_expect_eq(read.n, HINTS_MAX);
	for (int i = 0; i < HINTS_MAX; i++)
		hints.v[i] = (struct hint){ .kind = HINT_PRESENCE,
			.presence = PRESENCE_LOOKING,
			.id = INT64_MAX,
			.story = INT64_MAX,
			.person = INT64_MAX };
	cr_assert(hint_read(written(&hints), &read));
	cr_expect_eq(read.n, HINTS_MAX);
}

Test(hint, what_is_none_is_refused)
{
	static const char *const bad[] = { "", "\n", "look", "look\n\n", "look x\n", "look \n",
		"person\n", "person \n", "person 0\n", "person -1\n", "person 1 2\n", "person 1 \n",
		"project 1\n", "project 1 0\n", "project 1 2 3\n", "project x 2\n",
		"project 1 9223372036854775808\n", "presence 1 2 3\n", "presence 1 2 3 \n",
		"presence 1 2 3 away\n", "presence 1 2 3 gone \n", "presence 1 2 0 gone\n",
		"presence 1 2 gone\n", "other 1\n", "look\nother\n", " look\n" };
	struct hints read;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		cr_expect_not(hint_read(str_of(bad[i]), &read), "%s", bad[i]);
		cr_expect_eq(read.n, 0);
	}
}

Test(hint, nobody_listens)
{
	const struct hint_target off = hint_target(NULL), away = hint_target("/nonexistent/hints");
	struct hint_target to = away;
	struct hints hints = { 0 };
	cr_expect_not(hint_has_listener(&off));
	cr_expect_not(hint_has_listener(&away));
	hint_add(&hints, HINT_LOOK, 0, 0);
	hint_send(&to, &hints);
	cr_expect_eq(hints.n, 0);
}
