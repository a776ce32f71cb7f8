/*
 * Login throttle: how often a password may be wrong. A network has its own tries for each name;
 * where the person signed in before, by the password of today, it has more. When many networks are
 * wrong for one name, each has fewer, but one at least: so whose network was not wrong is never
 * refused.
 */
#ifndef THROTTLE_H
#define THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	THROTTLE_NEW = 10,
	THROTTLE_KNOWN = 30,
	THROTTLE_MANY = 5, /* networks for which the person is told */
};

/* What was wrong lately for one name. */
struct throttle {
	int64_t here;   /* from this network, within ten minutes */
	int64_t others; /* how many other networks, within the hour */
	bool is_known;  /* the person signed in from here before */
};

/* How many wrong ones this network has. */
int64_t throttle_tries(const struct throttle *t);

/* Whether one more may be compared. */
bool throttle_lets(const struct throttle *t);

/* Whether so many are guessing that the person should know, once this one was wrong, too. */
bool throttle_tells(const struct throttle *t);

#endif
