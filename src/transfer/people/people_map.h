/*
 * Reader and writer of the map of people, the file in which people of an import are corrected
 * (people.h).
 */
#ifndef PEOPLE_MAP_H
#define PEOPLE_MAP_H

#include "transfer/common/report.h"

/* More people than that are no team's: it is a wrong column. */
enum { PEOPLE_MAX = 20000 };

enum people_action {
	PEOPLE_SUGGEST, /* the row says nothing */
	PEOPLE_MATCH,
	PEOPLE_CREATE,
	PEOPLE_PLACEHOLDER,
	PEOPLE_SKIP,
	PEOPLE_AMBIGUOUS,
	PEOPLE_ACTION__MAX
};

/* Their words; null for the first. */
extern const char *const people_actions[PEOPLE_ACTION__MAX];

/* What is blank is absent. */
struct people_row {
	struct str name, email, username;
	int64_t person_id; /* NIL: none */
	enum people_action action;
	struct str candidates; /* written where somebody is ambiguous, and not read */
};

struct people_map {
	struct people_row *rows;
	size_t n;
};

/*
 * Reads the file at that path, into the arena. One that is not there has no rows. What is wrong
 * is remarked as INTAKE_ERROR, and names the row.
 */
void people_map_read(
	struct people_map *map, struct arena *a, const char *path, struct report *report);

/* Writes it in place of what was there; false: errno says why not. */
bool people_map_write(const struct people_map *map, const char *path);

#endif
