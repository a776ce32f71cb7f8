/*
 * Resource definitions: one row per JSON field says how it is stored, read, written, checked and
 * documented. Rows follow contract part 3, in the order in which the original wrote the keys.
 * This file says what a row means; the code that walks the rows is select (`fields=`), fetch
 * (nested resources), render (JSON out) and bind (JSON in).
 */
#ifndef RESOURCE_H
#define RESOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/stmt.h"
#include "model/value.h"
#include "service/err.h"

enum field_type {
	FT_KIND,    /* the resource's kind; no column */
	FT_INT,     /* smallint to bigint */
	FT_FLOAT,   /* double precision; whole numbers without a fraction */
	FT_DECIMAL, /* the same; whole numbers as "9.0" */
	FT_BOOL,
	FT_STRING,   /* text; messages call it "string" */
	FT_TEXT,     /* text; messages call it "extended_string" */
	FT_WORD,     /* text, one of .words */
	FT_TIME,     /* timestamptz */
	FT_DATE,     /* date */
	FT_IDS,      /* bigint[] */
	FT_STRINGS,  /* text[] */
	FT_JSON,     /* jsonb, given as it is */
	FT_EVENTS,   /* text: JSON as activities keep it (events.h) */
	FT_URL,      /* base URL, .path, the row's id; without .path, the value of the column */
	FT_TOKEN,    /* sealed API token (crypt.h) */
	FT_INLINE,   /* .child, whose columns are in the same row as <name>_<column> */
	FT_ONE,      /* .child whose id is in column .key; .fetch takes ids */
	FT_SOME,     /* .children whose ids are in the bigint[] column .key; .fetch takes ids */
	FT_MANY,     /* .children by parent: .fetch takes parents' ids and gives parent_id */
	FT_MANY_IDS, /* ids of the FT_MANY field .key */
	/* Only in request bodies: */
	FT_ZONE,   /* {"olson_name"} or a name */
	FT_REFS,   /* list of ids or {"id"} */
	FT_LABELS, /* list of {"name"}, {"id"} or names */
	FT_LIST,   /* list of objects, each checked against .child */
	FT_OBJECT, /* object checked against .child */
	/* Only in memory and in activities: */
	FT_TALLY, /* double precision[]: the counts of a label (domain/tally.h) */
};

enum field_flags {
	F_DEFAULT = 1,      /* in the default answer */
	F_KEY = 2,          /* in every answer */
	F_CREATE = 4,       /* allowed in a POST */
	F_UPDATE = 8,       /* allowed in a PUT */
	F_REQUIRED = 16,    /* required in a POST */
	F_NULL = 32,        /* null clears it */
	F_NO_BLANK = 64,    /* "Name can't be blank" */
	F_QUERY = 128,      /* allowed in the query of a write instead of its body */
	F_SIDE = 256,       /* scalar that .fetch gives by parents' ids */
	F_IGNORED = 512,    /* accepted in a body and dropped (contract 2.5) */
	F_HIDES_KEY = 1024, /* FT_ONE: naming it takes the default id in .key out */
	F_HIDDEN = 2048,    /* no field of the answer: only `fields` cannot name it */
	F_ANY_CASE = 4096,  /* FT_WORD: compared without regard to case */
	F_PAST = 8192,      /* FT_TIME, FT_DATE: may lie before 2005 */
	F_MUST = 16384,     /* required in a PUT */
	F_ALONG = 32768,    /* with .before: a parameter that is not enough by itself */
	F_LOOSE = 65536,    /* FT_IDS: what nothing has is left out, so also an id beyond 64 bits */
	/* For objects in memory (object.h): */
	F_STORED = 1 << 17,   /* a column that commands write */
	F_TOLD = 1 << 18,     /* an activity tells its old and new values */
	F_TOLD_NEW = 1 << 19, /* an activity tells it for new objects, not for changes */
	F_NAMES = 1 << 20,    /* is in every change of the object, to name it */
	F_CARRIED = 1 << 21,  /* a column that only imports write, which exports hold */
	F_PARTS = 1 << 22,    /* FT_LIST: in a PUT an item with an id changes that one */
	F_PERSON = 1 << 23,   /* FT_INT: a person, about whom contract 1.4 has sentences */
	F_UNTOLD = 1 << 24,   /* stored and writable, but deliberately in no activity */
	F_AUDIT = 1 << 25,    /* the audit log tells its old and new values (domain/audit.h) */
	F_SITE = 1 << 26,     /* with F_AUDIT: a URL, of which it tells only scheme and host */
	F_RULED = 1 << 27,    /* FT_WORD, FT_STRING: a rule says which values are allowed here */
	F_PRESENT = 1 << 28,  /* being there is all that counts: it may have any value */
	F_WRITE = F_CREATE | F_UPDATE,
};

