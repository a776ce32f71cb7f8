/* Second-factor codes, as people type them. */
#ifndef SECOND_FACTOR_H
#define SECOND_FACTOR_H

#include <stdbool.h>

#include "lib/arena.h"
#include "lib/str.h"

enum { SECOND_FACTOR_RECOVERY_CODES = 10, SECOND_FACTOR_RECOVERY_CHARS = 10 };

/* Without blanks and hyphens, in lower case: as it is compared. */
struct str second_factor_tidy(struct arena *a, struct str code);

/* Whether a tidy code can be an authenticator's; otherwise it can be a recovery code. */
bool second_factor_is_step(struct str code);

/* A recovery code made of random letters, as it is shown: "abcde-fghjk". */
struct str second_factor_show(struct arena *a, struct str letters);

#endif
