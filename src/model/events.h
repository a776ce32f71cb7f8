/*
 * Rendering of stored activities: their JSON, with times in the requested format, a label's
 * numbers as story_counts, and page addresses prefixed with the server's own.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>

#include "lib/json.h"

/* `text` is JSON of this program's own, with or without blanks between its parts. */
void events_put(struct json *j, struct str text, bool millis, const char *base_url);

#endif
