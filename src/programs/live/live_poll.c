/*
 * One statement asks about everything that is open. Streams come and go while it runs, so whatever
 * the answer refers to by a number is kept until the answer is taken.
 */
#include <stdlib.h>

#include "lib/log.h"
#include "programs/live/live.h"

enum {
	LOOK_MS = 1000, /* between two looks … */
	SOON_MS = 600,  /* … and at least this, even after a hint: fewer than two a second */
	BLIND_MS =
		20000, /* without an answer for this long, rights may have ended: so streams end */
};

/* The parameters of the statement, in its order. */
enum column {
	PROJECT_ID,
	PROJECT_VERSION,
	CALLER_PERSON,
	CALLER_SESSION,
	CALLER_TOKEN,
	CALLER_DIGEST,
	CALLER_STAMP,
	PAIR_PERSON,
	PAIR_PROJECT,
	PAIR_SESSION,
	PAIR_TOKEN,
	PAIR_MEMBER,
	COLUMNS
};

struct live_poll {
	bool is_asked;
	int64_t asked_ms, next_ms;
	int64_t seen_ms; /* when the last answer came, or the first stream after none */
	struct {
		int64_t *v;
		size_t n, cap;
	} columns[COLUMNS];
	struct live_caller **callers; /* kept while the statement runs */
	size_t n_callers;
};

struct live_poll *live_poll_new(void)
{
	struct live_poll *k = calloc(1, sizeof *k);
	if (!k)
		log_die("out of memory");
	return k;
}

static void drop_callers(struct live *l)
{
	struct live_poll *k = l->look;
	for (size_t i = 0; i < k->n_callers; i++)
		live_watch_drop(l, k->callers[i]);
	free(k->callers);
	k->callers = NULL;
	k->n_callers = 0;
}

void live_poll_free(struct live *l)
{
	drop_callers(l);
	for (int i = 0; i < COLUMNS; i++)
		free(l->look->columns[i].v);
	free(l->look);
}

void live_poll_soon(struct live *l)
{
	int64_t at = l->look->asked_ms + SOON_MS;
	if (at < l->look->next_ms)
		l->look->next_ms = at;
}

/* Asking ---------------------------------------------------------------------------- */

static void *grow(void *p, size_t n, size_t size)
{
	p = realloc(p, n * size);
	if (!p)
		log_die("out of memory");
	return p;
}

static void put(struct live_poll *k, enum column column, int64_t v)
{
	if (k->columns[column].n == k->columns[column].cap) {
		k->columns[column].cap = 2 * k->columns[column].cap + 64;
		k->columns[column].v =
			grow(k->columns[column].v, k->columns[column].cap, sizeof(int64_t));
	}
	k->columns[column].v[k->columns[column].n++] = v;
}

static int64_t credential(const struct live_caller *c, enum ticket_by by)
{
	return c->by == by ? (int64_t)c->credential : 0;
}

static void put_project(void *arg, struct live_node *n)
{
	struct live_poll *k = arg;
	const struct live_project *p = (const struct live_project *)n;
	put(k, PROJECT_ID, p->id);
	put(k, PROJECT_VERSION, p->version);
	for (const struct live_link *x = p->first; x; x = x->after) {
		put(k, PAIR_PERSON, x->stream->caller->person);
		put(k, PAIR_PROJECT, p->id);
		put(k, PAIR_SESSION, credential(x->stream->caller, TICKET_BY_SESSION));
		put(k, PAIR_TOKEN, credential(x->stream->caller, TICKET_BY_TOKEN));
		put(k, PAIR_MEMBER, x->hears_presence);
	}
}

static void put_caller(void *arg, struct live_node *n)
{
	struct live_poll *k = arg;
	struct live_caller *c = (struct live_caller *)n;
	if (!c->first)
		return;
	if (c->first->person->is_doubted)
		c->stamp = 0;
	put(k, CALLER_PERSON, c->person);
	put(k, CALLER_SESSION, credential(c, TICKET_BY_SESSION));
	put(k, CALLER_TOKEN, credential(c, TICKET_BY_TOKEN));
	put(k, CALLER_DIGEST, credential(c, TICKET_BY_API_TOKEN));
	put(k, CALLER_STAMP, c->stamp);
	k->callers = grow(k->callers, k->n_callers + 1, sizeof(struct live_caller *));
	k->callers[k->n_callers++] = c;
	c->refs++;
}

