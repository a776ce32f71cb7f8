/*
 * Graceful shutdown: signals that ask a program to finish what it is doing, and exit.
 */
#ifndef STOP_H
#define STOP_H

#include <stdbool.h>

/* From now on SIGTERM, SIGINT and SIGUSR1 (what some starters send) are noted, SIGPIPE ignored. */
void stop_prepare(void);

/* Whether one came. */
bool stop_asked(void);

#endif
