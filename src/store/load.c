#include "store/load.h"

#include <stdlib.h>
#include <string.h>

#include "domain/activity.h"
#include "lib/log.h"
#include "model/model.h"
#include "store/plan_load.h"

/* Tables of what only rules see -------------------------------------------------- */

static const struct field member_fields[] = {
	{ "id", FT_INT, F_KEY, .doc = "Identifier." },
	{ "name", FT_TEXT, 0, AT(member, name) },
	{ "initials", FT_TEXT, 0, AT(member, initials) },
	{ "username", FT_TEXT, 0, AT(member, username) },
	{ "role", FT_WORD, 0, .words = words_roles, AT(member, role) },
	{ "receives_in_app_notifications", FT_BOOL, 0, AT(member, receives_in_app_notifications) },
};
const struct resource res_member = { "member", RESOURCE_FIELDS(member_fields),
	.size = sizeof(struct member) };

static const struct field mention_fields[] = {
	{ "person_id", FT_INT, F_KEY, .doc = "The person." },
	{ "name", FT_TEXT, 0, AT(mention, name) },
};
const struct resource res_mention = { "mention", RESOURCE_FIELDS(mention_fields),
	.size = sizeof(struct mention) };

#define PLACE(PREFIX, MEMBER)                                                                      \
	{ PREFIX "id", FT_INT, 0, AT(neighbour, MEMBER.id) },                                      \
		{ PREFIX "rank", FT_INT, 0, AT(neighbour, MEMBER.rank) },                          \
		{ PREFIX "section", FT_INT, 0, AT(neighbour, MEMBER.section) },                    \
	{                                                                                          \
		PREFIX "name", FT_TEXT, 0, AT(neighbour, MEMBER.name)                              \
	}
static const struct neighbour neighbour_preset; /* id 0: there is none */
static const struct field neighbour_fields[] = {
	{ "id", FT_INT, F_KEY, .doc = "Identifier." },
	{ "rank", FT_INT, 0, AT(neighbour, self.rank) },
	{ "section", FT_INT, 0, AT(neighbour, self.section) },
	{ "name", FT_TEXT, 0, AT(neighbour, self.name) },
	PLACE("prev_", prev),
	PLACE("next_", next),
};
const struct resource res_neighbour = { "neighbour", RESOURCE_FIELDS(neighbour_fields),
	.size = sizeof(struct neighbour), .preset = &neighbour_preset };

/* Asking --------------------------------------------------------------------------- */

static struct ask *add_ask(struct load *l, enum stmt stmt, int n, const struct db_param *params)
{
	if (l->n == ASKS_MAX)
		log_die("a command loads more than %d things", ASKS_MAX);
	db_send(l->db, stmt, n, params);
	l->asks[l->n] = (struct ask){ .stmt = stmt };
	return &l->asks[l->n++];
}

void load_ask(struct load *l, enum stmt stmt, int n, const struct db_param *params,
	const struct resource *of, struct objects *into)
{
	struct ask *ask = add_ask(l, stmt, n, params);
	ask->of = of;
	ask->into = into;
}

void load_ask_rows(struct load *l, enum stmt stmt, int n, const struct db_param *params,
	void (*take)(struct load *, const struct rows *))
{
	add_ask(l, stmt, n, params)->take = take;
}

static void take_objects(struct load *l, const struct ask *ask, const struct rows *rows)
{
	struct objects list = object_load(l->arena, l->db, ask->of, ask->stmt, rows);
	if (ask->into->n == 0)
		*ask->into = list;
	else
		for (size_t i = 0; i < list.n; i++)
			objects_add(l->arena, ask->into, list.v[i]);
}

enum rc load_take(struct load *l)
{
	for (int i = 0; i < l->n; i++) {
		struct rows *rows;
		enum rc rc = db_next(l->db, &rows);
		if (rc)
			return rc;
		if (l->asks[i].stmt == STMT_LOAD_LABELS_OF_STORY)
			l->labels_of_story = rows;
		if (l->asks[i].take)
			l->asks[i].take(l, rows);
		else if (l->asks[i].into)
			take_objects(l, &l->asks[i], rows);
	}
	l->n = 0;
	return RC_OK;
}

/* The project and who acts --------------------------------------------------------- */

