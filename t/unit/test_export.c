/* The names of files in a project's zip. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "transfer/out/export_files.h"

static void check(const char *name, size_t n, const char *const *others, const char *expected)
{
	struct export_names names = { 0 };
	for (size_t i = 0; i < n; i++)
		export_names_take(&names, str_of(others[i]));
	struct str got = export_names_take(&names, str_of(name));
	cr_expect(str_equal_z(got, expected), "%s: %.*s", name, (int)got.n, got.p);
	export_names_end(&names);
}

static void alone(const char *name, const char *expected)
{
	check(name, 0, NULL, expected);
}

Test(export, names_that_are_no_paths)
{
	alone("a b.png", "a b.png");
	alone("../a", ".._a");
	alone("c:\\a", "c:_a");
	alone("a\nb\x7f", "a_b_");
	alone("", "_");
	alone(".", "_");
	alone("..", "_");
	alone("...", "...");
	alone(".profile", ".profile");
}

Test(export, names_that_others_have)
{
	static const char *const others[] = { "a.png", "A (2).PNG", "b", ".x" };
	check("a.png", 4, others, "a (3).png");
	check("A.png", 4, others, "A (3).png");
	check("a.jpg", 4, others, "a.jpg");
	check("b", 4, others, "b (2)");
	check(".x", 4, others, ".x (2)");
}

/* n equal names, each of which needs a name of its own: the last one gets the number n. */
static void take_equal(int n, const char *last)
{
	struct export_names names = { 0 };
	struct str got = { 0 };
	for (int i = 0; i < n; i++)
		got = export_names_take(&names, i % 2 ? STR("same.png") : STR("SAME.PNG"));
	cr_expect(str_equal_z(got, last), "%.*s", (int)got.n, got.p);
	export_names_end(&names);
}

/* In cubic time, these would take hours. */
Test(export, many_equal_names, .timeout = 60)
{
	take_equal(3000, "same (3000).png");
	take_equal(200000, "same (200000).png");
}

Test(export, names_with_numbers_in_the_way, .timeout = 60)
{
	struct export_names names = { 0 };
	char name[32];
	struct str got = { 0 };
	for (int i = 2; i <= 20000; i++) {
		snprintf(name, sizeof name, "a (%d)", i);
		export_names_take(&names, str_of(name));
	}
	for (int i = 0; i < 20000; i++)
		got = export_names_take(&names, STR("a"));
	cr_expect(str_equal_z(got, "a (39999)"), "%.*s", (int)got.n, got.p);
	export_names_end(&names);
}

Test(export, names_that_are_long)
{
	char name[1024], expected[1024];
	memset(name, 'a', sizeof name);
	strcpy(name + 300, ".png");
	memset(expected, 'a', sizeof expected);
	strcpy(expected + 196, ".png");
	alone(name, expected);
	for (size_t i = 0; i < 150; i++)
		memcpy(name + 2 * i, "é", 2);
	strcpy(name + 300, ".x");
	for (size_t i = 0; i < 99; i++)
		memcpy(expected + 2 * i, "é", 2);
	strcpy(expected + 198, ".x");
	alone(name, expected);
}
