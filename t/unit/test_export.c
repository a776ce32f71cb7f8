/* Names of files in a project's zip. */
#include <criterion/criterion.h>

#include <string.h>

#include "transfer/export_files.h"

static struct arena a;

static void check(const char *name, size_t n, const char *const *others, const char *expected)
{
	struct str taken[8];
	for (size_t i = 0; i < n; i++)
		taken[i] = str_of(others[i]);
	struct str got = export_files_name(&a, str_of(name), taken, n);
	cr_expect(str_equal_z(got, expected), "%s: %.*s", name, (int)got.n, got.p);
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
	arena_free(&a);
}

Test(export, names_that_others_have)
{
	static const char *const others[] = { "a.png", "A (2).PNG", "b", ".x" };
	check("a.png", 4, others, "a (3).png");
	check("A.png", 4, others, "A (3).png");
	check("a.jpg", 4, others, "a.jpg");
	check("b", 4, others, "b (2)");
	check(".x", 4, others, ".x (2)");
	arena_free(&a);
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
	arena_free(&a);
}
