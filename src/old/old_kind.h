/*
 * Retired versions, the tables of fields: a kind is an XML element with rows of fields, and a row
 * says which member of version 5 it stands for and in which format it is written and read. The
 * tables are walked by old_render.h, which also says what to request from version 5, and by
 * old_wish.h.
 */
#ifndef OLD_KIND_H
#define OLD_KIND_H

#include "lib/str.h"

enum old_version { OLD_V3 = 1, OLD_V4 = 2 };

enum old_form {
	OLD_TEXT,
	OLD_INT,
	OLD_NUMBER, /* type="float" */
	OLD_BOOL,
	OLD_TIME,      /* 2013/05/07 12:00:00 UTC */
	OLD_DATE,      /* 2013-05-07; slashes are read, too */
	OLD_ESTIMATE,  /* -1: none; whole in v3, a float in v4 */
	OLD_LABELS,    /* one text with commas */
	OLD_PERSON,    /* the name in v3; in v4 an element with the person */
	OLD_NAME,      /* of an object its name */
	OLD_ROLE,      /* with a capital */
	OLD_AVERAGE,   /* "Average of 3 iterations" */
	OLD_ADDRESS,   /* of this server, of which version 5 gives the path */
	OLD_CONSTANT,  /* .of */
	OLD_SECURE,    /* whether this server has https */
	OLD_LINKED,    /* the id in a linked system of the integration's kind .of */
	OLD_LINK,      /* its page there */
	OLD_OBJECT,    /* .child */
	OLD_SAME,      /* .child, of the same object */
	OLD_LIST,      /* of .child */
	OLD_NOTES,     /* the same without those that have files and no text */
	OLD_NOTE_FILES /* the files of such a list */
};

enum old_flags {
	OLD_WRITTEN = 1,   /* a write takes it; others are ignored in bodies, as they were */
	OLD_CLEARS = 2,    /* written empty, it becomes null; else that is as if it was not sent */
	OLD_EMPTY_TOO = 4, /* answers have it, too, when it is empty */
	OLD_NOT_ASKED = 8, /* another row asks for it */
	OLD_ONLY_ASKED = 16, /* it is there for other rows */
	OLD_IS_BOOL = 64,    /* a constant that is a boolean */
	OLD_ONLY_TRUE = 32   /* a boolean that version 5 takes for true whenever it is sent */
};

struct old_kind;

struct old_field {
	const char *name;
	enum old_form form;
	const char *v5; /* the member of version 5's object; null: its name */
	unsigned flags;
	unsigned versions; /* 0: both */
	const struct old_kind *child;
	const char *of;     /* see the form */
	const char *writes; /* version 5's name in bodies, where it is another */
};

struct old_kind {
	const char *name, *plural;
	const struct old_field *fields; /* end with one without name */
};

extern const struct old_kind old_token, old_me, old_project, old_membership, old_story, old_note,
	old_comment, old_task, old_receipt, old_iteration, old_activity, old_commit;

/* Whether the version has it. */
bool old_has(const struct old_field *f, enum old_version version);

/* The row of an element's name, which may have dashes for underscores; null: there is none. */
const struct old_field *old_field(
	const struct old_kind *kind, enum old_version version, struct str name);

/* The member of version 5's object. */
const char *old_source(const struct old_field *f);

#endif
