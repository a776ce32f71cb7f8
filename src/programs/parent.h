/*
 * Worker supervisor, the parent of the workers of a host: `planwright.fcgi --workers N`. It has
 * the listening socket and starts workers on it, each as this program anew: so what was installed
 * or set meanwhile counts for the next one. It takes no request and never asks the database.
 *   A worker that ends is started again (lib/respawn.h).
 *   SIGHUP: the settings are read again, and workers renewed one by one: another one is ready
 *   before the old one is asked to end. A new one that ends instead leaves the rest as it is.
 *   SIGTERM, SIGINT, SIGUSR1: all end after their request; a second signal does not wait.
 * A worker that cannot live with its settings ends with LOG_STATUS_CONFIG; when no other one
 * answers requests, so does the parent.
 */
#ifndef PARENT_H
#define PARENT_H

struct parent_options {
	const char *workers; /* how many; null: as the setting says */
	const char *socket;  /* where to listen (lib/listen.h); null: what was passed */
};

/* Until a signal; the program's status. argv0: how this program was called. */
int parent_run(const struct parent_options *options, const char *argv0);

/* For a worker: it is ready for requests. Without a parent nothing happens. */
void parent_tell_ready(void);

#endif
