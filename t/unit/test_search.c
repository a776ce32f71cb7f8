/*
 * The search language: the golden cases in t/search/, in the format described in its
 * README.md, and what does not fit into a line there.
 */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/search.h"
#include "search/search_keys.h"
#include "search/search_print.h"

static struct arena arena;
static struct buf buf;
static const char *problem;

static void tidy(void)
{
	arena_free(&arena);
	buf_free(&buf);
}

TestSuite(search, .fini = tidy);

static struct search *parse(struct str query)
{
	problem = "unset";
	struct search *s = search_parse(&arena, query, &problem);
	cr_assert((s == NULL) == (problem != NULL));
	return s;
}

/* The parsed tree in the notation of the golden cases, or the problem. */
static const char *outcome(struct str query)
{
	struct search *s = parse(query);

	if (!s)
		return problem;
	buf_reset(&buf);
	search_print(&buf, s);
	return arena_str(&arena, buf_str(&buf)).p;
}

static void expect(const char *query, const char *wanted)
{
	const char *got = outcome(str_of(query));

	cr_expect_str_eq(got, wanted, "%s", query);
}

/* n times a letter. */
static struct str many(const char *letter, size_t n)
{
	size_t width = strlen(letter);
	char *s = arena_alloc(&arena, n * width + 1);

	for (size_t i = 0; i < n; i++)
		memcpy(s + i * width, letter, width);
	return (struct str){ s, n * width };
}

/* Golden cases. */

/* Calls check with each line's fields, which are separated by tabs; returns the number of cases. */
static int each_case(const char *name, void (*check)(struct str line, struct str *fields))
{
	const char *root = getenv("srcdir");
	char path[4096], *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int cases = 0;

	snprintf(path, sizeof(path), "%s/t/search/%s", root ? root : ".", name);
	FILE *file = fopen(path, "r");
	cr_assert(file, "%s", path);
	while ((n = getline(&line, &cap, file)) > 0) {
		struct str rest = { line, (size_t)n - (line[n - 1] == '\n') };
		struct str whole = rest, fields[3] = { 0 };
		if (rest.n == 0 || (rest.n >= 2 && memcmp(rest.p, "##", 2) == 0))
			continue;
		for (int i = 0; i < 3 && rest.p; i++)
			fields[i] = str_cut(&rest, '\t');
		check(whole, fields);
		cases++;
	}
	free(line);
	fclose(file);
	return cases;
}

static void check_accepted(struct str line, struct str *fields)
{
	struct str got = str_of(outcome(fields[0]));

	cr_expect(str_equal(got, fields[1]), "%.*s\ngot\t%s", (int)line.n, line.p, got.p);
}

static void check_refused(struct str line, struct str *fields)
{
	struct str got = str_of(outcome(fields[0]));
	struct str wanted = arena_printf(&arena, "at character %.*s of the search: %.*s",
		(int)fields[1].n, fields[1].p, (int)fields[2].n, fields[2].p);

	cr_expect(str_equal(got, wanted), "%.*s\ngot\t%s", (int)line.n, line.p, got.p);
}

Test(search, accepts_what_is_well_formed)
{
	cr_expect_geq(each_case("accept.txt", check_accepted), 120);
}

Test(search, refuses_what_is_not_and_says_where)
{
	cr_expect_geq(each_case("refuse.txt", check_refused), 50);
}

/* Bounds. */

Test(search, counts_characters)
{
	cr_expect(parse(many("\xc3\xbc", 30000)));
	cr_expect(parse(many("\xc3\xbc*", 500)));
	cr_expect_not(parse(many("\xc3\xbc*", 501)));
	cr_expect_str_eq(problem,
		"at character 1 of the search: a word with wildcards has at most 1000 characters");
	cr_expect(parse(many(" ", 65536)));
	cr_expect_not(parse(many(" ", 65537)));
	cr_expect_str_eq(
		problem, "at character 65537 of the search: a search can have at most 65536 bytes");
	cr_expect_not(parse(many("\xff", 5000)));
	cr_expect_str_eq(problem, "at character 1 of the search: this is not UTF-8 text");
}

Test(search, bounds_terms)
{
	cr_expect(parse(many("a ", 500)));
	cr_expect_not(parse(many("a ", 501)));
	cr_expect_str_eq(
		problem, "at character 1001 of the search: a search can have at most 500 terms");
	cr_expect_not(parse(many("-(a) ", 501)));
}

Test(search, bounds_depth)
{
	expect("((((((((((((((((((((a))))))))))))))))))))", "(text word \"a\")");
	expect("(((((((((((((((((((((a)))))))))))))))))))))",
		"at character 21 of the search: parentheses are nested more than 20 deep");
	cr_expect(parse(many("(a) ", 100)));
	cr_expect_not(parse(many("(", 1000)));
}

Test(search, bounds_regular_expressions)
{
	struct str longest = many("\xc3\xbc", 202);
	char *s = arena_alloc(&arena, longest.n + 2);

	s[0] = s[401] = '/';
	memcpy(s + 1, longest.p, 400);
	cr_expect(parse((struct str){ s, 402 }));
	memcpy(s + 1, longest.p, 402);
	s[403] = '/';
	cr_expect_not(parse((struct str){ s, 404 }));
	cr_expect_str_eq(problem,
		"at character 1 of the search: a regular expression can have at "
		"most 200 characters");
}

/* Bytes. */

