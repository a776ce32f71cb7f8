/* Settings of the supervisor (parent.h), which waits until they are right. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { SETTINGS_WORKERS_MAX = 200 };

struct settings {
	int workers;       /* at least one */
	uint64_t stamp;    /* of the files that they came from: another one, another stamp */
	char problem[512]; /* for the operator, when they are wrong; else empty */
};

/* False: they are wrong. workers: how many the command line wants; null: as the setting says. */
bool settings_read(struct settings *s, const char *workers);

#endif
