/* The rules of src/domain: the golden cases in t/domain, in the format described in its README.md. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "domain_case.h"
#include "domain_check.h"
#include "model/model.h"

static const char *root(void)
{
	const char *dir = getenv("srcdir"); /* the source folder, if the build is elsewhere */
	return dir ? dir : ".";
}

/* Scenes ------------------------------------------------------------------------------ */

/* "story 1-3 {…}" */
static void add_objects(
	struct domain_world *w, const struct domain_case *c, const struct domain_line *line)
{
	const struct domain_kind *kind = domain_world_kind(line->word);
	struct str rest = line->rest;
	struct ids ids = domain_case_ids(w->arena, domain_case_word(&rest));
	if (!kind || !ids.n) {
		domain_case_fail(c, line, "neither a kind nor a word, or no id");
		return;
	}
	for (size_t i = 0; i < ids.n; i++) {
		const struct body *values =
			rest.n ? domain_case_json(w->arena, c, line, rest) : NULL;
		const char *fault = domain_world_add(w, kind, ids.v[i], values);
		if (fault)
			domain_case_fail(c, line, "%s", fault);
	}
}

static bool is_word(const struct domain_line *line, const char *words)
{
	struct str rest = str_of(words);
	while (rest.p)
		if (str_equal(str_cut(&rest, ' '), line->word))
			return true;
	return false;
}

/* Reads the lines before the request; `i` ends up after them. */
static void build(struct domain_world *w, const struct domain_case *c, size_t *i)
{
	for (; *i < c->n && !is_word(&c->lines[*i], "POST PUT DELETE"); ++*i) {
		const struct domain_line *line = &c->lines[*i];
		struct str rest = line->rest;
		if (is_word(line, "case about unreachable"))
			continue;
		if (is_word(line, "as"))
			w->me = domain_case_ids(w->arena, domain_case_word(&rest)).v[0];
		else
			add_objects(w, c, line);
	}
	domain_world_finish(w);
}

/* Cases ---------------------------------------------------------------------------------- */

static void play_case(struct arena *a, const struct domain_case *c)
{
	struct domain_world w;
	struct domain_play play;
	struct domain_check check;
	size_t i = 0;
	domain_world_start(&w, a);
	build(&w, c, &i);
	if (i == c->n) {
		domain_case_fail(c, NULL, "no request");
		return;
	}
	struct str rest = c->lines[i].rest, path = domain_case_word(&rest);
	struct body *body = rest.n ? domain_case_json(a, c, &c->lines[i], rest) : NULL;
	const char *fault = domain_scene_play(&w, c->lines[i].word, path, body, &play);
	if (fault) {
		domain_case_fail(c, &c->lines[i], "%s", fault);
		return;
	}
	if (!play.rc)
		domain_world_save(&w, &play.out);
	domain_check_start(&check, c, &play);
	while (++i < c->n)
		domain_check_line(&check, &c->lines[i]);
	domain_check_finish(&check);
}

/* Tables: states of new and of changed stories ---------------------------------------------- */

enum { STATES_MAX = 8, ROWS_MAX = 32 };

struct row {
	struct str type, estimate;
	struct str cells[STATES_MAX];
	const struct domain_line *line;
};

struct table {
	struct arena *a;
	const struct domain_case *c;
	struct str columns[STATES_MAX];
	struct row rows[ROWS_MAX];
	size_t columns_n, rows_n;
};

static void read_row(struct table *t, const struct domain_line *line)
{
	struct str rest = line->rest;
	cr_assert(t->rows_n < ROWS_MAX);
	struct row *row = &t->rows[t->rows_n++];
	row->type = domain_case_word(&rest);
	row->estimate = domain_case_word(&rest);
	row->line = line;
	for (size_t i = 0; i < t->columns_n; i++)
		row->cells[i] = domain_case_word(&rest);
	if (!row->cells[t->columns_n - 1].p || rest.n)
		domain_case_fail(t->c, line, "%zu cells are wanted", t->columns_n);
}

static void read_table(struct table *t)
{
	for (size_t i = 0; i < t->c->n; i++) {
		const struct domain_line *line = &t->c->lines[i];
		struct str rest = line->rest, word;
		if (is_word(line, "columns"))
			while ((word = domain_case_word(&rest)).p && t->columns_n < STATES_MAX)
				t->columns[t->columns_n++] = word;
		else if (is_word(line, "row"))
			read_row(t, line);
	}
}

/* A mark's sentence, with {state} and {type} filled in. */
static struct str fill(struct table *t, struct str text, struct str state, struct str type)
{
	struct buf b = { 0 };
	while (text.p) {
		buf_put_str(&b, str_cut(&text, '{'));
		if (!text.p)
			break;
		struct str name = str_cut(&text, '}');
		buf_put_str(&b, str_equal_z(name, "state") ? state : type);
	}
	struct str filled = arena_str(t->a, buf_str(&b));
	buf_free(&b);
	return filled;
}

