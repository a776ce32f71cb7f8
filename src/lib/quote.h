/* Quoting clients' texts in errors: shortened, since readers only need to recognize them. */
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

/* Well-formed UTF-8 as part of a line: with a blank for each control character. NUL ended, too. */
struct str quote_line(struct arena *a, struct str s);

/*
 * The same JSON on one line wherever it is read: DEL, U+0080 to U+009F and the line ends U+2028 and
 * U+2029, which JSON need not escape, are escaped. What is not UTF-8 stays.
 */
struct str quote_json(struct arena *a, struct str json);

#endif
