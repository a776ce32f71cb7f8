#include "search/search_keys.h"

static const struct search_word types[] = {
	{ "feature", NULL },
	{ "bug", NULL },
	{ "chore", NULL },
	{ "release", NULL },
	{ NULL, NULL },
};

static const struct search_word states[] = {
	{ "unscheduled", NULL },
	{ "unstarted", NULL },
	{ "planned", NULL },
	{ "started", NULL },
	{ "finished", NULL },
	{ "delivered", NULL },
	{ "accepted", NULL },
	{ "rejected", NULL },
	{ NULL, NULL },
};

const struct search_word search_review_statuses[] = {
	{ "unstarted", NULL },
	{ "in_review", NULL },
	{ "in review", "in_review" },
	{ "pass", NULL },
	{ "revise", NULL },
	{ NULL, NULL },
};

static const struct search_word conditions[] = {
	{ "blocked", NULL },
	{ "blocking", NULL },
	{ "following", NULL },
	{ NULL, NULL },
};

/* The first one does not apply to no:, which begins at the second. */
static const struct search_word possessions[] = {
	{ "external_id", NULL },
	{ "blocked", NULL },
	{ "blocker", NULL },
	{ "blockers", "blocker" },
	{ "blocking", NULL },
	{ "label", NULL },
	{ "labels", "label" },
	{ "owner", NULL },
	{ "attachment", NULL },
	{ "epic", NULL },
	{ "epics", "epic" },
	{ NULL, NULL },
};

static const struct search_word truths[] = {
	{ "true", NULL },
	{ "false", NULL },
	{ NULL, NULL },
};

/* clang-format off */
const struct search_keyword search_keywords[] = {
	{ { "name" }, SEARCH_NAME, SEARCH_TAKES_TEXT,
	  .doc = "Text in the title only." },
	{ { "label" }, SEARCH_LABEL, SEARCH_TAKES_NAME, .none = "label",
	  .doc = "Stories with the label; \"\" finds those without labels." },
	{ { "epic", "epics" }, SEARCH_EPIC, SEARCH_TAKES_NAME, .none = "epic",
	  .doc = "Stories of the epic with this name; \"\" finds those in no epic." },
	{ { "type", "story_type" }, SEARCH_TYPE, SEARCH_TAKES_WORD, .is_list = true, .words = types,
	  .doc = "Stories of one of the types." },
	{ { "state", "current_state" }, SEARCH_STATE, SEARCH_TAKES_WORD, .is_list = true,
	  .words = states, .doc = "Stories in one of the states." },
	{ { "estimate" }, SEARCH_ESTIMATE, SEARCH_TAKES_ESTIMATE,
	  .doc = "Stories with this number of points; -1 finds those without an estimate." },
	{ { "requester", "requested_by" }, SEARCH_REQUESTER, SEARCH_TAKES_LITERAL,
	  .doc = "Stories that the person requested." },
	{ { "owner", "owned_by" }, SEARCH_OWNER, SEARCH_TAKES_LITERAL, .none = "owner",
	  .doc = "Stories that the person owns; \"\" finds those without an owner." },
	{ { "mywork" }, SEARCH_MYWORK, SEARCH_TAKES_LITERAL,
	  .doc = "Stories that the person owns and that are in progress, not accepted." },
	{ { "reviewer" }, SEARCH_REVIEWER, SEARCH_TAKES_LITERAL,
	  .doc = "Stories that the person reviews." },
	{ { "review" }, SEARCH_REVIEW, SEARCH_TAKES_REVIEW,
	  .doc = "Stories with a review of the type; \"type&status\" also requires that status." },
	{ { "review_status" }, SEARCH_REVIEW_STATUS, SEARCH_TAKES_WORD,
	  .words = search_review_statuses, .doc = "Stories with a review in this status." },
	{ { "is" }, SEARCH_IS, SEARCH_TAKES_WORD, .words = conditions,
	  .doc = "Stories that are blocked, that block another one, or that you follow." },
	{ { "has" }, SEARCH_HAS, SEARCH_TAKES_WORD, .words = possessions,
	  .doc = "Stories that have at least one of these." },
	{ { "no" }, SEARCH_HAS, SEARCH_TAKES_WORD, .is_negated = true, .words = possessions + 1,
	  .doc = "Stories that have none of these." },
	{ { "id" }, SEARCH_ID, SEARCH_TAKES_ID, .is_list = true,
	  .doc = "The stories with these ids." },
	{ { "external_id" }, SEARCH_EXTERNAL_ID, SEARCH_TAKES_LITERAL, .is_list = true,
	  .doc = "Stories created from these items of another system." },
	{ { "integration" }, SEARCH_INTEGRATION, SEARCH_TAKES_LITERAL, .is_list = true,
	  .doc = "Stories of the integrations with these names." },
	{ { "created", "created_on" }, SEARCH_CREATED, SEARCH_TAKES_DATE, SEARCH_ON,
	  .doc = "Stories created on the date, or in a range of dates." },
	{ { "created_since", "created_after" }, SEARCH_CREATED, SEARCH_TAKES_DATE, SEARCH_SINCE,
	  .doc = "Stories created on the date or later." },
	{ { "created_before" }, SEARCH_CREATED, SEARCH_TAKES_DATE, SEARCH_BEFORE,
	  .doc = "Stories created before the date." },
	{ { "updated", "updated_on" }, SEARCH_UPDATED, SEARCH_TAKES_DATE, SEARCH_ON,
	  .doc = "Stories last changed on the date, or in a range of dates." },
	{ { "updated_since", "updated_after", "modified_since" }, SEARCH_UPDATED, SEARCH_TAKES_DATE,
	  SEARCH_SINCE, .doc = "Stories last changed on the date or later." },
	{ { "updated_before" }, SEARCH_UPDATED, SEARCH_TAKES_DATE, SEARCH_BEFORE,
	  .doc = "Stories last changed before the date." },
	{ { "accepted", "accepted_on" }, SEARCH_ACCEPTED, SEARCH_TAKES_DATE, SEARCH_ON,
	  .doc = "Stories accepted on the date, or in a range of dates." },
	{ { "accepted_since", "accepted_after" }, SEARCH_ACCEPTED, SEARCH_TAKES_DATE, SEARCH_SINCE,
	  .doc = "Stories accepted on the date or later." },
	{ { "accepted_before" }, SEARCH_ACCEPTED, SEARCH_TAKES_DATE, SEARCH_BEFORE,
	  .doc = "Stories accepted before the date." },
	{ { "includedone" }, SEARCH_INCLUDEDONE, SEARCH_TAKES_WORD, .words = truths,
	  .doc = "Whether stories of done iterations are found, too; applies to the whole search." },
	{ { NULL }, SEARCH__KEYS, SEARCH_TAKES_TEXT, .doc = NULL },
};
/* clang-format on */

