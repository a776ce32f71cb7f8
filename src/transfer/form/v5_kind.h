/* Recognises the kind of a record of the API. */
#ifndef V5_KIND_H
#define V5_KIND_H

#include "lib/body.h"
#include "transfer/common/intake.h"

/* What a record can be: the kinds of the intake, and these. */
enum v5_kind {
	V5_ITERATION = INTAKE__MAX, /* number, start, finish, length, team_strength, stories */
	V5_RELEASE,                 /* the story that it is, as /releases answers it */
	V5_NOTHING,                 /* known, and nothing that an import takes */
	V5_UNKNOWN,
};

/* By a word: a kind, or the name of a list ("stories", "project_memberships", "label"). */
enum v5_kind v5_kind_of_word(struct str word);
/* By `kind`, then by `hint`, then by fields. */
enum v5_kind v5_kind_of(const struct body *record, enum v5_kind hint);
/* Whether v5_kind_of() looks at fields of this name. */
bool v5_kind_tells(struct str name);

#endif
