/*
 * Records of the API's fifth revision (contract 2.1), as replies, dumps and this program's
 * export have them, become records of an import (intake.h). What a record is, is told by its
 * `kind`, by where it stands or by its fields; what belongs to it and stands in it becomes
 * records of its own.
 */
#ifndef V5_H
#define V5_H

#include "lib/arena.h"
#include "lib/body.h"
#include "transfer/common/counts.h"
#include "transfer/common/intake.h"
#include "transfer/form/v5_kind.h"

/* To what a record belongs that does not say it; NIL: unknown. */
struct v5_parent {
	int64_t story, epic, comment;
	const struct body *iteration; /* of which it is a story; null: unknown */
};

struct v5 {
	struct intake *in;
	int file;
	const char *where;  /* the file's name, for remarks */
	struct arena arena; /* of the record at hand */
	int64_t project;    /* only records of this one are taken; NIL: all */
	bool whole;         /* of this program's own export */
	bool unordered;     /* the order of stories and epics says nothing */

	/*
	 * Where a file's content is: fills *word with what the intake gave for it, or leaves it
	 * absent, *told when a remark says why. Null: nowhere.
	 */
	enum rc (*content)(struct v5 *v, const struct body *file, struct str *word, bool *told);
	void *content_of;

	/* Not null: records are shown to it, and not put. */
	enum rc (*look)(struct v5 *v, enum v5_kind kind, const struct body *record);

	struct record record; /* in the making */
	int64_t taken;        /* records */
	struct counts counts; /* how many of what was put and said */
};

void v5_init(struct v5 *v, struct intake *in, int file, const char *where);
void v5_free(struct v5 *v);

/*
 * Puts the record and all that is in it. What cannot be read of it is remarked. Returns what
 * put() does. The arena is the caller's to empty.
 */
enum rc v5_put(struct v5 *v, int64_t line, const struct body *record, enum v5_kind hint,
	const struct v5_parent *parent) MUST_CHECK;

#endif
