/*
 * The scene: what a rule may look at, that is, the objects that the store loaded for a command,
 * or that a test made up. Rules change nothing here; the new state is in the outcome.
 */
#ifndef SCENE_H
#define SCENE_H

#include "model/things.h"

/* A story in a project's order, by section, rank and id; id 0: there is none. */
struct place {
	int64_t id, rank;
	int64_t section; /* enum section */
	struct str name;
};

/* Ends in a project's order, the story of the command left out; as far as the command needs
   them. */
struct order {
	struct place first[SECTIONS];         /* the first story at or below a section */
	struct place last[SECTIONS];          /* the last story at or above it */
	struct place done_before, done_after; /* around the time of its acceptance */
};

/*
 * A story that the wish names as a neighbour, and those around it in the whole order,
 *    the moved one left out.
 */
struct neighbour {
	struct place self, prev, next;
};

/* Ids that the database gave for new objects of a resource. */
struct id_pool {
	const struct resource *of;
	struct ids ids;
	size_t used;
};
enum { ID_POOLS_MAX = 16 };

/*
 * A review type of the project that a story leaves, and the one with the same name in the other
 * project.
 */
struct type_along {
	int64_t id, to; /* NIL: none */
	struct str name;
	bool hidden;
};

/* The parts of a story that moves between projects. */
struct along {
	struct objects reviews, blockers; /* blockers that name the story, too */
	struct objects types;             /* struct type_along */
	struct ids stories;               /* of the new project, named by the story's blockers */
};

struct scene {
	struct arena *arena;
	int64_t now;
	const struct member *me; /* who acts; never null */
	struct str agent_token;  /* the token by which an assistant does it; "": the API token;
					  absent: none does */
	bool administers;        /* the path's account, or that of its project */
	const struct project *project; /* null: the command is about none */
	const struct project *source;  /* in a move between projects: where the story is */
	const struct story *story;     /* of the path */
	const struct epic *epic;       /* of the path */
	const void *object;            /* the object of the path's last id */
	bool webhook_http;             /* the setting: webhooks may be http */
	const char *old_versions;      /* the setting: retired versions that are spoken here */
	int64_t n_webhooks;            /* of the project, when one is added */
	struct ids own_projects;       /* of those that a wish names, where who acts is in */
	struct ids
		unreached_projects; /* of a workspace: withheld from who acts, and so not shown */

	/* Loaded only if the command needs them. */
	struct objects stories, epics, labels, tasks, comments, review_types, members, integrations,
		files, google;
#define OBJECTS(one, ONE, list, ...) struct objects list;
	LISTED_PARTS(OBJECTS)
#undef OBJECTS
	struct objects waiting;   /* blockers of other stories that wait for the path's */
	struct objects mentions;  /* struct mention */
	struct ids named_stories; /* of the project, named by texts of blockers; in their order */
	struct along along;
	struct order order;
	int64_t current_iteration; /* its number, for overrides */
	struct objects neighbours; /* struct neighbour */
	struct id_pool *pools;     /* ID_POOLS_MAX of them, from which rules take; null: none */

	/* Of projects, accounts and their people. */
	struct objects people;   /* struct person: the people named in the wish */
	struct objects accounts; /* the command's, or the one named in the wish */
	struct objects account_memberships, memberships, projects;
	struct strs usernames; /* those that are taken among the ones a new person may get */
	struct str initials;   /* for a new person that has none in the wish */
	bool username_taken, email_taken; /* taken ones among those of the wish */
	bool password_right;              /* that of the wish is the caller's */
	bool knows_zone;                  /* the database knows the time zone in the wish */
	bool new_accounts;                /* accounts can be made (the setting) */
	int second_factor;                /* the setting: enum second_factor_policy */
	bool only_seen;                   /* people are added by id who are seen (the setting) */
};

/* A name mentioned with @ in a text of the command, and the person it means. */
struct mention {
	int64_t person_id;
	struct str name;
};

/* The person among the members of the project; null: not a member. */
const struct member *scene_member(const struct scene *s, int64_t person);

/* The section for stories in a state. */
enum section scene_section(int state);

#endif
