/*
 * Media types and thumbnails of files: asked of planwright-media, a program of its own beside the
 * worker, which reads what strangers sent in a process that holds no secret and
 * has little memory and time. It also makes the smaller pictures.
 *
 * One is at work at a time for all workers of this user on this host: it is their
 * processors and memory that hostile pictures use up.
 */
#ifndef MEDIA_H
#define MEDIA_H

#include <stdbool.h>

enum { MEDIA_TYPE_MAX = 128, MEDIA_WAIT_SECONDS = 15, MEDIA_PAUSE_MS = 10 };

struct media {
	char type[MEDIA_TYPE_MAX]; /* "image/png"; application/octet-stream when nobody knows */
	int width, height;         /* of a picture; 0: none */
	bool thumbnailable;        /* small and big were written */
};

/*
 * Looks at the file and writes pictures to the other two, which are empty. Never fails: a file
 * that takes too long or ends the program has no pictures, and none and no type when the turn
 * does not come within MEDIA_WAIT_SECONDS.
 */
void media_look(int file, int small, int big, struct media *m);

/*
 * The same in two steps, for who has something else to do while others have their turn. False: it
 * is not free now.
 */
struct media_turn {
	int fd;
};
bool media_try_turn(struct media_turn *turn);

/* Looks, and gives the turn back. */
void media_look_in_turn(struct media_turn *turn, int file, int small, int big, struct media *m);

/* What is said of a file for which nobody had the time. */
void media_look_away(struct media *m);

/* The type of the pictures that are made of a file of that type. */
const char *media_picture_type(const char *type);

#endif
