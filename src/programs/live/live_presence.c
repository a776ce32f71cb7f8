#include "programs/live/live_presence.h"

#include <stdlib.h>

#include "lib/log.h"

static struct live_presence *find(struct live_presences *all, const struct hint *h)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].person == h->person && all->v[i].story == h->story)
			return &all->v[i];
	return NULL;
}

static bool is_full(const struct live_presences *all, int64_t person)
{
	int own = 0;
	for (size_t i = 0; i < all->n; i++)
		own += all->v[i].person == person;
	return all->n == LIVE_PRESENCES_MAX || own == LIVE_PRESENCES_OF_PERSON;
}

static struct live_presence *add(struct live_presences *all, const struct hint *h)
{
	if (all->n == all->cap) {
		all->cap = 2 * all->cap + 4;
		all->v = realloc(all->v, all->cap * sizeof *all->v);
		if (!all->v)
			log_die("out of memory");
	}
	struct live_presence *x = &all->v[all->n++];
	*x = (struct live_presence){ .person = h->person, .story = h->story };
	return x;
}

static bool tell(struct live_presences *all, struct live_presence *x, int64_t now_s)
{
	x->waits = x->told_s == now_s;
	if (x->waits)
		return false;
	x->turn = ++all->turn;
	x->told_s = now_s;
	return true;
}

bool live_presence_take(struct live_presences *all, const struct hint *h, int64_t now_s)
{
	struct live_presence *x = find(all, h);
	if (!x && (h->presence == PRESENCE_GONE || is_full(all, h->person)))
		return false;
	if (!x)
		x = add(all, h);
	bool is_news = x->is != h->presence;
	if (is_news || h->presence != PRESENCE_GONE)
		x->ends_s = now_s + LIVE_PRESENCE_SECONDS;
	x->is = h->presence;
	return is_news && tell(all, x, now_s);
}

bool live_presence_beat(struct live_presences *all, int64_t now_s)
{
	bool is_news = false;
	for (size_t i = 0; i < all->n; i++) {
		struct live_presence *x = &all->v[i];
		bool has_ended = x->ends_s <= now_s;
		if (has_ended && x->is == PRESENCE_GONE && !x->waits) {
			*x = all->v[--all->n];
			i--;
			continue;
		}
		if (has_ended) {
			x->is = PRESENCE_GONE;
			x->waits = true;
			x->ends_s = now_s + LIVE_PRESENCE_SECONDS;
		}
		if (x->waits)
			is_news |= tell(all, x, now_s);
	}
	return is_news;
}

const struct live_presence *live_presence_next(
	const struct live_presences *all, size_t *at, int64_t person, int64_t turn)
{
	while (*at < all->n) {
		const struct live_presence *x = &all->v[(*at)++];
		if (x->turn > turn && x->person != person && (turn >= 0 || x->is != PRESENCE_GONE))
			return x;
	}
	return NULL;
}

void live_presence_free(struct live_presences *all)
{
	free(all->v);
	*all = (struct live_presences){ 0 };
}
