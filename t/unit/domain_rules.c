/*
 * What holds for every request that is not refused, whatever its case expects: what is
 * reported agrees with what is saved.
 */
#include <math.h>
#include <string.h>

#include "domain_check.h"
#include "model/model.h"

#define FAIL(...) domain_case_fail(k->c, NULL, __VA_ARGS__)

/* Labels and projects count their stories correctly. */
static void check_numbers(struct domain_check *k)
{
	struct domain_world *w = k->play->world;
	struct objects *labels = domain_world_list(w, &res_label);
	for (size_t i = 0; i < labels->n; i++) {
		const struct label *l = labels->v[i];
		double tally[TALLY_MAX];
		domain_world_tally(w, l, tally);
		for (int n = 0; n < TALLY_MAX; n++)
			if (fabs(tally[n] - l->tally[n]) > 1e-9)
				FAIL("label %lld counts %g at %d instead of %g", (long long)l->id,
					l->tally[n], n, tally[n]);
	}
	struct objects *projects = domain_world_list(w, &res_project);
	for (const struct batch *b = k->play->out.batches; b; b = b->next) {
		if (b->project && !objects_find(projects, b->project->id))
			continue; /* deleted with everything in it */
		int64_t counts[SECTIONS] = { 0 };
		struct objects order = { 0 };
		if (b->project)
			order = domain_world_order(w, b->project->id, NIL);
		for (size_t i = 0; i < order.n; i++)
			counts[scene_section(((struct story *)order.v[i])->current_state)]++;
		for (int i = 0; b->project && i < SECTIONS; i++)
			if ((size_t)i < b->project->story_counts.n &&
				b->project->story_counts.v[i] + b->counts[i] != counts[i])
				FAIL("the project's count %d", i);
	}
}

/* A story that was placed (it has a new rank, or came to another section) reports its
   neighbours. */
static void check_place(struct domain_check *k, const struct story *old, const struct story *n)
{
	struct objects order = domain_world_order(k->play->world, n->project_id, NIL);
	if (old && old->rank == n->rank &&
		scene_section(old->current_state) == scene_section(n->current_state))
		return;
	for (size_t i = 0; i < order.n; i++) {
		if (order.v[i] != n)
			continue;
		int64_t after = i > 0 ? object_id(order.v[i - 1]) : NIL;
		int64_t before = i + 1 < order.n ? object_id(order.v[i + 1]) : NIL;
		if (n->after_id != after || n->before_id != before)
			FAIL("story %lld stands after %lld and before %lld, and tells %lld and %lld",
				(long long)n->id, (long long)after, (long long)before,
				(long long)n->after_id, (long long)n->before_id);
	}
}

static void check_places(struct domain_check *k)
{
	for (const struct batch *b = k->play->out.batches; b; b = b->next)
		for (size_t i = 0; i < b->n; i++)
			if (b->changes[i].of == &res_story && b->changes[i].new)
				check_place(k, b->changes[i].old, b->changes[i].new);
}

/* Tasks have the positions 1, 2, 3 … on each story. */
static void check_positions(struct domain_check *k)
{
	struct objects *tasks = domain_world_list(k->play->world, &res_task);
	for (size_t i = 0; i < tasks->n; i++) {
		const struct task *t = tasks->v[i];
		int64_t below = 1;
		for (size_t n = 0; n < tasks->n; n++) {
			const struct task *x = tasks->v[n];
			below += x->story_id == t->story_id &&
				(x->position < t->position ||
					(x->position == t->position && n < i));
		}
		if (t->position != below)
			FAIL("task %lld is at %lld", (long long)t->id, (long long)t->position);
	}
}

/* An activity's message begins with who did it, and contains its highlight. */
static void check_words(struct domain_check *k)
{
	const struct activity *x = &k->activity;
	struct str me = k->play->scene.me->name;
	const char *changes[] = { "kind", "change_type", "id" };
	if (x->message.n <= me.n || memcmp(x->message.p, me.p, me.n) || x->message.p[me.n] != ' ')
		FAIL("the message is %s", x->message.p);
	if (!x->highlight.n || !strstr(x->message.p, x->highlight.p))
		FAIL("the highlight %s is not in the message %s", x->highlight.p, x->message.p);
	for (const struct body *c = k->change; c; c = c->next) {
		for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
			if (!body_get(c, changes[i]) && !body_get(c, "number"))
				FAIL("a change has no %s", changes[i]);
		if (str_equal_z(body_get(c, "kind")->text, "story") &&
			(!body_get(c, "name") || !body_get(c, "story_type")))
			FAIL("a change does not name its story");
	}
	if (!k->change || !k->resource)
		FAIL("an activity about nothing");
}

/* Whether a person may be told: news go to people of the project, and to those who join it or an account. */
static bool may_be_told(const struct scene *s, const struct news *n, int64_t person)
{
	const struct member *m = scene_member(s, person);
	if (!strcmp(n->action, "membership"))
		return person != s->me->id;
	return m && m != s->me && m->receives_in_app_notifications;
}

/* News go to each person once, never to the one who acts or to those who turned them off. */
static void check_people(struct domain_check *k)
{
	const struct scene *s = &k->play->scene;
	for (const struct batch *b = k->play->out.batches; b; b = b->next)
		for (const struct news *n = b->news; n; n = n->next)
			for (size_t i = 0; i < n->people.n; i++) {
				if (!may_be_told(s, n, n->people.v[i]))
					FAIL("%lld is told", (long long)n->people.v[i]);
				for (size_t x = 0; x < i; x++)
					if (n->people.v[x] == n->people.v[i])
						FAIL("%lld is told twice",
							(long long)n->people.v[i]);
			}
}

void domain_rules_check(struct domain_check *k)
{
	struct domain_check first;
	check_numbers(k);
	check_places(k);
	check_positions(k);
	check_people(k);
	if (k->play->is_idle)
		return;
	domain_check_start(&first, k->c, k->play);
	if (first.batch && first.batch->n && first.batch->activity)
		check_words(&first);
}
