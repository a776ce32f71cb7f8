/*
 * The files of imports that wait in an object store, where import_files_keep() put them: below
 * import/<id>/, each under the name that it has in the folder of an import. For programs that may
 * wait for the network. False on failure: the problem of `f` says why.
 */
#ifndef IMPORT_STORE_H
#define IMPORT_STORE_H

#include "service/files.h"

/* Copies them into a folder of this host. */
bool import_store_fetch(struct files *f, int64_t id, const char *folder);

/* None there is no failure. */
bool import_store_delete(struct files *f, int64_t id);

/* Calls `each` for every import that has one which is an hour old, once. */
bool import_store_walk(struct files *f, void (*each)(void *to, int64_t id), void *to);

#endif
