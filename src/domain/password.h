/* Password rules: what may be one. */
#ifndef PASSWORD_H
#define PASSWORD_H

#include "lib/str.h"

enum { PASSWORD_MIN_CHARS = 8, PASSWORD_MAX_BYTES = 1000 };

/* Why a text is not a valid password, in a sentence; null: it is valid. */
const char *password_problem(struct str password);

#endif
