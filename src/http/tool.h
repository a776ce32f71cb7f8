/*
 * MCP tools, made from rows of routes (struct tool, route.h): the list of tools, and their
 * arguments. A name in `takes` is a parameter of the row's query or a field of its body.
 */
#ifndef TOOL_H
#define TOOL_H

#include "http/route.h"

/* A tool, and the row that it is. */
struct tool_place {
	const struct route *route;
	const struct tool *tool;
};

/* All of them, one after the other: i from 0; false after the last. */
bool tool_at(int i, struct tool_place *place);
/* By its name; false: there is none. */
bool tool_find(struct str name, struct tool_place *place);

/* Where an argument goes. */
enum tool_target {
	TOOL_TO_PATH,
	TOOL_TO_QUERY, /* .param, or null for limit and offset */
	TOOL_TO_BODY,  /* .field */
	TOOL_TO_US,    /* `whole`; `limit` and `offset` of a list whose row has no pages */
};

struct tool_argument {
	enum tool_target target;
	char name[40];
	const struct param *param;
	const struct field *field;
	bool is_needed;
};

enum { TOOL_ARGUMENTS_MAX = 24 };

/* The arguments, those of the path first, in the order of `takes`; their number. */
int tool_arguments(const struct tool_place *place, struct tool_argument list[TOOL_ARGUMENTS_MAX]);

/* Ends the program if a tool takes what its row does not have, or two have one name. */
void tool_check(void);

#endif