/* The C type of a member of a struct (object.h). */
enum holds {
	HOLDS_NOTHING,
	HOLDS_INT,
	HOLDS_DOUBLE,
	HOLDS_BOOL,
	HOLDS_WORD,
	HOLDS_STR,
	HOLDS_IDS,
	HOLDS_STRS,
	HOLDS_TALLY,
	HOLDS_OBJECTS,
	HOLDS_WISHES,
	HOLDS_WISH,
	HOLDS_LABELS,
};

struct fetched;
struct arena;
struct db;
struct resource;
struct rows;

struct field {
	const char *name;
	enum field_type type;
	unsigned flags;
	const char *key; /* FT_ONE, FT_SOME, FT_MANY_IDS: see there */
	const struct resource *child;
	enum stmt fetch;
	enum stmt fetch_root; /* FT_SOME: the same by the parent's own id; saves a round trip */
	enum stmt fetch_ids;  /* FT_SOME: the same by parents' ids; likewise for nested parents */
	/* F_SIDE: instead of .fetch, works out the fields that name the same function, from the
	   parents (cell.h) and their ids: structs that begin with the parent's id. May ask the
	   database, for a round trip of its own; the transaction stays open. */
	enum rc (*compute)(struct arena *, struct db *, const struct fetched *parents,
		const int64_t *ids, size_t n, struct objects *values);
	/* F_SIDE: works out the same kind of structs from the rows of .fetch, or without one from
	   the parents' own; asks nobody. */
	struct objects (*derive)(struct arena *, const struct rows *from);
	size_t in; /* where its value lies in the struct of .compute or .derive, as object.h says */
	int64_t min, max;         /* FT_INT: bounds if either is set; texts: .max characters;
	                       lists: .max items */
	const char *const *words; /* FT_WORD: null ended */
	const char *path;         /* FT_URL */
	const char *column;       /* writing: when it is not the name */
	bool is_first;            /* FT_INT, reading: it is the first of the ids in .column */
	const char *blank;        /* sentence instead of "<Name> can't be blank" */
	const char *doc;
	/* Storing: a statement that runs when the value changed: $1 the row's id, $2 the time. */
	enum stmt changed;
	/* A text that searches look into: its source there (store/save_search.h). FT_IDS: of rows
	   that go with this one. */
	const char *search;
	/* Why an export does not hold it although it is a column; null: it does (travel.h). */
	const char *stays;
	size_t at; /* where its value lies in the resource's struct (object.h); 0: nowhere, but for
	              the id, which begins it */
	enum holds holds; /* what lies there */
};

struct resource {
	const char *kind;
	const char *table; /* for writes; null: none by crud */
	const struct field *fields;
	int n_fields;
	enum stmt by_ids;       /* rows by their ids, for FT_ONE and FT_SOME */
	size_t size;            /* of its struct (object.h); 0: it has none */
	const void *preset;     /* initial values of a new object; null: all null */
	const char *number_key; /* it is named by this instead of its id */
	const char *sequence;   /* of its ids; null: <table>_id_seq */
	enum stmt made;         /* runs when one is created: $1 its id, $2 the time */
	enum stmt gone;         /* runs when one is deleted: $1 its id, $2 the time */
	enum stmt removal;      /* runs instead of deleting only the row: $1 its id */
	enum stmt put;          /* saves one instead of the table's row: $1 its id, then the stored
				   fields in table order */
	bool is_answered_as_saved; /* its struct holds all that its row shows: an answer need not
				      read again what it saved */
	bool is_versioned;         /* whatever changes one raises the version of its project */
	int depth; /* rows of smaller depth are written first: those that this one's keys refer to */
};

enum { FIELDS_MAX = 128 }; /* struct fieldset has a bit for each */

#define FIELDS_OF(table) ((int)(sizeof(table) / sizeof *(table)))
#define RESOURCE_FIELDS(table)                                                                     \
	.fields = (table), .n_fields = FIELDS_OF(table) + 0 * sizeof(struct {                      \
		_Static_assert(FIELDS_OF(table) <= FIELDS_MAX,                                     \
			"the table has more fields than FIELDS_MAX");                              \
		char none;                                                                         \
	})

/* Index of a field by name; -1 if there is none. */
int resource_field(const struct resource *r, const char *name);

#endif