const struct search_keyword *search_keys_find(struct str name)
{
	for (const struct search_keyword *k = search_keywords; k->names[0]; k++) {
		for (const char *const *n = k->names; *n; n++) {
			if (str_equal_nocase(name, str_of(*n)))
				return k;
		}
	}
	return NULL;
}

const char *search_keys_word(const struct search_word *words, struct str written)
{
	for (const struct search_word *w = words; w->written; w++) {
		if (str_equal_nocase(written, str_of(w->written)))
			return w->means ? w->means : w->written;
	}
	return NULL;
}

enum { MAX_WORD = 20 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return str_equal_nocase((struct str){ &a, 1 }, (struct str){ &b, 1 });
}

/*
 * How many letters must be added, dropped, changed or swapped with their neighbour to turn a into
 * b; both are at most MAX_WORD long.
 */
static size_t distance(struct str a, struct str b)
{
	size_t d[MAX_WORD + 1][MAX_WORD + 1];

	for (size_t i = 0; i <= a.n; i++) {
		for (size_t j = 0; j <= b.n; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = i + j;
				continue;
			}
			size_t changed = d[i - 1][j - 1] + !same(a.p[i - 1], b.p[j - 1]);
			d[i][j] = least(changed, least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && same(a.p[i - 1], b.p[j - 2]) &&
				same(a.p[i - 2], b.p[j - 1]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[a.n][b.n];
}

/*
 * The distance of `typed` from a word that it may be a misspelling of, otherwise SIZE_MAX: one slip
 * in a short word, two in a longer one, none in a word of three letters.
 */
static size_t nearness(struct str typed, const char *word)
{
	struct str w = str_of(word);

	if (w.n < 4 || w.n > MAX_WORD || typed.n > MAX_WORD)
		return SIZE_MAX;
	size_t d = distance(typed, w);
	return d <= (w.n < 6 ? 1 : 2) ? d : SIZE_MAX;
}

const char *search_keys_nearest(struct str name)
{
	size_t best = SIZE_MAX;
	const char *nearest = NULL;

	for (const struct search_keyword *k = search_keywords; k->names[0]; k++) {
		for (const char *const *n = k->names; *n; n++) {
			size_t d = nearness(name, *n);
			if (d < best) {
				best = d;
				nearest = *n;
			}
		}
	}
	return nearest;
}

const char *search_keys_nearest_word(const struct search_word *words, struct str written)
{
	size_t best = SIZE_MAX;
	const char *nearest = NULL;

	for (const struct search_word *w = words; w->written; w++) {
		size_t d = nearness(written, w->written);
		if (d < best) {
			best = d;
			nearest = w->written;
		}
	}
	return nearest;
}
