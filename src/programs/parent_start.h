/* Start-up of the supervisor (parent.h): socket, signals, its own path. */
#ifndef PARENT_START_H
#define PARENT_START_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts the listening socket, at `where` or the passed one, on file descriptor 0; ends the program
 * if there is none. Returns the path of a socket made here, or null. is_kept: the service manager
 * holds the socket and starts this program again for waiting connections.
 */
const char *parent_start_take_socket(const char *where, bool *is_kept);

/* A descriptor that receives the signals a parent handles. */
int parent_start_take_signals(void);

/* The path where a newer program will be installed. */
void parent_start_find_program(const char *argv0, char *path, size_t size);

#endif
