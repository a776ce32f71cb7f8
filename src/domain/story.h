/*
 * Rules of stories (contract 1.4, 2.8, 5.1, 5.5). The wish is of res_story. The scene holds the
 * project, the story of the path, labels that the story has or the wish names, the people that
 * the wish names, the ends of the sections and the named neighbours.
 */
#ifndef STORY_H
#define STORY_H

#include "domain/order.h"

/* Stories without the parts in their bodies (story_parts.h). */
enum rc story_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc story_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc story_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

/* Owners, labels and followers one by one: what stories/{id}/owners and its like do. */
enum rc story_owner_add(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc story_owner_remove(struct outcome *out, const struct wish *none) MUST_CHECK;
enum rc story_label_add(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc story_label_remove(struct outcome *out, const struct wish *none) MUST_CHECK;
enum rc story_follower_add(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc story_follower_remove(struct outcome *out, const struct wish *none) MUST_CHECK;

/* Whether it may change the place of its story: a new state can do so, too. */
bool story_moves(const struct wish *wish);

/* Whether a story can have points in the project. */
bool story_is_estimatable(const struct story *s, const struct project *p);

/* Whether one of that type can be in that state; whether a point scale has the estimate. */
bool story_can_be_in(int type, int state);
bool story_is_on_scale(double estimate, struct str scale);

/*
 * The steps of a change, for changing several stories: the values in the wish; the place
 * (*placed: the goal named it) and its consequences; what is saved and reported; and, for all
 * stories accepted together, blockers of other stories that have nothing left to wait for.
 */
enum rc story_take(struct outcome *out, const struct wish *wish, struct story *n) MUST_CHECK;
enum rc story_settle(struct outcome *out, const struct goal *goal, struct story *n,
	const struct story *old, bool *placed) MUST_CHECK;
void story_put(struct outcome *out, struct story *n, const struct story *old);
bool story_becomes_accepted(const struct story *n, const struct story *old);
void story_resolve_blockers(struct outcome *out);

/* The scene's story enters a state without a wish for it: a commit asks for it. */
enum rc story_come_to(struct outcome *out, int state) MUST_CHECK;

#endif
