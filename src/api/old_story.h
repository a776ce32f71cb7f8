/* Writes of the retired versions: people by their names, and values as these versions show them. */
#ifndef OLD_STORY_H
#define OLD_STORY_H

#include "http/req.h"

/*
 * The act of a write: puts into r->body the ids of the people whom r->old.wish names. What says the
 * same as the story has, such as its first owner of several or a time without its fraction, becomes
 * what the story has. Then version 5's act.
 */
enum rc old_story_write(struct req *r) MUST_CHECK;

#endif
