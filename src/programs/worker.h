/*
 * The worker's main loop: takes requests from the listening socket on file descriptor 0, one after
 * the other, until SIGTERM or SIGUSR1 ends it (http/accept.h).
 */
#ifndef WORKER_H
#define WORKER_H

void worker_run(void);

/*
 * 0 if a worker could run with the settings; otherwise logs why not. A database that is down is
 * not an error of the settings.
 */
int worker_check(void);

#endif
