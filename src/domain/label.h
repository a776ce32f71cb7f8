/* Rules of labels (contract 1.4, 2.7): lower case, once in a project. */
#ifndef LABEL_H
#define LABEL_H

#include "domain/outcome.h"

enum rc label_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc label_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc label_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

/* The label of the project with that id; null with a problem of the field in `out`. */
const struct label *label_known(struct outcome *out, const char *field, int64_t id);

/* What becomes of a label of a story that comes from another project; null: it had no such label. */
const struct label *label_along(struct outcome *out, int64_t id);

/* The label with that name, which is created if missing. */
const struct label *label_named(struct outcome *out, struct str wished);

/* Label ids in the order of their names, each once: the form of story.label_ids. */
struct ids label_order(const struct outcome *out, struct ids ids);

/* The label ids of a list in a wish, which is in that field; problems go to `out`. */
struct ids label_ids_of(struct outcome *out, const char *field, struct label_refs refs);

/* The label as it is now, made by this command or there before; null: unknown. */
const struct label *label_by_id(const struct outcome *out, int64_t id);

/* A story changed from old to new (either may be null): what its labels count. */
void label_tally(struct outcome *out, const struct story *old, const struct story *new);

#endif
