/*
 * What stands in a project, for golden cases (t/domain/README.md): objects of all kinds
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
	bool is_made;         /* by requests that rules decide */
	const char *defaults; /* JSON; # stands for the id */
};

extern const struct domain_kind domain_kinds[];
extern const int domain_kinds_count;
enum { DOMAIN_KINDS_MAX = 24 };

struct domain_world {
	struct arena *arena;
	int64_t now, me; /* who acts */
	struct objects lists[DOMAIN_KINDS_MAX];
};

/* An empty one. */
void domain_world_start(struct domain_world *w, struct arena *a);

/* Null: there is no such kind. */
const struct domain_kind *domain_world_kind(struct str word);

struct objects *domain_world_list(struct domain_world *w, const struct resource *of);

/* Adds an object; values: null, or an object of JSON. Returns null, or what is wrong. */
const char *domain_world_add(struct domain_world *w, const struct domain_kind *kind, int64_t id,
	const struct body *values);

/* Behind the last object: who acts, the project, ranks, positions, tallies and counts. */
void domain_world_finish(struct domain_world *w);

/* Stories of a project in its order; the one of that id left out (NIL: none). */
struct objects domain_world_order(const struct domain_world *w, int64_t project, int64_t without);

/* Epics of a project in their order. */
struct objects domain_world_epics(const struct domain_world *w, int64_t project);

/* What a label counts, by the stories that have it. */
void domain_world_tally(
	const struct domain_world *w, const struct label *l, double tally[TALLY_MAX]);

/* Saves what a command decided. */
void domain_world_save(struct domain_world *w, const struct outcome *out);

/* Gives all behind a place of a section ranks that are far apart, but for one story. */
void domain_world_spread(
	struct domain_world *w, int64_t project, const struct spread *spread, int64_t without);

#endif
