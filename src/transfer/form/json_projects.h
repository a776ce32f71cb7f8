/*
 * Which project is meant by JSON that has records of several: the one that the command names,
 * or the only one that has stories.
 */
#ifndef JSON_PROJECTS_H
#define JSON_PROJECTS_H

#include "transfer/form/v5.h"

enum { JSON_PROJECTS_MAX = 32 };

struct json_projects {
	struct intake *in;
	int file;
	const char *where;
	size_t n;
	struct json_project {
		int64_t id;
		int64_t stories;
		char name[256]; /* "" when it is not known */
	} projects[JSON_PROJECTS_MAX];
};

void json_projects_init(struct json_projects *p, struct intake *in, int file, const char *where);

/*
 * Looks at all bytes; before them from the first to the last at pass 0 the numbers alone, then
 * at pass 1 the records, which costs nothing where there is one project.
 */
enum rc json_projects_look(
	struct json_projects *p, int pass, struct intake_bytes *bytes) MUST_CHECK;

/* NIL: there is one, or none is named. False: remarked as INTAKE_ERROR which to name. */
bool json_projects_choose(struct json_projects *p, int64_t *project);

#endif
