/*
 * Worker supervisor, the parent of the workers of a host: `planwright.fcgi --workers N`. It holds
 * the listening socket and starts workers on it, each by executing the program anew, so that the
 * next one uses whatever has been installed or configured in the meantime. It takes no requests
 * and never uses the database.
 *   A worker that ends is started again (lib/respawn.h). SIGHUP: the settings are read again, and
 *   workers are renewed one by one: a worker is asked to end only once its successor is ready. If
 *   a new worker ends instead, the others stay as they are. SIGTERM, SIGINT, SIGUSR1: all end
 *   after their request; a second signal does not wait.
 * A worker that cannot run with its settings ends with LOG_STATUS_CONFIG; if no other worker
 * answers requests, so does the parent.
 */
#ifndef PARENT_H
#define PARENT_H

struct parent_options {
	const char *workers; /* how many; null: use the setting */
	const char *socket;  /* where to listen (lib/listen.h); null: on the passed socket */
};

/* Until a signal; the program's status. argv0: how this program was called. */
int parent_run(const struct parent_options *options, const char *argv0);

/* For a worker: it is ready for requests. Without a parent nothing happens. */
void parent_tell_ready(void);

#endif
