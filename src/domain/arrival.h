/* Rules of imported data: what to use where the files say nothing, too little or too much. */
#ifndef ARRIVAL_H
#define ARRIVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/things.h"
#include "model/wish.h"

/* The name of a story or an epic that has none; who wrote what has no author. */
#define ARRIVAL_UNTITLED "Untitled"
#define ARRIVAL_NOBODY "Unknown"

/* This server gives ids from here on: above all that the original ever gave, so that what is
   imported keeps its ids and meets no others. */
enum { ARRIVAL_IDS_FROM = 200000000 };

/*
 * The highest id of a file that is kept, unless those given here are higher already. Whatever is made
 * later, in any project, gets ids above it, even if the import is refused: people, however often
 * they import, leave half of what fits into 32 bits. An operator may use all of it.
 */
int64_t arrival_ids_top(bool is_operator);
#define ARRIVAL_IDS_MAX INT64_C(2147483647)

/* The highest version that a project's own record in the files can have: changes raise it further. */
enum { ARRIVAL_VERSION_MAX = 1000000000 };

/* What stories show of the settings of their project. */
struct arrival_facts {
	int64_t iteration_length, start_date; /* NIL: nothing */
	int week_start_day;                   /* WORD_NONE: nothing */
	struct str point_scale;
	bool estimates_all; /* bugs and chores have estimates */
	bool has_planned;   /* stories are planned by hand */
	bool has_priority;
};

/*
 * Fills a new project, in this order: what stories show, what the files' own record of it says and
 * can be, what was chosen for this import: all that is not null, but for flags. The others stay as
 * they are.
 */
void arrival_project(struct project *n, const struct arrival_facts *facts,
	const struct wish *record, const struct project *chosen, int64_t now);

/* A story as it will be, along with what the files said of it. */
struct arrival_story {
	const struct story *story;
	bool has_name, had_accepted_at, had_deadline;
	bool was_planned; /* and is on top of the backlog, for its project plans by itself */
	bool is_exact;    /* of an export of this program: nothing of it is odd */
};

enum { ARRIVAL_SAYS_MAX = 9 };

/*
 * What is to be said of it: names of sentences (transfer/settle/import_sentences.h), how many. What
 * a client could not do with a story is kept, and said.
 */
size_t arrival_story_says(
	const struct arrival_story *s, const struct project *p, const char *says[ARRIVAL_SAYS_MAX]);

#endif