Test(search, parts_terms_at_any_ascii_blank)
{
	expect("a\tb\nc\r\nd\ve\ff",
		"(and (text word \"a\") (text word \"b\") (text word \"c\") "
		"(text word \"d\") (text word \"e\") (text word \"f\"))");
	expect("label:a\n\t+AND+owner:b", "(and (label \"a\") (text word \"+AND+owner:b\"))");
	expect("label:\tx",
		"at character 7 of the search: a value must follow label: without a space");
	expect("a\xc2\xa0"
	       "b",
		"(text word \"a\xc2\xa0"
		"b\")");
	expect("\"a\tb\x01\"", "(text phrase \"a\\x09b\\x01\")");
}

Test(search, refuses_what_is_no_text)
{
	expect("\xc3\xbc b\xc3( c", "at character 4 of the search: this is not UTF-8 text");
	expect("a\xc3", "at character 2 of the search: this is not UTF-8 text");
	expect("\xed\xa0\x80", "at character 1 of the search: this is not UTF-8 text");
	cr_expect_not(parse(STR("a b\0c")));
	cr_expect_str_eq(problem, "at character 4 of the search: this is not UTF-8 text");
}

Test(search, takes_absent_for_empty)
{
	struct search *s = parse((struct str){ NULL, 0 });

	cr_assert(s);
	cr_expect_not(s->root);
	cr_expect_not(s->include_done);
}

/* Values. */

static const struct search_date *date_of(const char *query)
{
	struct search *s = parse(str_of(query));

	cr_assert(s, "%s: %s", query, problem);
	cr_assert_eq(s->root->kind, SEARCH_TERM);
	return &s->root->from;
}

Test(search, keeps_dates_as_they_were_said)
{
	cr_expect_eq(date_of("created:01/02/1970")->moment, SEARCH_DAY);
	cr_expect_eq(date_of("created:01/02/1970")->day, 1);
	cr_expect_eq(date_of("created:1969-12-31")->day, -1);
	cr_expect_eq(date_of("created:1970-01-01T00:00:01.5Z")->moment, SEARCH_INSTANT);
	cr_expect_eq(date_of("created:1970-01-01T00:00:01.5Z")->us, 1500000);
	cr_expect_eq(date_of("created:1970-01-01T01:00:00-01:00")->us, 7200000000);
	cr_expect_eq(date_of("created:1970-01-01T00:00:01")->moment, SEARCH_WALL_CLOCK);
	cr_expect_eq(date_of("created:1970-01-01T00:00:01")->us, 1000000);
	cr_expect_eq(date_of("created:-99999weeks")->moment, SEARCH_WEEKS_AGO);
	cr_expect_eq(date_of("created:-99999weeks")->n, 99999);
	cr_expect_eq(date_of("created:-007d")->n, 7);
	cr_expect_eq(date_of("created:today")->moment, SEARCH_TODAY);
}

Test(search, gives_ids_as_numbers)
{
	struct search *s = parse(STR("id:12,#9223372036854775807"));

	cr_assert(s);
	cr_expect_eq(s->root->values->id, 12);
	cr_expect_eq(s->root->values->next->id, INT64_MAX);
	cr_expect_not(s->root->values->next->next);
}

/* The table of keys. */

/* A value that the key accepts. */
static const char *sample(const struct search_keyword *k)
{
	switch (k->takes) {
	case SEARCH_TAKES_WORD: return k->words->written;
	case SEARCH_TAKES_ESTIMATE:
	case SEARCH_TAKES_ID: return "1";
	case SEARCH_TAKES_DATE: return "today";
	default: return "x";
	}
}

Test(search, knows_each_name_of_each_key)
{
	for (const struct search_keyword *k = search_keywords; k->names[0]; k++) {
		cr_expect(k->doc, "%s", k->names[0]);
		cr_expect_eq(k->words != NULL, k->takes == SEARCH_TAKES_WORD, "%s", k->names[0]);
		for (const char *const *name = k->names; *name; name++) {
			cr_expect_eq(search_keys_find(str_of(*name)), k, "%s twice", *name);
			struct search *s = parse(arena_printf(&arena, "%s:%s", *name, sample(k)));
			cr_assert(s, "%s", problem);
			if (k->key == SEARCH_INCLUDEDONE)
				cr_expect(s->include_done);
			else if (k->is_negated)
				cr_expect_eq(s->root->first->key, k->key);
			else
				cr_expect_eq(s->root->key, k->key, "%s", *name);
		}
	}
}

Test(search, knows_each_word_of_each_key)
{
	for (const struct search_keyword *k = search_keywords; k->names[0]; k++) {
		for (const struct search_word *w = k->words; w && w->written; w++) {
			const char *means = search_keys_word(k->words, str_of(w->written));
			cr_expect_str_eq(means, w->means ? w->means : w->written);
			cr_expect(parse(arena_printf(&arena, "%s:\"%s\"", k->names[0], w->written)),
				"%s", w->written);
		}
	}
}

Test(search, finds_the_nearest_key)
{
	cr_expect_str_eq(search_keys_nearest(STR("reviews")), "review");
	cr_expect_str_eq(search_keys_nearest(STR("REVIEWR")), "reviewer");
	cr_expect_str_eq(search_keys_nearest(STR("updated_afetr")), "updated_after");
	cr_expect_null(search_keys_nearest(STR("http")));
	cr_expect_null(search_keys_nearest(STR("ids")));
	cr_expect_null(search_keys_nearest(STR("")));
	cr_expect_null(search_keys_nearest(many("updated_", 100)));
}
