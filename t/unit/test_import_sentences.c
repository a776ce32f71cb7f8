#include <criterion/criterion.h>
#include <string.h>

#include "db/stmt.h"
#include "domain/arrival.h"
#include "lib/buf.h"
#include "model/model.h"
#include "transfer/merge/overrides.h"
#include "transfer/settle/import_sentences.h"

/* Whether the rules say it about a story that is odd in every possible way. */
static bool is_said_of(struct story *story, const char *name)
{
	const char *says[ARRIVAL_SAYS_MAX];
	const struct arrival_story s = {
		.story = story, .had_accepted_at = true, .had_deadline = true, .was_planned = true
	};
	size_t n = arrival_story_says(&s, res_project.preset, says);
	for (size_t i = 0; i < n; i++)
		if (strcmp(says[i], name) == 0)
			return true;
	return false;
}

static bool is_said_by_a_rule(const char *name)
{
	int64_t owners[100] = { 0 };
	struct story chore = *(const struct story *)res_story.preset, feature = chore;
	chore.story_type = TYPE_CHORE;
	chore.current_state = STATE_DELIVERED;
	chore.estimate = 77;
	chore.owner_ids = (struct ids){ owners, sizeof owners / sizeof *owners };
	feature.story_type = TYPE_FEATURE;
	feature.current_state = STATE_ACCEPTED;
	return is_said_of(&chore, name) || is_said_of(&feature, name) ||
		!strcmp(name, OVERRIDES_BAD_VALUE) || !strcmp(name, OVERRIDES_NO_ITERATION);
}

/* Whether a SQL statement of imports contains the name in quotes. */
static bool is_said_by_a_statement(const char *name)
{
	char quoted[64];
	str_print(quoted, sizeof quoted, "'%s'", name);
	for (int i = 0; i < STMT__MAX; i++)
		if (stmt_texts[i].sql && strncmp(stmt_texts[i].name, "import_", 7) == 0 &&
			strstr(stmt_texts[i].sql, quoted))
			return true;
	return false;
}

Test(import_sentences, each_is_said_and_stands_there_once)
{
	for (int i = 0; i < import_sentences_count; i++) {
		const struct import_sentence *s = &import_sentences[i];
		cr_expect(is_said_by_a_statement(s->name) || is_said_by_a_rule(s->name),
			"nothing says %s", s->name);
		cr_expect_eq(
			import_sentence_of(str_of(s->name)), s, "%s stands there twice", s->name);
	}
}

static struct str value_of(const void *of, const char *name)
{
	(void)of;
	return strcmp(name, "was") == 0 ? STR("12") : (struct str){ 0 };
}

Test(import_sentences, values_stand_in_their_places)
{
	struct buf text = { 0 };
	import_sentence_print(&text, "{was} and {was}: {none}.", value_of, NULL);
	cr_expect(str_equal_z(buf_str(&text), "12 and 12: ."), "%.*s", (int)text.n, text.p);
	buf_free(&text);
}
