/*
 * Parses golden cases (t/domain/README.md): a file into cases, a case into lines, and the
 * words of a line. A word that cannot be read fails the test.
 */
#ifndef DOMAIN_CASE_H
#define DOMAIN_CASE_H

#include "lib/body.h"
#include "model/object.h"

struct domain_line {
	struct str word, rest; /* the directive, and what follows it */
	int number;
};

struct domain_case {
	const char *file;
	struct str name;
	bool is_table;
	struct domain_line *lines;
	size_t n;
};

/* Runs a function on every case in the files that match a glob pattern; returns their number. */
int domain_case_each(const char *pattern, void (*run)(struct arena *, const struct domain_case *));

/* Fails the test and continues. line: null if the case as a whole is wrong. */
void domain_case_fail(const struct domain_case *c, const struct domain_line *line,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Cuts off the next word; absent: there is none. */
struct str domain_case_word(struct str *rest);

/* "7", "1,3-5": at least one id; none if the text has another form. */
struct ids domain_case_ids(struct arena *a, struct str text);

/* Parses the text as JSON; if it is not JSON, fails the test and returns null. */
struct body *domain_case_json(struct arena *a, const struct domain_case *c,
	const struct domain_line *line, struct str text);

#endif
