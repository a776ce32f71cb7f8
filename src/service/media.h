/*
 * Media types and thumbnails of files, provided by planwright-media, a separate program, which
 * reads what strangers sent in a process that has no secrets and little memory and time. It also
 * makes the thumbnails.
 *
 * Only one runs at a time for all workers of this user on this host, because hostile pictures use
 * up the host's processors and memory.
 */
#ifndef MEDIA_H
#define MEDIA_H

#include <stdbool.h>

enum { MEDIA_TYPE_MAX = 128, MEDIA_WAIT_SECONDS = 15, MEDIA_PAUSE_MS = 10 };

struct media {
	char type[MEDIA_TYPE_MAX]; /* "image/png"; application/octet-stream if unknown */
	int width, height;         /* of a picture; 0: none */
	bool thumbnailable;        /* small and big were written */
};

/*
 * Examines the file and writes thumbnails to the other two, which are empty. Never fails: a file
 * that takes too long or crashes the program gets no thumbnails, and if its turn does not come
 * within MEDIA_WAIT_SECONDS, no type either.
 */
void media_look(int file, int small, int big, struct media *m);

/*
 * The same in two steps, for callers that can do something else while others have their turn.
 * False: it is not free now.
 */
struct media_turn {
	int fd;
};
bool media_try_turn(struct media_turn *turn);

/* Looks, and gives the turn back. */
void media_look_in_turn(struct media_turn *turn, int file, int small, int big, struct media *m);

/* The result for a file whose turn did not come. */
void media_look_away(struct media *m);

/* The type of the thumbnails made from a file of that type. */
const char *media_picture_type(const char *type);

#endif
