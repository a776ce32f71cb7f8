/* Start-up of the supervisor (parent.h): socket, signals, its own path. */
#ifndef PARENT_START_H
#define PARENT_START_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Puts the listening socket, at `where` or what was passed, on file descriptor 0; ends the program
 * when there is none. The path of a socket of our own, or null. is_kept: somebody holds the
 * socket who starts this program again for whoever waits there.
 */
const char *parent_start_take_socket(const char *where, bool *is_kept);

/* A descriptor on which the signals arrive that a parent knows. */
int parent_start_take_signals(void);

/* The path at which a newer program will stand, when it is installed. */
void parent_start_find_program(const char *argv0, char *path, size_t size);

#endif
