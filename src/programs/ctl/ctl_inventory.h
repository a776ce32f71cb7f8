/*
 * Inventory of a folder or an object store: all attached files in their places, by name. For
 * commands that compare two, or one with a list.
 */
#ifndef CTL_INVENTORY_H
#define CTL_INVENTORY_H

#include "programs/ctl/ctl.h"
#include "service/files.h"

struct ctl_inventory_file {
	const char *place;
	int64_t size;
};

/* In the order of names; in the arena of ctl. */
struct ctl_inventory {
	struct ctl_inventory_file *files;
	size_t n;
};

/* Looks at all of it; a failure ends the command. */
struct ctl_inventory ctl_inventory_take(struct ctl *c, struct files *f);

/* The one of that name; null: there is none. */
const struct ctl_inventory_file *ctl_inventory_find(
	const struct ctl_inventory *s, const char *place);

#endif