static void ask(struct live *l, int64_t now)
{
	struct live_poll *k = l->look;
	struct db_param params[COLUMNS + 1];
	for (int i = 0; i < COLUMNS; i++)
		k->columns[i].n = 0;
	live_watch_each(&l->projects, put_project, k);
	live_watch_each(&l->callers, put_caller, k);
	for (size_t i = 0; i < k->n_callers; i++)
		k->callers[i]->first->person->is_doubted = false;
	for (int i = 0; i < COLUMNS; i++)
		params[i] = db_ids(&l->arena, k->columns[i].v, k->columns[i].n);
	params[COLUMNS] = db_bool(&l->arena, conf_requires_factor(&l->conf));
	k->is_asked = db_watch_ask(l->db, STMT_LIVE_POLL, COLUMNS + 1, params);
	k->asked_ms = now;
	k->next_ms = now + LOOK_MS;
	if (!k->is_asked)
		drop_callers(l);
}

/* Taking ------------------------------------------------------------------------------ */

static void take_caller(struct live *l, struct live_caller *c, const struct rows *rows, int row)
{
	if (db_get_bool(rows, row, 4)) {
		while (c->first)
			live_stream_close(l, c->first);
		return;
	}
	c->stamp = db_get_int(rows, row, 3);
	c->unread = db_get_int(rows, row, 2);
	for (struct live_stream *s = c->first, *next; s; s = next) {
		next = s->after_of_caller;
		live_stream_tell(l, s);
	}
}

static void take_pair(struct live *l, size_t n)
{
	const struct live_poll *k = l->look;
	int64_t person = k->columns[PAIR_PERSON].v[n];
	int64_t session = k->columns[PAIR_SESSION].v[n], token = k->columns[PAIR_TOKEN].v[n];
	struct live_project *p = live_watch_project(l, k->columns[PAIR_PROJECT].v[n]);
	for (struct live_link *x = p ? p->first : NULL, *next; x; x = next) {
		const struct live_caller *c = x->stream->caller;
		next = x->after;
		if (c->person == person &&
			x->hears_presence == (k->columns[PAIR_MEMBER].v[n] != 0) &&
			credential(c, TICKET_BY_TOKEN) == token &&
			credential(c, TICKET_BY_SESSION) == session)
			live_stream_close(l, x->stream);
	}
}

/* Rights first: a client that may no longer listen does not learn what else is new. */
static void take(struct live *l, const struct rows *rows)
{
	struct live_poll *k = l->look;
	for (int is_last = 0; is_last < 2; is_last++)
		for (int i = 0; i < db_count(rows); i++) {
			struct str what = db_get_text(rows, i, 0);
			int64_t id = db_get_int(rows, i, 1);
			struct live_project *p;
			if ((int)db_get_bool(rows, i, 4) == is_last)
				continue;
			if (str_equal_z(what, "pair"))
				take_pair(l, (size_t)id - 1);
			else if (str_equal_z(what, "caller"))
				take_caller(l, k->callers[id - 1], rows, i);
			else if ((p = live_watch_project(l, id)))
				live_watch_raise(l, p, db_get_int(rows, i, 2));
		}
}

static void close_caller(void *arg, struct live_node *n)
{
	struct live *l = arg;
	struct live_caller *c = (struct live_caller *)n;
	c->refs++;
	while (c->first)
		live_stream_close(l, c->first);
	live_watch_drop(l, c);
}

/* Takes the answer, or ends all streams if there has been none for too long. */
static void take_answer(struct live *l, int64_t now)
{
	struct live_poll *k = l->look;
	const struct rows *rows = k->is_asked ? db_watch_take(l->db) : NULL;
	if (rows) {
		take(l, rows);
		k->seen_ms = now;
	} else if (now > k->seen_ms + BLIND_MS && l->n_streams) {
		log_warn("all streams end: the rights of their people cannot be checked");
		live_watch_each(&l->callers, close_caller, l);
		k->seen_ms = now;
	}
	if (k->is_asked && (rows || db_watch_is_free(l->db) || db_watch_fd(l->db) < 0)) {
		k->is_asked = false;
		drop_callers(l);
	}
}

void live_poll_step(struct live *l)
{
	int64_t now = live_clock_ms();
	struct live_poll *k = l->look;
	if (!l->n_streams && !k->is_asked) {
		k->seen_ms = now;
		return;
	}
	take_answer(l, now);
	if (l->n_streams && !k->is_asked && now >= k->next_ms && db_watch_is_free(l->db) &&
		live_secret_wait(l) != 0)
		ask(l, now);
}

int live_poll_wait(const struct live *l)
{
	int64_t now = live_clock_ms();
	bool is_free = db_watch_is_free(l->db);
	if (l->look->is_asked && is_free)
		return 0;
	if (!l->n_streams || l->look->is_asked || !is_free)
		return -1;
	return l->look->next_ms > now ? (int)(l->look->next_ms - now) : 0;
}
