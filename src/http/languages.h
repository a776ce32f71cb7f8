/* Accept-Language: which language a browser's user prefers. */
#ifndef HTTP_LANGUAGES_H
#define HTTP_LANGUAGES_H

#include <stdbool.h>

#include "lib/str.h"

/*
 * Does this language come before the other one in a list like "de-AT,de;q=0.9,en;q=0.7"? Browsers
 * list preferred languages first, so weights are ignored, except that 0 means not at all.
 */
bool languages_prefer(struct str list, const char *language, const char *other);

#endif