static struct str text_of(const struct rows *rows, const char *name)
{
	int column = db_column(rows, name);
	return column < 0 || db_is_null(rows, 0, column) ? (struct str){ 0 }
							 : db_get_text(rows, 0, column);
}

static int64_t int_of(const struct rows *rows, const char *name)
{
	int column = db_column(rows, name);
	return column < 0 || db_is_null(rows, 0, column) ? NIL : db_get_int(rows, 0, column);
}

static const struct project *project_of(struct load *l, enum stmt stmt, const struct rows *rows)
{
	return object_load(l->arena, l->db, &res_project, stmt, rows).v[0];
}

static void take_project_as(struct load *l, enum stmt stmt, const struct rows *rows)
{
	struct scene *s = l->scene;
	if (db_count(rows) == 0) /* no such project: the rule says so */
		return;
	s->now = l->at ? l->at : db_get_time(rows, 0, db_column(rows, "now"));
	if (int_of(rows, "id") != NIL)
		s->project = project_of(l, stmt, rows);
}

static void take_project(struct load *l, const struct rows *rows)
{
	take_project_as(l, STMT_SCENE_PROJECT, rows);
}

static void take_project_of_story(struct load *l, const struct rows *rows)
{
	take_project_as(l, STMT_SCENE_PROJECT_OF_STORY, rows);
}

struct member *load_me(struct arena *a, const struct rows *rows, struct str role)
{
	struct member *me = arena_alloc(a, sizeof *me);
	me->id = int_of(rows, "person_id");
	me->name = text_of(rows, "me_name");
	me->initials = text_of(rows, "me_initials");
	me->username = text_of(rows, "me_username");
	me->time_zone = text_of(rows, "me_time_zone");
	me->role = role.p ? words_find(words_roles, role.p, role.n) : WORD_NONE;
	return me;
}

static void take_source(struct load *l, const struct rows *rows)
{
	if (db_count(rows))
		l->scene->source = project_of(l, STMT_SCENE_SOURCE, rows);
}

void load_source(struct load *l)
{
	const struct db_param params[] = { l->project, l->story };
	load_ask_rows(l, STMT_SCENE_SOURCE, 2, params, take_source);
}

void load_project(struct load *l)
{
	const struct db_param params[] = { l->project, l->story, l->epic };
	if (l->project.value && l->story.value)
		load_ask_rows(l, STMT_SCENE_PROJECT_OF_STORY, 1, params, take_project_of_story);
	else if (l->project.value)
		load_ask_rows(l, STMT_SCENE_PROJECT_NAMED, 1, params, take_project);
	else
		load_ask_rows(l, STMT_SCENE_PROJECT, 3, params, take_project);
}

void load_take_locked(struct load *l, const struct rows *rows)
{
	int id = db_column(rows, "id");
	for (int i = 0; i < db_count(rows); i++)
		l->locked = ids_with(l->arena, l->locked, db_get_int(rows, i, id));
}

void load_take_projects(struct load *l, const struct rows *rows)
{
	struct objects *to = &l->scene->projects;
	*to = object_load(l->arena, l->db, &res_project, STMT_LOAD_PROJECTS_OF, rows);
	for (size_t i = 0; i < to->n; i++)
		l->stale = l->stale || !ids_have(l->locked, object_id(to->v[i]));
}

static struct str kept(struct load *l, const struct rows *rows, int row, int column)
{
	return db_is_null(rows, row, column) ? (struct str){ 0 }
					     : arena_str(l->arena, db_get_text(rows, row, column));
}

void load_take_names(struct load *l, const struct rows *rows)
{
	int n = db_count(rows), username = db_column(rows, "username");
	struct str *v = arena_array(l->arena, (size_t)n, sizeof *v);
	l->scene->usernames = (struct strs){ v, 0 };
	for (int i = 0; i < n; i++)
		if (!db_is_null(rows, i, username))
			v[l->scene->usernames.n++] = kept(l, rows, i, username);
	if (n > 0)
		l->scene->initials = kept(l, rows, 0, db_column(rows, "initials"));
}

static void take_new_ids(struct load *l, const struct rows *rows)
{
	int64_t *v = arena_array(l->arena, (size_t)db_count(rows) + 1, sizeof *v);
	for (int i = 0; i < db_count(rows); i++)
		v[i] = db_get_int(rows, i, 0);
	for (int i = 0; i < ID_POOLS_MAX; i++)
		if (l->scene->pools[i].of && !l->scene->pools[i].ids.v) {
			l->scene->pools[i].ids = (struct ids){ v, (size_t)db_count(rows) };
			return;
		}
}

