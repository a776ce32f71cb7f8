#include "transfer/merge/story_remarks.h"

#include <math.h>
#include <string.h>

#include "domain/arrival.h"
#include "model/model.h"
#include "model/words.h"

struct telling {
	struct arena arena; /* of one story */
	struct project project;
};

/* A story and its row, for the values of a sentence. */
struct told {
	struct arena *arena;
	const struct story *story;
	const struct project *project;
	struct str accepted, deadline; /* as in the files; null: they have none */
};

static struct str value_of(const void *of, const char *name)
{
	const struct told *t = of;
	const struct story *s = t->story;
	if (strcmp(name, "type") == 0)
		return str_of(words_story_types[s->story_type]);
	if (strcmp(name, "state") == 0)
		return str_of(words_story_states[s->current_state]);
	if (strcmp(name, "estimate") == 0)
		return arena_printf(t->arena, "%.15g", s->estimate);
	if (strcmp(name, "owners") == 0)
		return arena_printf(t->arena, "%zu", s->owner_ids.n);
	if (strcmp(name, "scale") == 0)
		return t->project->point_scale;
	return strcmp(name, "accepted") == 0 ? t->accepted : t->deadline;
}

static bool flag(const struct rows *rows, int row, const char *column)
{
	return db_get_bool(rows, row, db_column(rows, column));
}

static struct str text(const struct rows *rows, int row, const char *column)
{
	int c = db_column(rows, column);
	return db_is_null(rows, row, c) ? (struct str){ 0 } : db_get_text(rows, row, c);
}

static int word(const struct rows *rows, int row, const char *column, const char *const *words)
{
	struct str s = text(rows, row, column);
	return words_find(words, s.p, s.n);
}

/* The fields that matter here. */
static struct story story_of(struct arena *a, const struct rows *rows, int row)
{
	int estimate = db_column(rows, "estimate");
	return (struct story){ .id = db_get_int(rows, row, db_column(rows, "id")),
		.story_type = word(rows, row, "story_type", words_story_types),
		.current_state = word(rows, row, "current_state", words_story_states),
		.estimate =
			db_is_null(rows, row, estimate) ? NAN : db_get_float(rows, row, estimate),
		.owner_ids = object_ids(a, rows, row, db_column(rows, "owner_ids")) };
}

static void tell(struct import_context *w, const struct rows *rows, int row, void *to)
{
	struct telling *t = to;
	const struct story story = story_of(&t->arena, rows, row);
	const struct told told = { &t->arena, &story, &t->project, text(rows, row, "accepted"),
		text(rows, row, "deadline") };
	const struct arrival_story s = { .story = &story,
		.has_name = flag(rows, row, "has_name"),
		.had_accepted_at = told.accepted.p,
		.had_deadline = told.deadline.p,
		.was_planned = flag(rows, row, "is_on_top"),
		.is_exact = w->is_whole };
	const char *says[ARRIVAL_SAYS_MAX];
	size_t n = arrival_story_says(&s, &t->project, says);
	for (size_t i = 0; i < n; i++)
		context_say(
			w, str_of(says[i]), context_place(rows, row), story.id, value_of, &told);
	arena_reset(&t->arena);
}

static enum rc load_project(struct import_context *w, struct project *p)
{
	struct rows *rows;
	enum rc rc = context_rows(w, STMT_IMPORT_WRITTEN_PROJECT, 0, NULL, &rows);
	if (rc)
		return rc;
	*p = *(const struct project *)res_project.preset;
	p->point_scale = arena_str(w->arena, text(rows, 0, "point_scale"));
	p->bugs_and_chores_are_estimatable = flag(rows, 0, "bugs_and_chores_are_estimatable");
	return RC_OK;
}

enum rc story_remarks_tell(struct import_context *w)
{
	struct telling t = { 0 };
	enum rc rc = load_project(w, &t.project);
	if (!rc)
		rc = context_walk(w, stmt_texts[STMT_IMPORT_WRITTEN_STORIES].sql, tell, &t);
	arena_free(&t.arena);
	return rc;
}
