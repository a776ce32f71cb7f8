/*
 * Ranking of a project's stories (contract 1.8, 5.5): one order, by section, then rank, then
 * id. Ranks stand about ORDER_GAP apart; a story between two others takes the middle, and
 * only when a gap is used up the next ones are spread. Accepted stories have the
 * microseconds of their acceptance for a rank.
 */
#ifndef ORDER_H
#define ORDER_H

#include "domain/outcome.h"

enum { ORDER_GAP = 1 << 20 };

/*
 * What a request says about the place: neighbours (NIL: none), a group, whether it names a state.
 */
struct goal {
	int64_t before_id, after_id;
	int group; /* WORD_NONE: none */
	bool has_state;
};

bool goal_is_set(const struct goal *goal);

/*
 * Puts story n where the goal says: state, rank and neighbours. old: as it was; null for a new one.
 * RC_INVALID_PARAMETER with field and sentence if it cannot go there. *placed false: the goal does
 * not say where in the section; order_arrive does. If out->spread.wanted is set, the rule must run
 * again once there is room.
 */
enum rc order_place(struct outcome *out, struct story *n, const struct story *old,
	const struct goal *goal, bool *placed) MUST_CHECK;

/*
 * Where a story comes to in a section, from another (before; WORD_NONE: it is new), unless a
 * time decides: the section itself, in front of its first story, or the next
 * one, behind its last.
 */
int order_border(int section, int before);

/*
 * Where a story goes if the request gives no place: accepted ones by time, those for the icebox
 * and those returning to the backlog on top, all others at the bottom; if section and project
 * stay the same, it stays in place. old: null for a new one.
 */
void order_arrive(const struct scene *s, struct story *n, const struct story *old);

/* A story that moves, with others, as it was and as it was placed by itself. */
struct order_moved {
	const struct story *old;
	struct story *now;
	bool moves;
};

/*
 * Stories that were each placed on their own, in an order without the moving ones: those at the
 * same place keep the order of the array. Sets ranks and neighbours of all; out->spread.wanted as
 * above.
 */
void order_line_up(struct outcome *out, struct order_moved *all, size_t n);

#endif
