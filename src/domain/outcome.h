/*
 * The outcome of a command: the new state of the objects, what is reported and to whom, or a
 * refusal. Rules fill it, the store saves it, and the activity is made from the same list of
 * changes, so that the stored data and the activity cannot differ.
 */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "domain/scene.h"
#include "service/err.h"

enum change_type { CHANGE_CREATE, CHANGE_UPDATE, CHANGE_DELETE };

struct change {
	enum change_type type;
	const struct resource *of;
	const void *old; /* null: the object is created */
	void *new;       /* null: the object is deleted */
	bool silent;     /* written, but reported nowhere */
	bool elsewhere;  /* reported, but written by another batch */
};

/* Something to tell people (contract 6.4). */
struct news {
	struct ids people; /* each is notified once, the performer never */
	const char *type, *action;
	struct str message, context;
	int64_t story_id, epic_id, comment_id; /* NIL: none */
	int64_t project_id, account_id;        /* one of them; the other NIL */
	struct str story_name, epic_name;
	int64_t attachments; /* NIL: not counted */
	struct news *next;
};

/* A state that a story entered. */
struct transition {
	int64_t story_id;
	int state;
	struct transition *next;
};

/* What a command does in one project: one version and one activity. */
struct batch {
	const struct project *project; /* null: objects of no project, untold */
	const char *activity;          /* kind, without "_activity" */
	struct change *changes;
	size_t n;
	int64_t counts[SECTIONS]; /* stories more or less, by section */
	struct transition *transitions;
	struct news *news, **news_end;
	struct batch *next;
};

struct problem {
	struct str field, text;
	struct problem *next;
};

/* Ranks are used up: others make room first, then the rule is asked again. */
struct spread {
	bool wanted;
	int section;
	int64_t rank, id; /* behind this place */
};

struct outcome {
	const struct scene *scene;
	struct batch *batch; /* the current one; the first belongs to the command's project */
	struct batch *batches;

	const void *subject; /* the object that the answer shows */
	struct spread spread;

	/* Of a refusal (contract 1.4). */
	struct problem *problems, **problems_end;
	struct str general_problem, requirement, possible_fix, error;
};

/* An empty outcome with a batch for the scene's project, if there is one. */
void outcome_init(struct outcome *out, const struct scene *scene, const char *activity);

/* Another batch; the following calls go there. */
void outcome_turn(struct outcome *out, const struct project *project, const char *activity);

/*
 * Creates the object; the activity lists objects in the order of these calls. Returns the object.
 */
void *outcome_create(struct outcome *out, const struct resource *of, void *object);

/* The new state of the object, to be changed in place: at first a copy of old. */
void *outcome_edit(struct outcome *out, const struct resource *of, const void *old);

/* Another change of the object, reported separately from its creation. */
void *outcome_change(struct outcome *out, const struct resource *of, const void *old);

/*
 * The same with the new object already filled in; if it was already changed, nothing more is
 * reported.
 */
void outcome_put(struct outcome *out, const struct resource *of, const void *old, void *new);

/* The new state of the object if it has been changed or created, otherwise the current one. */
const void *outcome_see(const struct outcome *out, const struct resource *of, const void *old);

/* An object that this command makes; null: none of that id. */
const void *outcome_made(const struct outcome *out, const struct resource *of, int64_t id);

void outcome_delete(struct outcome *out, const struct resource *of, const void *old);

/* What came last is written, but reported nowhere. */
void outcome_silence(struct outcome *out);

/* Reports the last change here, but leaves the writing to another batch. */
void outcome_elsewhere(struct outcome *out);

/* A new object with an id of its own and the resource's preset. */
void *outcome_new(struct outcome *out, const struct resource *of);

/* Drops changes that change nothing. True: something is left to save. */
bool outcome_settle(struct outcome *out);

/* Whether a stored field other than updated_at differs. */
bool outcome_differs(const struct resource *of, const void *old, const void *new);

/* The same, also ignoring the field with that name. */
bool outcome_differs_but(
	const struct resource *of, const void *old, const void *new, const char *name);

/* Tells people; who acts is left out, and so is who cannot see the project. */
void outcome_tell(struct outcome *out, const struct news *news);

/* Notifies one person who is new there. */
void outcome_tell_newcomer(
	struct outcome *out, const struct news *news, const struct person *person);

/* What all batches of a settled outcome tell, as one list. */
struct news *outcome_news(const struct outcome *out);

/* Refusals: a problem with one field; all of these are answered together … */
void outcome_problem(struct outcome *out, const char *field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Problems with the field, for a request that calls it by its other name. */
void outcome_rename(struct outcome *out, const char *field, const char *sent);
bool outcome_is_refused(const struct outcome *out);
/* … a sentence of no field, and RC_INVALID_PARAMETER … */
enum rc outcome_refuse(struct outcome *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* … the same with a field: a problem and the end. */
enum rc outcome_refuse_field(struct outcome *out, const char *field, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* A requirement (contract 1.4); possible_fix may be null. */
enum rc outcome_require(struct outcome *out, const char *requirement, const char *possible_fix);

#endif
