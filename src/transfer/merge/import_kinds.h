/*
 * Table of the kinds of objects that an import merges in the same steps
 * (sql/queries/import_part.sql), with what is particular to each kind. Columns are those of the
 * kind's resource.
 */
#ifndef IMPORT_KINDS_H
#define IMPORT_KINDS_H

#include "transfer/settle/import_context.h"

/* What the words in braces of the statements stand for; null: the step is not for this kind. */
struct import_kind {
	enum intake_kind kind;
	bool is_plain;       /* nothing else is to be done for it, and it waits for stories alone */
	const char *also;    /* columns that it makes beside those that travel: ", rank" */
	const char *apart;   /* fields whose change alone is none, names with spaces between */
	const char *told_by; /* columns that a change is known by, instead of all that can change */
	const char *here;    /* whether a row t of the table is one of this project (run r), or
				hangs where the merged row m does */
	const char *natural; /* of a row x of the table: the natural_key; null: it has none */
	const char *mine;    /* which rows x of the table are those of the project (run r) */
	const char *parent;  /* of a staged row s: where it hangs; null: nowhere */
	const char *alike;   /* of a staged row s: a text that tells it from others there */
	const char *which;   /* the same to the letter, where that differs */
	enum stmt merge;     /* makes merged_<kind> */
	const char *field;   /* the one that the step is about */
};
extern const struct import_kind import_kinds[];
extern const int import_kinds_count;

const struct import_kind *import_kind_of(enum intake_kind kind);

/* A step for a kind. */
enum rc import_kind_run(struct import_context *w, const struct import_kind *k, enum stmt stmt,
	int n, const struct db_param *params) MUST_CHECK;

/* Remarks that a step's rows make (context_remarks). */
enum rc import_kind_remark(
	struct import_context *w, const struct import_kind *k, enum stmt stmt) MUST_CHECK;

/* Records of one thing become one: those with its id, and those without that are like it. */
enum rc import_kind_fold(struct import_context *w, const struct import_kind *k) MUST_CHECK;

/* Ids of all merged rows: those that they had before, have in the files, or new ones. */
enum rc import_kind_name(struct import_context *w, const struct import_kind *k) MUST_CHECK;

/* What is to be done with each row, by what is here. */
enum rc import_kind_decide(struct import_context *w, const struct import_kind *k) MUST_CHECK;

/* Rows, what is remembered of them, counts and remarks. */
enum rc import_kind_write(struct import_context *w, const struct import_kind *k) MUST_CHECK;

#endif
