/*
 * Loader of what a command needs: statements are queued with the place in the scene for their
 * rows, and taken in the same order after one flush. Statements: sql/queries/load.sql.
 */
#ifndef LOAD_H
#define LOAD_H

#include "db/db.h"
#include "domain/scene.h"

struct load;

struct ask {
	enum stmt stmt;
	const struct resource *of;
	struct objects *into;
	void (*take)(struct load *, const struct rows *); /* instead of both */
};

enum { ASKS_MAX = 64 };

struct load {
	struct arena *arena;
	struct db *db;
	struct scene *scene;
	/* What the statements begin with: the path's project, story and epic. */
	struct db_param project, story, epic;
	int64_t at;                   /* when it happens; 0: now */
	struct rows *labels_of_story; /* those rows, for the answer; null: not asked for */
	struct ask asks[ASKS_MAX];
	int n;
	struct ids locked; /* projects other than the path's */
	bool stale;        /* something unlocked changed in between: load again */
};

/* Objects of a resource, appended to a list of the scene. */
void load_ask(struct load *l, enum stmt stmt, int n, const struct db_param *params,
	const struct resource *of, struct objects *into);

/* Rows that a function takes. */
void load_ask_rows(struct load *l, enum stmt stmt, int n, const struct db_param *params,
	void (*take)(struct load *, const struct rows *));

/* The project, and the time. If the path also names a story: only what rules about stories read. */
void load_project(struct load *l);

/* The performer, from the columns me_* of a gate; the role may be absent. */
struct member *load_me(struct arena *a, const struct rows *rows, struct str role);

/*
 * The project named by the path, directly or through its story, as the one that the story leaves.
 */
void load_source(struct load *l);

/* Ids for this many new objects of a resource. */
void load_new_ids(struct load *l, const struct resource *of, size_t n);

/* The same by a statement that gives as many as are needed. */
void load_new_ids_by(struct load *l, const struct resource *of, enum stmt stmt, int n,
	const struct db_param *params);

/* A story, appended to scene->stories; one that may move with its neighbours (`placed`). */
void load_story(struct load *l, int64_t id, bool placed);

/* The neighbours of the scene's story, which was loaded without them. */
void load_adjacent(struct load *l);

/*
 * What a story needs that is to go to any section, or by the time of its acceptance: the ends of
 * all sections, and the accepted stories around accepted_at (NIL: now), the story left out
 * (NIL: none).
 */
void load_order(struct load *l, int64_t story, int64_t accepted_at);

/*
 * What it needs if the place is known (order_border): the stories at both sides of the border in
 * front of a section; and if it is accepted, those around the time.
 */
void load_section_border(struct load *l, int64_t project, int64_t story, int border);
void load_order_accepted(struct load *l, int64_t story, int64_t accepted_at);

/* The number of the project's current iteration. */
void load_current_iteration(struct load *l, int64_t project);

/* Stories named as neighbours. */
void load_neighbours(struct load *l, int64_t story, struct ids ids);

/* Both for any section, without the stories that move; neighbours may be none. */
void load_order_without(struct load *l, struct ids moved, struct ids neighbours);

/* Labels of the path's story, those of ids, and those of names. */
void load_labels_of_story(struct load *l);
void load_labels(struct load *l, struct ids ids, struct strs names);

/* Tasks of the path's story. */
void load_tasks(struct load *l);

/*
 * People of the project: those with the ids, those mentioned with @ in the texts, and, with
 * `concerned`, those concerned by the path's story or epic, or by the stories.
 */
void load_members(
	struct load *l, struct ids ids, struct strs texts, bool concerned, struct ids stories);

/* Only those concerned by the path's story. */
void load_concerned(struct load *l);

/* Takes ids of projects that a statement locked, and projects, which must be among these. */
void load_take_locked(struct load *l, const struct rows *rows);
void load_take_projects(struct load *l, const struct rows *rows);

/* Takes what load_usernames gives. */
void load_take_names(struct load *l, const struct rows *rows);

/* Takes everything requested; db_flush must have been called. */
enum rc load_take(struct load *l) MUST_CHECK;

/* Tables of what only rules see. */
extern const struct resource res_member, res_mention, res_neighbour;

#endif
