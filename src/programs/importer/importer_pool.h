/*
 * Process pool of planwright-importer. Each does one import at a time, and a person has one at a
 * time, so a long import of one person leaves the others to everybody else.
 */
#ifndef IMPORTER_POOL_H
#define IMPORTER_POOL_H

#include <stdbool.h>

enum { IMPORTER_POOL_MAX = 16 };

/*
 * Starts so many, and one again that ends. True in each of them, which goes on; false in the process
 * that called, once it was asked to end and all of them have ended. They end with it.
 */
bool importer_pool(int n);

#endif
