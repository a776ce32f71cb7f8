#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "programs/live/live.h"

/* Tables -------------------------------------------------------------------------- */

static struct live_node **place(struct live_table *t, uint64_t key)
{
	return &t->buckets[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
}
_Static_assert(LIVE_BUCKETS == 1 << 12, "12 bits choose a bucket");

static struct live_node *find(struct live_table *t, uint64_t key)
{
	struct live_node *n = *place(t, key);
	while (n && n->key != key)
		n = n->next;
	return n;
}

static void *make(size_t size)
{
	void *p = calloc(1, size);
	if (!p)
		log_die("out of memory");
	return p;
}

static void *add(struct live_table *t, uint64_t key, size_t size)
{
	struct live_node *n = make(size), **at = place(t, key);
	n->key = key;
	n->next = *at;
	*at = n;
	return n;
}

static void take_out(struct live_table *t, struct live_node *n)
{
	struct live_node **at = place(t, n->key);
	while (*at != n)
		at = &(*at)->next;
	*at = n->next;
	free(n);
}

void live_watch_each(struct live_table *t, void (*each)(void *arg, struct live_node *), void *arg)
{
	for (int i = 0; i < LIVE_BUCKETS; i++)
		for (struct live_node *n = t->buckets[i], *next; n; n = next) {
			next = n->next;
			each(arg, n);
		}
}

/* Those who hold streams ------------------------------------------------------------ */

bool live_watch_claim(struct live_table *t, uint64_t key, int64_t most, struct live_holder **holder)
{
	struct live_holder *h = (struct live_holder *)find(t, key);
	if (h && h->n >= most)
		return false;
	if (!h)
		h = add(t, key, sizeof *h);
	h->n++;
	*holder = h;
	return true;
}

void live_watch_release(struct live_table *t, struct live_holder *holder)
{
	if (holder && --holder->n == 0)
		take_out(t, &holder->node);
}

/* Projects ------------------------------------------------------------------------------ */

struct live_project *live_watch_project(struct live *l, int64_t id)
{
	return (struct live_project *)find(&l->projects, (uint64_t)id);
}

/* A new project starts with the ticket's version; live_watch_join() raises that of a known one. */
static void link_project(
	struct live *l, struct live_stream *s, struct live_link *k, const struct ticket_place *x)
{
	struct live_project *p = live_watch_project(l, x->project);
	if (!p) {
		p = add(&l->projects, (uint64_t)x->project, sizeof *p);
		p->id = x->project;
		p->version = x->version;
	}
	*k = (struct live_link){ .stream = s,
		.project = p,
		.after = p->first,
		.told = -1,
		.hears_presence = x->hears_presence,
		.told_turn = -1 };
	if (p->first)
		p->first->before = k;
	p->first = k;
}

static void unlink_project(struct live *l, struct live_link *k)
{
	struct live_project *p = k->project;
	if (k->before)
		k->before->after = k->after;
	else
		p->first = k->after;
	if (k->after)
		k->after->before = k->before;
	if (p->first)
		return;
	live_presence_free(&p->present);
	take_out(&l->projects, &p->node);
}

/*
 * Tells all of a project's streams. Those that cannot be told are closed; the project goes with the
 * last one.
 */
static void tell(struct live *l, struct live_project *p)
{
	for (struct live_link *k = p->first, *next; k; k = next) {
		next = k->after;
		if (k->stream->is_open)
			live_stream_tell(l, k->stream);
	}
}

void live_watch_raise(struct live *l, struct live_project *p, int64_t version)
{
	p->version = version;
	tell(l, p);
}

void live_watch_meet(struct live *l, const struct hint *h)
{
	struct live_project *p = live_watch_project(l, h->id);
	if (p && live_presence_take(&p->present, h, l->second))
		tell(l, p);
}

static struct buf due; /* ids of projects with news */

static void beat(void *arg, struct live_node *n)
{
	const struct live *l = arg;
	struct live_project *p = (struct live_project *)n;
	if (live_presence_beat(&p->present, l->second))
		buf_put(&due, &p->id, sizeof p->id);
}

/*
 * Telling a stream may close it, and projects go with their streams: so collect those with news
 * first.
 */
void live_watch_beat(struct live *l)
{
	due.n = 0;
	live_watch_each(&l->projects, beat, l);
	for (size_t at = 0; at < due.n; at += sizeof(int64_t)) {
		int64_t id;
		memcpy(&id, due.p + at, sizeof id);
		struct live_project *p = live_watch_project(l, id);
		if (p)
			tell(l, p);
	}
}

/* Callers --------------------------------------------------------------------------------- */

static uint64_t key_of(const struct ticket *t)
{
	return t->credential ^ (uint64_t)t->by << 56 ^ (uint64_t)t->person << 32;
}

static bool is_same(const struct live_caller *c, const struct ticket *t)
{
	return c->person == t->person && c->by == t->by && c->credential == t->credential;
}

static struct live_caller *caller_of(struct live *l, const struct ticket *t)
{
	struct live_node *n = find(&l->callers, key_of(t));
	while (n && !(n->key == key_of(t) && is_same((struct live_caller *)n, t)))
		n = n->next;
	struct live_caller *c = (struct live_caller *)n;
	if (!c) {
		c = add(&l->callers, key_of(t), sizeof *c);
		c->person = t->person;
		c->by = t->by;
		c->credential = t->credential;
		c->unread = t->unread;
	}
	c->refs++;
	return c;
}

void live_watch_drop(struct live *l, struct live_caller *c)
{
	if (--c->refs == 0)
		take_out(&l->callers, &c->node);
}

void live_watch_doubt(struct live *l, int64_t person)
{
	struct live_holder *h = (struct live_holder *)find(&l->people, (uint64_t)person);
	if (!h)
		return;
	h->is_doubted = true;
	live_poll_soon(l);
}

/* Streams ------------------------------------------------------------------------------------ */

void live_watch_join(struct live *l, struct live_stream *s, const struct ticket *t)
{
	struct live_caller *c = caller_of(l, t);
	s->caller = c;
	s->told_unread = -1;
	s->after_of_caller = c->first;
	if (c->first)
		c->first->before_of_caller = s;
	c->first = s;
	s->links = make((t->n_places + 1) * sizeof *s->links);
	for (; s->n_links < t->n_places; s->n_links++)
		link_project(l, s, &s->links[s->n_links], &t->places[s->n_links]);
	for (size_t i = 0; i < t->n_places; i++)
		if (s->links[i].project->version < t->places[i].version)
			live_watch_raise(l, s->links[i].project, t->places[i].version);
}

void live_watch_leave(struct live *l, struct live_stream *s)
{
	for (size_t i = 0; i < s->n_links; i++)
		unlink_project(l, &s->links[i]);
	free(s->links);
	if (!s->caller)
		return;
	if (s->before_of_caller)
		s->before_of_caller->after_of_caller = s->after_of_caller;
	else
		s->caller->first = s->after_of_caller;
	if (s->after_of_caller)
		s->after_of_caller->before_of_caller = s->before_of_caller;
	live_watch_drop(l, s->caller);
}
