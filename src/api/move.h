/* Loading for a story that moves to another project (domain/move.h). */
#ifndef MOVE_LOAD_H
#define MOVE_LOAD_H

#include "api/command.h"

/* Queues what move_settle and move_follow ask for. */
void move_load(struct command *c);

#endif
