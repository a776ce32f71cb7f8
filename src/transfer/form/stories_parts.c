#include "transfer/form/stories_parts.h"

#include "lib/when.h"
#include "model/words.h"
#include "transfer/read/cell.h"
#include "transfer/form/cell_comment.h"

/* Columns that together make one part: the n-th of one role with the n-th of the others. */
struct group {
	enum intake_kind kind;
	enum stories_role roles[3]; /* the text first */
	int n;
	void (*put)(struct stories_row *s, const int *columns);
};

static void put_comment(struct stories_row *s, const int *columns)
{
	struct cell_comment c =
		cell_comment_read(stories_row_cell(s, columns[0]), stories_row_is_name, s);
	record_text(&s->record, "text", c.text);
	stories_row_put_person(s, "person", c.author);
	if (c.is_signed)
		record_when(&s->record, "created_at", &(struct record_when){ .day = c.day });
	else
		record_null(&s->record, "created_at");
}

/* Whether the cell is the word; an unknown one is reported. */
static bool is_word(struct stories_row *s, int column, const char *word, const char *const *others)
{
	struct str cell = str_trim(stories_row_cell(s, column));
	if (str_equal_nocase(cell, str_of(word)))
		return true;
	if (cell.n && cell_word(others, cell) == WORD_NONE)
		stories_row_say(s, INTAKE_CHANGED, column, "unknown_status",
			"an unknown status counts as open");
	return false;
}

static void put_task(struct stories_row *s, const int *columns)
{
	static const char *const others[] = { "not completed", "incomplete", NULL };
	record_text(&s->record, "description", stories_row_cell(s, columns[0]));
	record_bool(&s->record, "complete", is_word(s, columns[1], "completed", others));
}

/* A bare number is a story's id. */
static bool is_bare_id(struct str text)
{
	return text.n >= 5 && text.p[0] != '#' && cell_id(text) != NIL;
}

static void put_blocker(struct stories_row *s, const int *columns)
{
	static const char *const others[] = { "unresolved", "blocked", "not resolved", NULL };
	struct str text = stories_row_cell(s, columns[0]), bare = str_trim(text);
	if (is_bare_id(bare))
		text = arena_printf(&s->record.arena, "#%.*s", (int)bare.n, bare.p);
	record_text(&s->record, "description", text);
	record_bool(&s->record, "resolved", is_word(s, columns[1], "resolved", others));
}

/* The word of a review's status; null if the cell has none. */
static const char *status_of(struct stories_row *s, int column)
{
	struct str cell = str_trim(stories_row_cell(s, column));
	int word = cell_word(words_review_statuses, cell);
	if (word != WORD_NONE)
		return words_review_statuses[word];
	if (str_equal_nocase(cell, STR("passed")))
		return words_review_statuses[REVIEW_PASS];
	if (str_equal_nocase(cell, STR("in review")))
		return words_review_statuses[REVIEW_IN_REVIEW];
	if (cell.n)
		stories_row_say(s, INTAKE_LOST, column, "unknown_status",
			"an unknown status, so the review is unstarted");
	return NULL;
}

static void put_review(struct stories_row *s, const int *columns)
{
	struct str type = str_trim(stories_row_cell(s, columns[0]));
	if (!type.n)
		stories_row_say(s, INTAKE_CHANGED, columns[1], "no_type",
			"a review without a type, which becomes Review");
	record_text(&s->record, "type", type.n ? type : STR("Review"));
	stories_row_put_person(s, "reviewer", stories_row_cell(s, columns[1]));
	record_text(&s->record, "status", str_of(status_of(s, columns[2])));
}

static void put_repo(struct stories_row *s, const struct cell_place *place)
{
	record_text(&s->record, "host_url", place->host_url);
	record_text(&s->record, "owner", place->owner);
	record_text(&s->record, "repo", place->repo);
}

static void put_pull_request(struct stories_row *s, const int *columns)
{
	struct str url = str_trim(stories_row_cell(s, columns[0]));
	struct cell_place place;
	int64_t number;
	if (cell_place(url, "pull", &place) && str_to_int(place.name, &number)) {
		put_repo(s, &place);
		record_int(&s->record, "number", number);
	}
	record_text(&s->record, "original_url", url);
}

