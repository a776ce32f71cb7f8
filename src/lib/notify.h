/*
 * Service manager notification (systemd): the socket that it passes, and what it is told
 * (sd_listen_fds(3), sd_notify(3)). Where there is none, nothing happens.
 */
#ifndef NOTIFY_H
#define NOTIFY_H

#include <stdint.h>

/* The first descriptor that was passed to this process; -1: none was. */
int notify_listening(void);

/* Tells a state: "READY=1", or several lines. */
void notify_send(const char *state);

/* How often "WATCHDOG=1" must be told, in milliseconds: twice as often as it is asked for; 0: never. */
int64_t notify_watchdog_ms(void);

/* Takes all of it out of the environment: for a process that is another one's child. */
void notify_forget(void);

#endif
