/*
 * The contents of a project, for golden cases (t/domain/README.md): objects of all kinds
 * in memory instead of a database. They are filled from JSON by the field tables, and
 * an outcome is saved to them as the store saves it to rows.
 */
#ifndef DOMAIN_WORLD_H
#define DOMAIN_WORLD_H

#include "domain/outcome.h"
#include "lib/body.h"

/* A kind of object: its word in the cases, and where a scene lists it. */
struct domain_kind {
	const char *word;
	const struct resource *of;
	size_t in_scene;      /* offset of a struct objects; 0: scenes do not list it */
	bool is_made;         /* created by requests that go through the rules */
	const char *defaults; /* JSON, where # is the id */
};

extern const struct domain_kind domain_kinds[];
extern const int domain_kinds_count;
enum { DOMAIN_KINDS_MAX = 28, DOMAIN_IDS_FROM = 101 };

struct domain_world {
	struct arena *arena;
	int64_t now, me; /* who acts */
	struct objects lists[DOMAIN_KINDS_MAX];
	int64_t last_ids[DOMAIN_KINDS_MAX]; /* of each kind, as given to new objects, or 0 */
};

/* Makes it empty. */
void domain_world_start(struct domain_world *w, struct arena *a);

/* Null: there is no such kind. */
const struct domain_kind *domain_world_kind(struct str word);

struct objects *domain_world_list(struct domain_world *w, const struct resource *of);

/* Adds an object; values: null, or a JSON object. Returns null, or what is wrong. */
const char *domain_world_add(struct domain_world *w, const struct domain_kind *kind, int64_t id,
	const struct body *values);

/* Called after the last object: adds who acts, the project, ranks, positions, tallies and counts. */
void domain_world_finish(struct domain_world *w);

/* A project's stories in its order, without the one that has this id (NIL: with all). */
struct objects domain_world_order(const struct domain_world *w, int64_t project, int64_t without);

/* A project's epics in their order. */
struct objects domain_world_epics(const struct domain_world *w, int64_t project);

/* What a label counts, from the stories that have it. */
void domain_world_tally(
	const struct domain_world *w, const struct label *l, double tally[TALLY_MAX]);

/* Ids for the new objects of a request about that kind. */
struct id_pool *domain_world_pools(const struct domain_world *w, const struct resource *target);

/* An id for a new object that no rule made. */
int64_t domain_world_new_id(struct domain_world *w, const struct resource *of);

/* Removes the parts of a deleted object: those whose field of this name has its id. */
void domain_world_drop_parts(struct domain_world *w, const char *name, int64_t id);

/* Saves what a command decided. */
void domain_world_save(struct domain_world *w, const struct outcome *out);

/* If more commands follow: gives the changed projects their next version and new counts. */
void domain_world_advance(struct domain_world *w, const struct outcome *out);

/* Gives all stories after a place in a section ranks that are far apart, except one story. */
void domain_world_spread(
	struct domain_world *w, int64_t project, const struct spread *spread, int64_t without);

#endif
