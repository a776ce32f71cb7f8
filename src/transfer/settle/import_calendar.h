/*
 * The calendar of iterations that the accepted stories of the files show: when they begin, how
 * long they are.
 */
#ifndef IMPORT_CALENDAR_H
#define IMPORT_CALENDAR_H

#include "transfer/settle/import_context.h"

/* An iteration of accepted stories, as the files have it: days since 1970. */
struct span {
	int64_t number;
	int32_t first, last; /* the last one included */
};

/* What spans say of a project's calendar. */
struct calendar {
	int64_t length; /* weeks, 1 to 4; 0: nothing is known */
	int32_t start;  /* of iteration 1 */
	size_t n;       /* of iterations that have other lengths */
	int64_t *numbers, *lengths;
	size_t odd; /* spans that no length explains */
};

/* Spans by rising number, each once; in the arena. */
struct calendar import_calendar_of(struct arena *a, const struct span *spans, size_t n);

/* The calendar that the iterations of accepted stories in the files show. */
enum rc import_calendar_read(struct import_context *w, struct calendar *c) MUST_CHECK;

#endif
