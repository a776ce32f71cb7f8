/* Loading for commands that make or change comments. */
#ifndef API_COMMENT_H
#define API_COMMENT_H

#include "api/command.h"

/*
 * For wishes of res_comment or res_comment_body: loads ids for them and for Google documents, the
 * uploads that they name, and people: authors, people mentioned with @ in the texts, and people
 * concerned by the path's story or epic.
 */
void comment_load(struct command *c, const struct wishes *wishes);

#endif
