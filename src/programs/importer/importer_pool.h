/*
 * Process pool of planwright-importer. Each process runs one import at a time, and each person
 * has one at a time, so a long import of one person leaves the other processes to everybody else.
 */
#ifndef IMPORTER_POOL_H
#define IMPORTER_POOL_H

#include <stdbool.h>

enum { IMPORTER_POOL_MAX = 16 };

/*
 * Starts this many processes, and restarts those that end. Returns true in each of them; returns
 * false in the calling process, once it was asked to end and all of them have ended. They end
 * with it.
 */
bool importer_pool(int n);

#endif
