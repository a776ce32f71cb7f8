/*
 * The project of an import: the one that is named, or a new one with the settings of its files
 * and what follows from their stories: iterations, point scale.
 */
#ifndef SETTLE_H
#define SETTLE_H

#include "transfer/work.h"

/* Before anything is read: whether there are such a project, account and performer. */
enum rc settle_open(struct work *w) MUST_CHECK;

/* Behind all files: the lock of the project, or a new one. */
enum rc settle_project(struct work *w) MUST_CHECK;

/* The version that the project has, when it is there. */
enum rc settle_version(struct work *w) MUST_CHECK;

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
struct calendar settle_calendar(struct arena *a, const struct span *spans, size_t n);

/* The smallest known scale that has all of the values, rising; else one of them all. */
struct str settle_scale(struct arena *a, const double *values, size_t n);

/* The calendar that the iterations of accepted stories in the files show. */
enum rc settle_read_calendar(struct work *w, struct calendar *c) MUST_CHECK;

#endif
