/* Parses cells of tables: texts, numbers, words, one kind a function. */
#ifndef CELL_H
#define CELL_H

#include "lib/buf.h"
#include "lib/str.h"
#include "model/value.h"

/*
 * Without the ' that a program put before `=`, `+`, `-`, `@`, TAB or CR, so that a spreadsheet
 * takes the text for no formula.
 */
struct str cell_text(struct str cell);

/* Digits, perhaps with a # in front, or .0 behind: above 0, or NIL. */
int64_t cell_id(struct str cell);

/* The place in a table of words (model/words.h) in lower case; WORD_NONE: it is none of them. */
int cell_word(const char *const *words, struct str cell);

/* A number with or without a fraction, behind a point or a comma; -1 and none at all: NIL. */
enum cell_estimate { CELL_ESTIMATE_NONE, CELL_ESTIMATE_READ, CELL_ESTIMATE_BAD };
enum cell_estimate cell_estimate(struct str cell, double *estimate);

/* An address in a repository, `https://github.com/owner/repo/pull/7`; all parts lie in it. */
struct cell_place {
	struct str host_url; /* with the slash at its end */
	struct str owner, repo;
	struct str name; /* behind the word: `7` */
};

/* The word is `pull`, whose name is a number, or `tree`, whose name is a branch. */
bool cell_place(struct str url, const char *word, struct cell_place *place);

/* Text in quotes, on one line, without loss: a string of JSON. */
void cell_quote(struct buf *b, struct str text);

#endif
