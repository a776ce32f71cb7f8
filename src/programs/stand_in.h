/*
 * Maintenance responder, while no worker can answer: 503 to each request on the listening socket
 * that is file descriptor 0, until SIGTERM. It needs no settings and asks no database.
 */
#ifndef STAND_IN_H
#define STAND_IN_H

void stand_in_run(void);

#endif
