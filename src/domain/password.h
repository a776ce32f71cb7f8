/* Password rules: what may be one. */
#ifndef PASSWORD_H
#define PASSWORD_H

#include "lib/str.h"

enum { PASSWORD_MIN_CHARS = 8, PASSWORD_MAX_BYTES = 1000 };

/* Why a text is none, in a sentence; null: it is one. */
const char *password_problem(struct str password);

#endif
