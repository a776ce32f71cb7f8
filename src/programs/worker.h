/*
 * The worker's main loop: takes requests from the listening socket on file descriptor 0, one after
 * the other, until SIGTERM or SIGUSR1 ends it (http/accept.h).
 */
#ifndef WORKER_H
#define WORKER_H

void worker_run(void);

/*
 * Whether a worker could live with the settings: 0; otherwise it is logged why not. A database that
 * is away is none of their faults.
 */
int worker_check(void);

#endif
