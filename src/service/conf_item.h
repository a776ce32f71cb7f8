/* One setting: its row, for code that reads or lists settings. */
#ifndef CONF_ITEM_H
#define CONF_ITEM_H

#include <stddef.h>
#include <stdint.h>

struct conf_item {
	const char *name;
	enum { CONF_TEXT, CONF_SECRET, CONF_BOOL, CONF_INT } type;
	size_t offset;      /* of its member in struct conf */
	const char *preset; /* value when nothing is set; null: required */
	int64_t min, max;   /* CONF_INT: bounds; CONF_SECRET: min length */
};

#endif
