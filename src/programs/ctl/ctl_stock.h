/*
 * What a folder or an object store has: all attached files in their places, by name. For commands
 * that compare two, or one with a list.
 */
#ifndef CTL_STOCK_H
#define CTL_STOCK_H

#include "programs/ctl/ctl.h"
#include "service/files.h"

struct ctl_stock_file {
	const char *place;
	int64_t size;
};

/* In the order of names; in the arena of ctl. */
struct ctl_stock {
	struct ctl_stock_file *files;
	size_t n;
};

/* Looks at all of it; a failure ends the command. */
struct ctl_stock ctl_stock_take(struct ctl *c, struct files *f);

/* The one of that name; null: there is none. */
const struct ctl_stock_file *ctl_stock_find(const struct ctl_stock *s, const char *place);

#endif