void load_new_ids_by(struct load *l, const struct resource *of, enum stmt stmt, int n,
	const struct db_param *params)
{
	int i = 0;
	if (!l->scene->pools)
		l->scene->pools = arena_array(l->arena, ID_POOLS_MAX, sizeof *l->scene->pools);
	while (i < ID_POOLS_MAX && l->scene->pools[i].of)
		i++;
	if (i == ID_POOLS_MAX)
		log_die("a command makes objects of more than %d kinds", ID_POOLS_MAX);
	l->scene->pools[i].of = of;
	load_ask_rows(l, stmt, n, params, take_new_ids);
}

void load_new_ids(struct load *l, const struct resource *of, size_t n)
{
	const struct db_param params[] = {
		db_text(l->arena,
			of->sequence ? str_of(of->sequence)
				     : arena_printf(l->arena, "%s_id_seq", of->table)),
		db_text(l->arena, arena_printf(l->arena, "%zu", n)),
	};
	if (n)
		load_new_ids_by(l, of, STMT_NEW_IDS, 2, params);
}

/* Stories ---------------------------------------------------------------------------- */

void load_story(struct load *l, int64_t id, bool placed)
{
	struct db_param param = db_int(l->arena, id);
	load_ask(l, placed ? STMT_LOAD_STORY_PLACED : STMT_LOAD_STORY, 1, &param, &res_story,
		&l->scene->stories);
}

static void take_order(struct load *l, const struct rows *rows)
{
	struct order *o = &l->scene->order;
	int which = db_column(rows, "which"), at_column = db_column(rows, "at"),
	    section = db_column(rows, "section"), id = db_column(rows, "id"),
	    rank = db_column(rows, "rank"), name = db_column(rows, "name");
	for (int i = 0; i < db_count(rows); i++) {
		int64_t at = db_get_int(rows, i, at_column), kind = db_get_int(rows, i, which);
		struct place *to = kind == 0 ? &o->first[at]
			: kind == 1          ? &o->last[at]
			: kind == 2          ? &o->done_before
					     : &o->done_after;
		*to = (struct place){ db_get_int(rows, i, id), db_get_int(rows, i, rank),
			db_get_int(rows, i, section), db_get_text(rows, i, name) };
	}
}

void load_order(struct load *l, int64_t story, int64_t accepted_at)
{
	const struct db_param params[] = { l->project, db_int_or_null(l->arena, story, NIL) };
	load_ask_rows(l, STMT_LOAD_ORDER, 2, params, take_order);
	load_order_accepted(l, story, accepted_at);
}

void load_order_accepted(struct load *l, int64_t story, int64_t accepted_at)
{
	int64_t at = accepted_at != NIL ? accepted_at : l->at;
	const struct db_param params[] = { l->project, db_int_or_null(l->arena, story, NIL),
		at ? db_time(l->arena, at) : db_null() };
	load_ask_rows(l, STMT_LOAD_ORDER_ACCEPTED, 3, params, take_order);
}

void load_section_border(struct load *l, int64_t project, int64_t story, int border)
{
	const struct db_param params[] = { db_int(l->arena, project),
		db_int(l->arena, story == NIL ? 0 : story), db_int(l->arena, border) };
	load_ask_rows(l, STMT_LOAD_SECTION_BORDER, 3, params, take_order);
}

static void take_beside(struct load *l, const struct rows *rows)
{
	struct story *s = objects_find(&l->scene->stories, l->scene->story->id);
	s->before_id = int_of(rows, "before_id");
	s->after_id = int_of(rows, "after_id");
}

void load_adjacent(struct load *l)
{
	const struct story *s = l->scene->story;
	const struct db_param params[] = { db_int(l->arena, s->project_id), db_int(l->arena, s->id),
		db_int(l->arena, scene_section(s->current_state)), db_int(l->arena, s->rank) };
	load_ask_rows(l, STMT_LOAD_ADJACENT, 4, params, take_beside);
}

static void take_current_iteration(struct load *l, const struct rows *rows)
{
	struct plan_project p = { 0 };
	if (db_count(rows))
		plan_load_read_project(l->arena, rows, 0, &p);
	l->scene->current_iteration = p.days.current;
}

