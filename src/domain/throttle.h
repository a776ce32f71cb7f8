/*
 * Login throttle: how often a password may be wrong. Each network has its own attempts for each
 * name, and more if the person has signed in from there with the current password. When many
 * networks are wrong for one name, each has fewer attempts, but at least one: so a network that
 * was not wrong is never refused. Attempts count as wrong while they are being checked; otherwise,
 * the limit could be exceeded by as many simultaneous attempts as there are workers.
 */
#ifndef THROTTLE_H
#define THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	THROTTLE_NEW = 10,
	THROTTLE_KNOWN = 30,
	THROTTLE_MANY = 5,   /* number of networks from which the person is told */
	THROTTLE_CODES = 30, /* wrong codes from all networks within an hour */
};

/* What was wrong lately for one name. */
struct throttle {
	int64_t here;    /* from this network, within ten minutes */
	int64_t pending; /* attempts from this network that are still compared */
	int64_t others;  /* how many other networks, within the hour */
	int64_t codes;   /* wrong codes from anywhere, within the hour */
	bool is_known;   /* the person signed in from here before */
};

/* How many wrong ones this network has. */
int64_t throttle_tries(const struct throttle *t);

/* Whether one more password may be checked. */
bool throttle_lets(const struct throttle *t);

/* Whether only what is still compared keeps it from that, perhaps for just a moment. */
bool throttle_waits(const struct throttle *t);

/*
 * Whether a code may be checked, as the password is right: codes are short, and whoever has many
 * networks could go through them. A network that is known is not kept out by others.
 */
bool throttle_lets_code(const struct throttle *t);

/* Whether, with this wrong attempt, enough networks are guessing that the person should know. */
bool throttle_tells(const struct throttle *t);

#endif
