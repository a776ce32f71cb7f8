/*
 * Retired versions, XML rendering of objects of version 5, by the tables of old_kind.h; and which
 * fields this needs from version 5.
 */
#ifndef OLD_RENDER_H
#define OLD_RENDER_H

#include "lib/arena.h"
#include "lib/body.h"
#include "lib/xml.h"
#include "old/old_kind.h"

struct old_render {
	struct arena *arena;
	struct xml xml;
	enum old_version version;
	const char *base_url;
};

/* The value of `fields` that brings all that a kind shows. */
struct str old_fields(struct arena *a, const struct old_kind *kind, enum old_version version);

/* One object, as version 5 answers it with date_format=millis. */
void old_render_object(
	struct old_render *r, const struct old_kind *kind, const struct body *object);

/* One field of an object, if there is anything to write. */
void old_render_field(struct old_render *r, const struct old_field *f, const struct body *object);

/* A person by v3's or v4's form, in an element of that name; null: an empty one. */
void old_render_person(struct old_render *r, const char *name, const struct body *person);

/* A text that is not null; else the empty one. */
struct str old_text(const struct body *value);

#endif
