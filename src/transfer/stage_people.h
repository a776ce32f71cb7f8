/* People whom records name, each once, with what several records say of one put together. */
#ifndef STAGE_PEOPLE_H
#define STAGE_PEOPLE_H

#include "lib/arena.h"
#include "lib/body.h"
#include "lib/buf.h"

struct stage_people {
	struct arena arena;
	struct stage_person **slots; /* by key */
	size_t n, n_slots;
};

/*
 * The key (people.h) of the person that the object describes; role null: not said. Absent: it
 * names nobody, or one too many.
 */
struct str stage_people_note(struct stage_people *p, const struct body *object, const char *role);

/* Whether there are more people than a project can have. */
bool stage_people_is_full(const struct stage_people *p);

/* Rows of staged_person, in the form of COPY; none is left. */
void stage_people_put(struct stage_people *p, struct buf *to);

void stage_people_free(struct stage_people *p);

#endif
