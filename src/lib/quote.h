/* Texts of clients in errors, whose readers need no more than to recognize them. */
#ifndef QUOTE_H
#define QUOTE_H

#include "lib/arena.h"
#include "lib/str.h"

/*
 * Any bytes as one line of well-formed UTF-8: of at most 60 characters, and an ellipsis if there were
 * more. Each control character and each byte that is not UTF-8 becomes U+FFFD. NUL ended, the NUL not
 * counted; the absent string becomes the empty one.
 */
struct str quote_text(struct arena *a, struct str s);

#endif
