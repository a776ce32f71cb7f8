/* Table of the people named in records, each once, with everything that is said of them. */
#ifndef PEOPLE_KEYS_H
#define PEOPLE_KEYS_H

#include "lib/buf.h"
#include "transfer/common/record.h"

struct people_keys {
	struct arena arena;
	struct keyed_person **slots; /* by key */
	size_t n, n_slots;
};

/*
 * The key (people.h) of that person; role null: not said. Absent: it names nobody, or one too
 * many.
 */
struct str people_keys_note(
	struct people_keys *p, const struct record_person *person, const char *role);

/* Whether there are more people than a project can have. */
bool people_keys_is_full(const struct people_keys *p);

/* Rows of staged_person, in the form of COPY; none is left. */
void people_keys_put(struct people_keys *p, struct buf *to);

void people_keys_free(struct people_keys *p);

#endif
