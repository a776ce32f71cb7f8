/* Rules of named tokens: which projects one may be for, and until when (contract 1.17). */
#ifndef TOKEN_H
#define TOKEN_H

#include "lib/arena.h"
#include "model/things.h"

/*
 * Why a token cannot be made as it is wished, in a sentence, and the field that it is about; null:
 * it can. `names_none`: the wish has a list of projects, and it is empty. `own`: those of the wish's
 * projects that the person is in.
 */
const char *token_problem(struct arena *a, const struct token *wish, bool names_none,
	struct ids own, int64_t now, const char **field);

#endif
