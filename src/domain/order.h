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

/* What a request says of the place: neighbours (NIL: none), a group, whether it names a state. */
struct goal {
	int64_t before_id, after_id;
	int group; /* WORD_NONE: none */
	bool has_state;
};

bool goal_is_set(const struct goal *goal);

/*
 * Puts story n where the goal wants it: state, rank and neighbours. RC_INVALID_PARAMETER
 * with field and sentence where it cannot stand there. *placed false: the goal says
 * nothing of the place within the section, order_arrive does. With
 * out->spread.wanted the rule is to be asked again when there is room.
 */
enum rc order_place(
	struct outcome *out, struct story *n, const struct goal *goal, bool *placed) MUST_CHECK;

/*
 * Where a story arrives that nobody places: accepted ones by the time, those for the
 * icebox and those that come back to the backlog on top, all others below; where it
 * stands when its section and its project stay. old: null for a new one.
 */
void order_arrive(const struct scene *s, struct story *n, const struct story *old);

/* A story that moves, with others, as it was and as it was placed by itself. */
struct order_moved {
	const struct story *old;
	struct story *now;
	bool moves;
};

/*
 * Stories that were placed each as if alone, in an order without those that move: those that
 * came to the same place stand there in the order of the array. Ranks and neighbours of all
 * are set; out->spread.wanted as above.
 */
void order_line_up(struct outcome *out, struct order_moved *all, size_t n);

#endif
