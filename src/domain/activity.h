/*
 * Activity texts: a command is described by the one activity of its version, made from the list
 * of changes (contract 6.1). Field rows say which fields it reports (F_TOLD, F_TOLD_NEW,
 * F_NAMES).
 */
#ifndef ACTIVITY_H
#define ACTIVITY_H

#include "domain/outcome.h"

struct activity {
	struct str kind;      /* "story_update_activity" */
	struct str highlight; /* a part of the message */
	struct str message;
	struct str changes, primary_resources; /* JSON arrays; instants in milliseconds */
	bool has_secondary;
	struct ids story_ids, epic_ids;
};

/* Of the changes of a batch that is settled and has some. */
void activity_make(const struct scene *s, const struct batch *b, struct activity *a);

/* What the changes of a batch tell people, by notifications (contract 6.4). */
void news_gather(struct outcome *out);

/* Somebody was added: to the project, to an account. */
void news_of_project(struct outcome *out, const struct person *person);
void news_of_account(
	struct outcome *out, const struct person *person, const struct account *account);

/* The names mentioned with @ in a text, each once; the caller looks up the people. */
struct strs news_names(struct arena *a, struct str text);

#endif
