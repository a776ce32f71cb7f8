#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "domain/commit.h"

static struct arena arena;

/* "1f 2d 3": ids with the first letter of the requested state. */
static const char *read(const char *message)
{
	struct commit_stories s = commit_read(&arena, str_of(message));
	struct str text = STR("");
	for (size_t i = 0; i < s.n; i++)
		text = arena_printf(&arena, "%s%s%lld%s", text.p, i ? " " : "",
			(long long)s.v[i].id,
			s.v[i].state == WORD_NONE                ? ""
				: s.v[i].state == STATE_FINISHED ? "f"
								 : "d");
	return text.p;
}

Test(commit, names_stories_in_brackets)
{
	cr_expect_str_eq(read("[#12] [#7 #8,#9](#5) #6"), "7 8 9 12");
	cr_expect_str_eq(read(""), "");
	cr_expect_str_eq(read("[#1"), "");
	cr_expect_str_eq(read("#1] [2] []"), "");
	cr_expect_str_eq(read("[#1a #2_ #3.] [[#4]"), "3 4");
	cr_expect_str_eq(read("[#1234567890123456789 #123456789012345678]"), "123456789012345678");
	cr_expect_str_eq(read("[#3 #3] [#1] [#3]"), "1 3");
}

Test(commit, words_ask_for_a_state)
{
	static const char *const finish[] = { "fix", "Fixes", "FIXED", "fixing", "finish",
		"finishes", "finished", "finishing", "complete", "completes", "completed",
		"completing", "(Fixes)", "bug fix:" };
	static const char *const deliver[] = { "deliver", "Delivers", "delivered", "delivering",
		"fixes and delivers" };
	static const char *const none[] = { "prefix", "fixe", "delivery", "complet", "fix_",
		"äfix" };
	for (size_t i = 0; i < sizeof finish / sizeof *finish; i++)
		cr_expect_str_eq(
			read(arena_printf(&arena, "[%s #1]", finish[i]).p), "1f", "%s", finish[i]);
	for (size_t i = 0; i < sizeof deliver / sizeof *deliver; i++)
		cr_expect_str_eq(read(arena_printf(&arena, "[%s #1]", deliver[i]).p), "1d", "%s",
			deliver[i]);
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		cr_expect_str_eq(
			read(arena_printf(&arena, "[%s #1]", none[i]).p), "1", "%s", none[i]);
	cr_expect_str_eq(read("fixes [#1] delivers"), "1");
	cr_expect_str_eq(read("[Fixes #1 #2] [Delivers #2 #3] [#3]"), "1f 2f 3d");
	cr_expect_str_eq(read("[Delivers #2] [Fixes #2]"), "2f");
}

Test(commit, many_stories_are_read_at_once)
{
	struct buf b = { 0 };
	for (int i = 20000; i > 0; i--)
		buf_printf(&b, "[#%d]", i);
	struct commit_stories s = commit_read(&arena, buf_str(&b));
	cr_expect_eq(s.n, 20000);
	for (size_t i = 0; i < s.n; i++)
		cr_assert_eq(s.v[i].id, (int64_t)i + 1);
	buf_free(&b);
}

static const char *text(const char *author, const char *url, const char *message)
{
	struct commit c = {
		.author = str_of(author), .url = str_of(url), .message = str_of(message)
	};
	return commit_text(&arena, &c).p;
}

Test(commit, is_told_in_a_text)
{
	cr_expect_str_eq(text("Me", "http://x", "Done"), "Commit by Me\nhttp://x\n\nDone");
	cr_expect_str_eq(text("Me", "", "Done"), "Commit by Me\n\nDone");
	cr_expect_str_eq(text("", "http://x", "Done"), "http://x\n\nDone");
	cr_expect_str_eq(text(NULL, NULL, "Done"), "Done");
}

Test(commit, has_a_text_of_bounded_length)
{
	char message[60001];
	for (int i = 0; i < 30000; i++)
		memcpy(message + 2 * i, "ä", 2);
	message[60000] = '\0';
	struct commit c = { .author = STR("Me"), .message = str_of(message) };
	struct str s = commit_text(&arena, &c);
	cr_expect_eq(str_count_chars(s), 20000);
	cr_expect(str_is_text(s));
}

Test(commit, comes_from_a_system)
{
	cr_expect_str_eq(commit_type(STR("https://GitHub.com/a/b")), "github");
	cr_expect_str_eq(commit_type(STR("https://gitlab.example/a")), "gitlab");
	cr_expect_str_eq(commit_type(STR("https://bitbucket.org/a")), "bitbucket");
	cr_expect_str_eq(commit_type(STR("https://git.example/a")), "git");
	cr_expect_str_eq(commit_type((struct str){ 0 }), "git");
}
