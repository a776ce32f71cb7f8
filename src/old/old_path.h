/*
 * The paths of the retired versions, below /services/v3 and v4: a row each, which names the endpoint
 * of version 5 that it stands for. Rights, limits, rules and everything else are that one's.
 */
#ifndef OLD_PATH_H
#define OLD_PATH_H

#include "lib/arena.h"
#include "old/old_kind.h"

/* What a row does besides. */
enum old_act {
	OLD_ASKS,     /* nothing */
	OLD_SIGNS_IN, /* the parameters username and password are its credentials */
	OLD_MOVES,    /* move[move] and move[target] say where to */
	OLD_DELIVERS, /* to all stories that are finished */
	OLD_ATTACHES, /* the file to a new comment */
	OLD_TELLS     /* activities, of what these versions know */
};

/* A parameter of a query. */
struct old_param {
	const char *name;
	const char *v5;
	enum old_form form; /* OLD_TIME: read by old_time_read, and from then on */
	const char *doc;
};

struct old_path {
	const char *method, *path;
	unsigned versions; /* 0: both */
	const char *v5_method, *v5_path;
	const struct old_kind *answer; /* null: a message */
	bool is_list;
	const struct old_kind *body; /* null: it takes none */
	bool nests;                  /* version 5 takes it as a member of that name */
	const struct old_param *params;
	const char *scope;    /* of iterations; null: any */
	int limit, limit_max; /* of a list; 0: as version 5 has it */
	enum old_act act;
	const char *doc;
};

extern const struct old_path old_paths[]; /* end with one without method */

enum { OLD_SEGMENTS_MAX = 12 };

/*
 * The row for a method and the segments of a path. Null: there is none; then *allowed holds the
 * methods of that path as a list with commas, if it is one (in the arena; otherwise absent).
 */
const struct old_path *old_path_find(struct arena *a, enum old_version version, struct str method,
	const struct str *segments, int n, struct str *allowed);

/* The segments of the row's path in version 5, for those of its own; their number. */
int old_path_turn(
	const struct old_path *p, const struct str *segments, struct str turned[OLD_SEGMENTS_MAX]);

/* The segment that stands for a part such as ":story"; absent: the row has none. */
struct str old_path_part(const struct old_path *p, const struct str *segments, const char *part);

#endif
