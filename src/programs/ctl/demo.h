/*
 * Demo data, which planwrightctl demo loads: what happens in it (demo_stories.c), and the
 * requests that make it so (demo_play.c): the program's own, in the order of time, each
 * as of its time (struct ctl, at).
 */
#ifndef DEMO_H
#define DEMO_H

#include "programs/ctl/ctl.h"

enum { DEMO_OWNER, DEMO_MEMBER, DEMO_VIEWER, DEMO_STRANGER, DEMO_PEOPLE, DEMO_NOBODY = -1 };

enum {
	DEMO_NEVER = -1,       /* a week: it has not begun */
	DEMO_NO_ESTIMATE = -1, /* it is not estimated */
	DEMO_LABELS = 2,
	DEMO_TASKS = 3,
};

/* A story, and how far it got. */
struct demo_story {
	bool is_public; /* it is in the public project */
	int week, day;  /* when it came to its state; 0 is this week, of which 7 days are
	                          the part gone by */
	const char *type, *state;
	int estimate;
	int requester, owner;           /* DEMO_…; the owner is set when it is started */
	const char *name, *description; /* null: it has none */
	const char *labels[DEMO_LABELS], *tasks[DEMO_TASKS];
	/* What is there to look at in the end; null: nothing. */
	const char *blocker; /* the name of the story that it waits for */
	const char *review;  /* the type of review that the project's owner is asked for */
	const char *mention; /* what its owner writes to the project's owner */
};

/* A group of the private project's stories, by their label. */
struct demo_epic {
	const char *name, *label, *description;
};

extern const struct demo_story demo_stories[];
extern const size_t demo_stories_count;
extern const struct demo_epic demo_epics[];
extern const size_t demo_epics_count;

struct demo {
	int64_t people[DEMO_PEOPLE];
	struct str usernames[DEMO_PEOPLE];
	int64_t account, project, public_project;
	int64_t now, begin; /* µs since 1970: the load, and the week that the demo begins in */
};

#define DEMO_PROJECT "Tool library"
#define DEMO_PUBLIC_PROJECT "Tool library website"

/* Makes both projects in the account, with all that happens there; in the transaction that
   is open (db_script). */
void demo_play(struct ctl *c, struct demo *d);

#endif
