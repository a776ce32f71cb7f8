/*
 * The text of golden cases (t/domain/README.md): a file as cases, a case as lines, and
 * what the words of a line say. A word that cannot be read fails the test.
 */
#ifndef DOMAIN_CASE_H
#define DOMAIN_CASE_H

#include "lib/body.h"
#include "model/object.h"

struct domain_line {
	struct str word, rest; /* the directive, and what stands behind it */
	int number;
};

struct domain_case {
	const char *file;
	struct str name;
	bool is_table;
	struct domain_line *lines;
	size_t n;
};

/* Runs a function on every case of the files that a glob pattern finds; how many there were. */
int domain_case_each(const char *pattern, void (*run)(struct arena *, const struct domain_case *));

/* Fails the test and goes on. line: null when the case as a whole is wrong. */
void domain_case_fail(const struct domain_case *c, const struct domain_line *line,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Cuts the next word off; absent: there is none. */
struct str domain_case_word(struct str *rest);

/* "7", "1,3-5": at least one id; none when the text is no such thing. */
struct ids domain_case_ids(struct arena *a, struct str text);

/* The JSON that stands there; null, and the test failed: it is none. */
struct body *domain_case_json(struct arena *a, const struct domain_case *c,
	const struct domain_line *line, struct str text);

#endif