/* A cell: "+", or letters; the mark lines of each letter say how the request is refused. */
static void check_cell(struct table *t, const struct row *row, size_t column, struct str how,
	struct domain_play *play)
{
	struct str cell = row->cells[column];
	char name[200];
	snprintf(name, sizeof name, "%.*s %.*s %.*s, %.*s", (int)row->type.n, row->type.p,
		(int)row->estimate.n, row->estimate.p, (int)t->columns[column].n,
		t->columns[column].p, (int)how.n, how.p);
	struct domain_line *begin = (struct domain_line *)(uintptr_t)row->line;
	struct domain_case c = { t->c->file, str_of(name), true, begin, 1 };
	struct domain_check check;
	domain_check_start(&check, &c, play);
	for (size_t n = 0; n < cell.n && !str_equal_z(cell, "+"); n++)
		for (size_t i = 0; i < t->c->n; i++) {
			struct domain_line line = t->c->lines[i];
			if (!is_word(&line, "mark") || line.rest.p[0] != cell.p[n])
				continue;
			domain_case_word(&line.rest);
			line.word = domain_case_word(&line.rest);
			line.rest = fill(t, line.rest, t->columns[column], row->type);
			domain_check_line(&check, &line);
		}
	domain_check_finish(&check);
}

static bool has_estimate(const struct row *row)
{
	return !str_equal_z(row->estimate, "-");
}

/* The row's type, and optionally a state and the row's estimate, as JSON. */
static struct body *story_json(
	struct table *t, const struct row *row, struct str state, bool has_type, bool estimated)
{
	struct str text = STR("");
	const char *problem;
	if (has_type)
		text = arena_printf(t->a, ", \"name\": \"s\", \"story_type\": \"%.*s\"",
			(int)row->type.n, row->type.p);
	if (state.p)
		text = arena_printf(
			t->a, "%s, \"current_state\": \"%.*s\"", text.p, (int)state.n, state.p);
	if (estimated && has_estimate(row))
		text = arena_printf(t->a, "%s, \"estimate\": %.*s", text.p, (int)row->estimate.n,
			row->estimate.p);
	return body_parse(t->a, arena_printf(t->a, "{%s}", text.n ? text.p + 2 : ""), &problem);
}

static void add_accepted_at(struct table *t, struct body *story, struct str state)
{
	if (str_equal_z(state, "accepted"))
		body_append(story, STR("accepted_at"),
			body_new_text(t->a, STR("2024-03-01T00:00:00Z")));
}

/* A request in the table's project, whose only story is the given one (null: there is none). */
static void play_cell(struct table *t, const struct row *row, size_t column, struct str how,
	const struct body *story, struct body *wish)
{
	struct domain_world w;
	struct domain_play play;
	domain_world_start(&w, t->a);
	for (size_t i = 0; i < t->c->n; i++)
		if (is_word(&t->c->lines[i], "project"))
			add_objects(&w, t->c, &t->c->lines[i]);
	if (story)
		domain_world_add(&w, domain_world_kind(STR("story")), 1, story);
	domain_world_finish(&w);
	const char *fault = domain_scene_play(&w, story ? STR("PUT") : STR("POST"),
		story ? STR("stories/1") : STR("stories"), wish, &play);
	cr_assert(!fault, "%s", fault);
	if (!play.rc)
		domain_world_save(&w, &play.out);
	check_cell(t, row, column, how, &play);
}

static void play_table(struct arena *a, const struct domain_case *c)
{
	const struct str none = { 0 };
	struct table t = { .a = a, .c = c };
	read_table(&t);
	for (size_t r = 0; r < t.rows_n; r++)
		for (size_t i = 0; i < t.columns_n; i++) {
			const struct row *row = &t.rows[r];
			struct str to = t.columns[i];
			play_cell(
				&t, row, i, STR("new"), NULL, story_json(&t, row, to, true, true));
			play_cell(&t, row, i, STR("changed"),
				story_json(&t, row, none, true, false),
				story_json(&t, row, to, false, true));
			/* The old state does not matter: from each state to each other. */
			for (size_t from = 0; from < t.columns_n; from++) {
				struct body *old = story_json(&t, row, t.columns[from], true, true);
				if (!str_equal_z(row->cells[from], "+"))
					continue;
				add_accepted_at(&t, old, t.columns[from]);
				play_cell(&t, row, i, t.columns[from], old,
					story_json(&t, row, to, false, false));
			}
		}
	cr_expect(t.rows_n && t.columns_n, "%s: an empty table", c->file);
}

static void play(struct arena *a, const struct domain_case *c)
{
	(c->is_table ? play_table : play_case)(a, c);
}

Test(domain, golden_cases)
{
	char pattern[1024];
	snprintf(pattern, sizeof pattern, "%s/t/domain/*.case", root());
	int cases = domain_case_each(pattern, play);
	cr_expect(cases >= 100, "%d cases", cases);
}
