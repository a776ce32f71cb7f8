/*
 * The project of an import: the one that is named, or a new one with the settings of its files
 * and what follows from their stories: iterations, point scale.
 */
#ifndef IMPORT_PROJECT_H
#define IMPORT_PROJECT_H

#include "transfer/settle/import_context.h"

/* Before anything is read: whether there are such a project, account and performer. */
enum rc import_project_open(struct import_context *w) MUST_CHECK;

/* Behind all files: the lock of the project, or a new one. */
enum rc import_project_take(struct import_context *w) MUST_CHECK;

/* The version that the project has, when it is there. */
enum rc import_project_version(struct import_context *w) MUST_CHECK;

#endif
