#include "store/save.h"

/* One row for each person who is notified of each item, column by column. */
struct news_rows {
	int64_t *projects, *accounts, *people, *stories, *epics, *comments, *attachments;
	struct str *types, *actions, *messages, *contexts, *story_names, *epic_names;
	size_t n;
};

static void add_news(struct news_rows *r, const struct news *n, int64_t person)
{
	r->projects[r->n] = n->project_id;
	r->accounts[r->n] = n->account_id;
	r->people[r->n] = person;
	r->types[r->n] = str_of(n->type);
	r->actions[r->n] = str_of(n->action);
	r->messages[r->n] = n->message;
	r->contexts[r->n] = n->context;
	r->stories[r->n] = n->story_id;
	r->story_names[r->n] = n->story_name;
	r->epics[r->n] = n->epic_id;
	r->epic_names[r->n] = n->epic_name;
	r->comments[r->n] = n->comment_id;
	r->attachments[r->n++] = n->attachments;
}

static struct news_rows news_rows(struct arena *a, const struct news *news)
{
	size_t n = 0;
	for (const struct news *x = news; x; x = x->next)
		n += x->people.n;
	struct news_rows r = { 0 };
	int64_t **ids[] = { &r.projects, &r.accounts, &r.people, &r.stories, &r.epics, &r.comments,
		&r.attachments };
	struct str **texts[] = { &r.types, &r.actions, &r.messages, &r.contexts, &r.story_names,
		&r.epic_names };
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		*ids[i] = arena_array(a, n, sizeof **ids[i]);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		*texts[i] = arena_array(a, n, sizeof **texts[i]);
	for (const struct news *x = news; x; x = x->next)
		for (size_t i = 0; i < x->people.n; i++)
			add_news(&r, x, x->people.v[i]);
	return r;
}

void save_news(struct save *save, int64_t performer, int64_t now, const struct news *news)
{
	struct arena *a = save->arena;
	struct news_rows r = news_rows(a, news);
	if (r.n == 0)
		return;
	const struct db_param people = db_ids(a, r.people, r.n);
	save_send(save, STMT_SAVE_LOCK_RECIPIENTS, 1, &people);
	const struct db_param params[] = { db_ids_or_null(a, r.projects, r.n, NIL),
		db_int_or_null(save->arena, performer, NIL), people, db_texts(a, r.types, r.n),
		db_texts(a, r.actions, r.n), db_texts(a, r.messages, r.n),
		db_texts(a, r.contexts, r.n), db_ids_or_null(a, r.stories, r.n, NIL),
		db_texts(a, r.story_names, r.n), db_ids_or_null(a, r.epics, r.n, NIL),
		db_texts(a, r.epic_names, r.n), db_ids_or_null(a, r.comments, r.n, NIL),
		db_ids_or_null(a, r.attachments, r.n, NIL), db_time(a, now), db_bool(a, save->mail),
		db_ids_or_null(a, r.accounts, r.n, NIL) };
	save_send(save, STMT_SAVE_NEWS, 16, params);
	for (size_t i = 0; i < r.n; i++)
		db_hint(save->db, HINT_PERSON, r.people[i], 0);
}
