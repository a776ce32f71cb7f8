#include "model/tally.h"

#include <math.h>

#include "model/words.h"

/* The states in the order of the numbers, which is that of recorded answers. */
static const int order[STATES] = { STATE_ACCEPTED, STATE_STARTED, STATE_FINISHED, STATE_UNSTARTED,
	STATE_PLANNED, STATE_DELIVERED, STATE_UNSCHEDULED, STATE_REJECTED };

enum { COUNTS = 0, ZEROS = STATES, POINTS = 2 * STATES };

void tally_add(double tally[TALLY_MAX], int state, double estimate, int sign)
{
	int i = 0;
	while (i < STATES - 1 && order[i] != state)
		i++;
	tally[COUNTS + i] += sign;
	if (isnan(estimate) || estimate <= 0)
		tally[ZEROS + i] += sign;
	else
		tally[POINTS + i] += sign * estimate;
}

void tally_load(double tally[TALLY_MAX], const struct rows *rows, int row, int column)
{
	struct db_array array = db_array(rows, row, column);
	for (int i = 0; i < TALLY_MAX && db_array_next_float(&array, &tally[i]); i++)
		;
}

static void put_states(struct json *j, const char *key, const double *numbers)
{
	json_key(j, key);
	json_object(j);
	json_key(j, "kind");
	json_z(j, "counts_by_story_state");
	for (int i = 0; i < STATES; i++) {
		json_key(j, words_story_states[order[i]]);
		json_float(j, numbers[i]);
	}
	json_object_end(j);
}

void tally_put(struct json *j, const double tally[TALLY_MAX])
{
	json_object(j);
	json_key(j, "kind");
	json_z(j, "story_counts");
	put_states(j, "number_of_zero_point_stories_by_state", tally + ZEROS);
	put_states(j, "sum_of_story_estimates_by_state", tally + POINTS);
	put_states(j, "number_of_stories_by_state", tally + COUNTS);
	json_object_end(j);
}