void load_current_iteration(struct load *l, int64_t project)
{
	struct db_param id = db_ids(l->arena, &project, 1);
	load_ask_rows(l, STMT_PLANNING_PROJECTS, 1, &id, take_current_iteration);
}

void load_neighbours(struct load *l, int64_t story, struct ids ids)
{
	const struct db_param params[] = { l->project, db_int_or_null(l->arena, story, NIL),
		db_ids(l->arena, ids.v, ids.n) };
	if (ids.n)
		load_ask(l, STMT_LOAD_NEIGHBOURS, 3, params, &res_neighbour, &l->scene->neighbours);
}

void load_order_without(struct load *l, struct ids moved, struct ids neighbours)
{
	const struct db_param params[] = { l->project, db_ids(l->arena, moved.v, moved.n),
		db_ids(l->arena, neighbours.v, neighbours.n) };
	load_ask_rows(l, STMT_LOAD_ORDER_WITHOUT, 2, params, take_order);
	if (neighbours.n)
		load_ask(l, STMT_LOAD_NEIGHBOURS_WITHOUT, 3, params, &res_neighbour,
			&l->scene->neighbours);
}

/* Tasks, labels and people -------------------------------------------------------------------- */

void load_labels_of_story(struct load *l)
{
	load_ask(l, STMT_LOAD_LABELS_OF_STORY, 1, &l->story, &res_label, &l->scene->labels);
}

void load_tasks(struct load *l)
{
	load_ask(l, STMT_LOAD_TASKS, 1, &l->story, &res_task, &l->scene->tasks);
}

void load_labels(struct load *l, struct ids ids, struct strs names)
{
	if (ids.n) {
		struct db_param param = db_ids(l->arena, ids.v, ids.n);
		load_ask(l, STMT_LOAD_LABELS, 1, &param, &res_label, &l->scene->labels);
	}
	if (names.n) {
		const struct db_param params[] = { l->project, l->story,
			db_texts(l->arena, names.v, names.n) };
		load_ask(l, STMT_LOAD_LABELS_NAMED, 3, params, &res_label, &l->scene->labels);
	}
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static int compare_names(const void *a, const void *b)
{
	const struct str *x = a, *y = b;
	for (size_t i = 0; i < x->n && i < y->n; i++)
		if (small(x->p[i]) != small(y->p[i]))
			return small(x->p[i]) < small(y->p[i]) ? -1 : 1;
	return (x->n > y->n) - (x->n < y->n);
}

/* All names in the texts, each once. */
static struct strs names_in(struct arena *a, struct strs texts)
{
	struct str *v = NULL;
	size_t n = 0, room = 0, once = 0;
	for (size_t i = 0; i < texts.n; i++) {
		struct strs names = news_names(a, texts.v[i]);
		if (n + names.n > room) {
			room = 2 * (n + names.n);
			struct str *grown = arena_array(a, room, sizeof *grown);
			if (n)
				memcpy(grown, v, n * sizeof *v);
			v = grown;
		}
		if (names.n)
			memcpy(v + n, names.v, names.n * sizeof *v);
		n += names.n;
	}
	if (n)
		qsort(v, n, sizeof *v, compare_names);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || compare_names(&v[i], &v[once - 1]) != 0)
			v[once++] = v[i];
	return (struct strs){ v, once };
}

void load_concerned(struct load *l)
{
	load_ask(l, STMT_LOAD_CONCERNED, 1, &l->story, &res_member, &l->scene->members);
}

void load_members(
	struct load *l, struct ids ids, struct strs texts, bool concerned, struct ids stories)
{
	struct strs names = names_in(l->arena, texts);
	if (ids.n == 0 && names.n == 0 && !concerned && stories.n == 0)
		return;
	const struct db_param params[] = { l->project, l->story, l->epic,
		db_ids(l->arena, ids.v, ids.n), db_texts(l->arena, names.v, names.n),
		db_ids(l->arena, stories.v, stories.n), db_bool(l->arena, concerned) };
	load_ask(l, STMT_LOAD_MEMBERS, 7, params, &res_member, &l->scene->members);
	const struct db_param named[] = { l->project, l->story, l->epic, params[4] };
	if (names.n)
		load_ask(l, STMT_LOAD_MENTIONS, 4, named, &res_mention, &l->scene->mentions);
}
