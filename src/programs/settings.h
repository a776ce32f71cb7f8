/* Settings of the supervisor (parent.h), which waits until they are right. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { SETTINGS_WORKERS_MAX = 200 };

struct settings {
	int workers;       /* at least one */
	uint64_t stamp;    /* of their files: changes whenever a file does */
	char problem[512]; /* for the operator, if they are wrong; otherwise empty */
	bool may_pass; /* nothing is wrong with them: the program lacked something to read them */
};

/* False: they are wrong. workers: the number from the command line; null: use the setting. */
bool settings_read(struct settings *s, const char *workers);

#endif
