/*
 * Rendering of stored activities: the JSON that they keep, with instants in the format that was
 * asked for, a label's numbers as story_counts, addresses of pages with the service's
 * own in front.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>

#include "lib/json.h"

/* `text` is JSON of this program's own, with or without blanks between its parts. */
void events_put(struct json *j, struct str text, bool millis, const char *base_url);

#endif