static void put_branch(struct stories_row *s, const int *columns)
{
	struct str name = str_trim(stories_row_cell(s, columns[0]));
	struct cell_place place;
	if (cell_place(name, "tree", &place)) {
		put_repo(s, &place);
		record_text(&s->record, "name", place.name);
		record_text(&s->record, "original_url", name);
		return;
	}
	if (s->repo)
		put_repo(s, s->repo);
	record_text(&s->record, "name", name);
}

static const struct group groups[] = {
	{ INTAKE_COMMENT, { STORIES_COMMENT }, 1, put_comment },
	{ INTAKE_TASK, { STORIES_TASK, STORIES_TASK_STATUS }, 2, put_task },
	{ INTAKE_BLOCKER, { STORIES_BLOCKER, STORIES_BLOCKER_STATUS }, 2, put_blocker },
	{ INTAKE_REVIEW, { STORIES_REVIEW_TYPE, STORIES_REVIEWER, STORIES_REVIEW_STATUS }, 3,
		put_review },
	{ INTAKE_PULL_REQUEST, { STORIES_PULL_REQUEST }, 1, put_pull_request },
	{ INTAKE_BRANCH, { STORIES_BRANCH }, 1, put_branch },
};

static bool is_filled(const struct stories_row *s, int column)
{
	return str_trim(stories_row_cell(s, column)).n > 0;
}

/* What is next to an empty text is lost; a review can do without its type. */
static void say_alone(struct stories_row *s, const struct group *g, const int *columns)
{
	for (int i = 1; i < g->n; i++)
		if (is_filled(s, columns[i]))
			stories_row_say(s, INTAKE_LOST, columns[i], "no_text",
				"it is next to an empty cell and is skipped");
}

static enum rc put_part(
	struct stories_row *s, const struct group *g, const int *columns, int64_t position)
{
	stories_row_begin(s);
	record_int(&s->record, s->is_epic ? "epic_id" : "story_id", s->id);
	g->put(s, columns);
	record_int(&s->record, "position", position);
	return stories_row_end(s, g->kind);
}

static bool of_epics(enum intake_kind kind)
{
	return kind == INTAKE_COMMENT || kind == INTAKE_PULL_REQUEST || kind == INTAKE_BRANCH;
}

static enum rc put_group(struct stories_row *s, const struct group *g)
{
	int columns[3];
	int64_t position = 0;
	for (int i = 0; i < 3; i++)
		columns[i] = i < g->n ? s->head.first[g->roles[i]] : -1;
	while (columns[0] >= 0 || columns[1] >= 0 || columns[2] >= 0) {
		bool is_part = is_filled(s, columns[0]) ||
			(g->kind == INTAKE_REVIEW && is_filled(s, columns[1]));
		if (!is_part) {
			say_alone(s, g, columns);
		} else {
			enum rc rc = put_part(s, g, columns, ++position);
			if (rc)
				return rc;
		}
		for (int i = 0; i < 3; i++)
			columns[i] = csv_head_next_cell(&s->head, &s->csv, columns[i]);
	}
	return RC_OK;
}

/* The one repository of all pull requests in the row; false if there is none, or several. */
static bool only_repo(struct stories_row *s, struct cell_place *place)
{
	bool found = false;
	for (int c = s->head.first[STORIES_PULL_REQUEST]; c >= 0;
		c = csv_head_next_cell(&s->head, &s->csv, c)) {
		struct cell_place other;
		if (!cell_place(stories_row_cell(s, c), "pull", &other))
			continue;
		if (found &&
			(!str_equal_nocase(place->host_url, other.host_url) ||
				!str_equal_nocase(place->owner, other.owner) ||
				!str_equal_nocase(place->repo, other.repo)))
			return false;
		*place = other;
		found = true;
	}
	return found;
}

enum rc stories_parts_put(struct stories_row *s)
{
	struct cell_place repo;
	s->repo = only_repo(s, &repo) ? &repo : NULL;
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		if (s->is_epic && !of_epics(groups[i].kind))
			continue;
		enum rc rc = put_group(s, &groups[i]);
		if (rc)
			return rc;
	}
	s->repo = NULL;
	return RC_OK;
}
