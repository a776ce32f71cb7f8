#include <criterion/criterion.h>

#include "programs/live/live_presence.h"

enum { ADA = 1, BOB = 2 };

static struct live_presences all;

static void end(void)
{
	live_presence_free(&all);
}

TestSuite(presence, .fini = end);

static bool says(int64_t person, int64_t story, enum hint_presence is, int64_t now_s)
{
	const struct hint h = {
		.kind = HINT_PRESENCE, .presence = is, .id = 99, .story = story, .person = person
	};
	return live_presence_take(&all, &h, now_s);
}

/* What a person's stream has still to hear after this turn, each as "person@story word". */
static const char *heard(int64_t person, int64_t turn)
{
	static char text[1000];
	const struct live_presence *x;
	struct str s = { text, 0 };
	*text = 0;
	for (size_t at = 0; (x = live_presence_next(&all, &at, person, turn));)
		s.n += str_print(text + s.n, sizeof text - s.n, "%s%lld@%lld %s", s.n ? ", " : "",
			(long long)x->person, (long long)x->story, hint_presences[x->is])
			       .n;
	return text;
}

Test(presence, others_hear_and_nobody_of_themselves)
{
	cr_expect(says(ADA, 5, PRESENCE_LOOKING, 10));
	cr_expect_str_eq(heard(BOB, 0), "1@5 looking");
	cr_expect_str_eq(heard(ADA, 0), "");
}

Test(presence, what_is_said_again_is_no_news)
{
	says(ADA, 5, PRESENCE_LOOKING, 10);
	cr_expect_not(says(ADA, 5, PRESENCE_LOOKING, 30));
	cr_expect_str_eq(heard(BOB, all.turn), "");
	cr_expect_not(says(BOB, 5, PRESENCE_GONE, 30));
	cr_expect_eq(all.n, 1);
}

Test(presence, a_stream_hears_what_changed_since)
{
	says(ADA, 5, PRESENCE_LOOKING, 10);
	int64_t turn = all.turn;
	cr_expect(says(ADA, 5, PRESENCE_TYPING, 12));
	says(ADA, 6, PRESENCE_LOOKING, 12);
	cr_expect_str_eq(heard(BOB, turn), "1@5 typing, 1@6 looking");
	cr_expect(says(ADA, 6, PRESENCE_GONE, 13));
	cr_expect_str_eq(heard(BOB, turn), "1@5 typing, 1@6 gone");
	cr_expect_str_eq(heard(BOB, -1), "1@5 typing", "a new one does not hear of who has left");
}

Test(presence, is_told_once_a_second_at_most)
{
	says(ADA, 5, PRESENCE_LOOKING, 10);
	for (int i = 0; i < 100; i++)
		cr_expect_not(says(ADA, 5, i % 2 ? PRESENCE_LOOKING : PRESENCE_TYPING, 10));
	cr_expect_not(says(ADA, 5, PRESENCE_GONE, 10));
	cr_expect_str_eq(heard(BOB, all.turn), "");
	int64_t turn = all.turn;
	cr_expect(live_presence_beat(&all, 11));
	cr_expect_str_eq(heard(BOB, turn), "1@5 gone");
	cr_expect_not(live_presence_beat(&all, 12));
}

Test(presence, ends_unless_it_is_said_again)
{
	says(ADA, 5, PRESENCE_LOOKING, 10);
	says(BOB, 5, PRESENCE_TYPING, 10);
	says(ADA, 5, PRESENCE_LOOKING, 30);
	cr_expect_not(live_presence_beat(&all, 9 + LIVE_PRESENCE_SECONDS));
	int64_t turn = all.turn;
	cr_expect(live_presence_beat(&all, 10 + LIVE_PRESENCE_SECONDS));
	cr_expect_str_eq(heard(3, turn), "2@5 gone");
	cr_expect_str_eq(heard(3, -1), "1@5 looking");
	/* Streams that could not be written to meanwhile have heard by then. */
	cr_expect(live_presence_beat(&all, 30 + LIVE_PRESENCE_SECONDS));
	cr_expect_eq(all.n, 2);
	live_presence_beat(&all, 30 + 2 * LIVE_PRESENCE_SECONDS);
	cr_expect_eq(all.n, 0);
}

Test(presence, who_comes_back_is_there)
{
	says(ADA, 5, PRESENCE_LOOKING, 10);
	says(ADA, 5, PRESENCE_GONE, 20);
	cr_expect(says(ADA, 5, PRESENCE_LOOKING, 30));
	cr_expect_not(live_presence_beat(&all, 29 + LIVE_PRESENCE_SECONDS));
	cr_expect_str_eq(heard(BOB, -1), "1@5 looking");
}

Test(presence, there_are_limits)
{
	for (int i = 1; i <= 1000; i++)
		says(ADA, i, PRESENCE_LOOKING, 10);
	cr_expect_eq(all.n, LIVE_PRESENCES_OF_PERSON);
	cr_expect(says(BOB, 5, PRESENCE_LOOKING, 10), "one's many leave room for others");
	for (int i = 3; i <= 1000; i++)
		says(i, 5, PRESENCE_LOOKING, 10);
	cr_expect_eq(all.n, LIVE_PRESENCES_MAX);
	cr_expect(says(BOB, 5, PRESENCE_TYPING, 11), "who is there is still heard");
	live_presence_beat(&all, 200);
	live_presence_beat(&all, 300);
	cr_expect(says(1000, 5, PRESENCE_LOOKING, 300));
}
