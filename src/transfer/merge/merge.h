/* Merges the staged tables into the project's: all but the project's own row and its history. */
#ifndef MERGE_H
#define MERGE_H

#include "transfer/settle/import_context.h"

enum rc merge_all(struct import_context *w) MUST_CHECK;

#endif
