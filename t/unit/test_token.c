#include <criterion/criterion.h>
#include <string.h>

#include "domain/token.h"
#include "model/object.h"

static struct arena arena;

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(token, .fini = teardown);

enum { NOW = 1000000 };

/* The field that the refusal names; null: not refused. */
static const char *refused(struct ids wish, bool names_none, struct ids own, int64_t expires)
{
	const struct token w = { .project_ids = wish, .expires_at = expires };
	const char *field;

	return token_problem(&arena, &w, names_none, own, NOW, &field) ? field : NULL;
}

Test(token, projects_are_ones_own)
{
	int64_t mine[] = { 3, 5 }, others[] = { 3, 7 };
	struct ids own = { mine, 2 }, none = { 0 };

	cr_assert_null(refused(none, false, none, NIL));
	cr_assert_null(refused(own, false, own, NIL));
	cr_assert_str_eq(refused((struct ids){ others, 2 }, false, own, NIL), "project_ids");
	cr_assert_str_eq(refused(none, true, own, NIL), "project_ids");
}

Test(token, it_ends_later_than_now)
{
	struct ids none = { 0 };

	cr_assert_null(refused(none, false, none, NOW + 1));
	cr_assert_str_eq(refused(none, false, none, NOW), "expires_at");
	cr_assert_str_eq(refused(none, false, none, NOW - 1), "expires_at");
}
