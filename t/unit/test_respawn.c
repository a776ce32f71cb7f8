#include <criterion/criterion.h>

#include "lib/respawn.h"

Test(respawn, the_first_is_at_once_and_then_the_pause_grows)
{
	static const int64_t pauses[] = { 0, 100, 200, 400, 800, 1600, 3200, 5000, 5000 };
	struct respawn r = { 0 };
	for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++)
		cr_assert_eq(respawn_pause_ms(&r, 5), pauses[i], "%zu", i);
	for (int i = 0; i < 100000; i++)
		cr_assert_eq(respawn_pause_ms(&r, 5), RESPAWN_PAUSE_MAX_MS);
}

Test(respawn, one_that_lasted_begins_anew)
{
	struct respawn r = { 0 };
	for (int i = 0; i < 5; i++)
		respawn_pause_ms(&r, RESPAWN_LASTS_MS - 1);
	cr_assert_eq(respawn_pause_ms(&r, RESPAWN_LASTS_MS), 0);
	cr_assert_eq(respawn_pause_ms(&r, 0), 0);
	cr_assert_eq(respawn_pause_ms(&r, 0), RESPAWN_PAUSE_MS);
}
