/*
 * Object mapping: plain structs in memory, one for each resource that commands write. A field row
 * with `.at` says where its value is, so that one row of a table serves to load a row, to take a
 * wish from a body, to compare old and new, to save, and to report what changed.
 *
 * Each struct begins with its id. How a value lies there, by the field's type:
 *	FT_INT, FT_TIME (microseconds), FT_DATE (days)    int64_t; NIL is null
 *	FT_FLOAT, FT_DECIMAL                              double; NaN is null
 *	FT_BOOL                                           bool, never null; with F_NULL an int:
 *	                                                  0, 1, or WORD_NONE
 *	FT_STRING, FT_TEXT, FT_ZONE                       struct str; absent is null
 *	FT_WORD                                           int, its place in .words; WORD_NONE is null
 *	FT_IDS, FT_REFS                                   struct ids
 *	FT_STRINGS                                        struct strs
 *	FT_TALLY                                          double[TALLY_MAX]
 *	FT_JSON                                           struct str
 *	FT_SOME, told only                                struct objects of .child
 *	FT_LIST                                           struct wishes (wish.h)
 *	FT_OBJECT                                         struct wish * (wish.h)
 *	FT_LABELS                                         struct label_refs (wish.h)
 * Texts and arrays belong to the request: to its rows, its body or its arena.
 */
#ifndef OBJECT_H
#define OBJECT_H

#include "db/db.h"
#include "lib/json.h"
#include "model/resource.h"
#include "model/value.h"

/* Its id, whatever it is. */
int64_t object_id(const void *object);

/* A new one: the resource's preset, or all null. */
void *object_new(struct arena *a, const struct resource *of);

/* An object whose fields are all null: the start of a wish. */
void *object_null(struct arena *a, const struct resource *of);

/* A copy; texts and arrays are shared. */
void *object_copy(struct arena *a, const struct resource *of, const void *object);

/* Puts a boolean at the place of that field. */
void object_set_bool(const struct field *f, void *p, bool v);

/* Where a field's value lies. */
const void *object_value(const struct field *f, const void *object);

/* Copies one field's value. */
void object_set(const struct field *f, void *to, const void *from);

/* Whether a field is null in an object; arrays and booleans never are. */
bool object_is_null(const struct field *f, const void *object);

/* The same of a value that lies elsewhere. */
bool object_value_is_null(const struct field *f, const void *p);

/* Whether a field has the same value in both. */
bool object_same(const struct field *f, const void *a, const void *b);

/*
 * The objects of a statement's rows; columns have the fields' names. Fields without a
 * column there stay as object_new makes them. `stmt` as in fetch_wrap.
 */
struct objects object_load(struct arena *a, struct db *db, const struct resource *of,
	enum stmt stmt, const struct rows *rows);

/* An array of ids in a row. */
struct ids object_ids(struct arena *a, const struct rows *rows, int row, int column);

/* The value of a stored field as a parameter for its column. */
struct db_param object_param(struct arena *a, const struct field *f, const void *object);

/* The same as JSON, with instants in milliseconds: how activities hold it. */
void object_put(struct json *j, const struct field *f, const void *object);

/* The one with that id; null: none. */
void *objects_find(const struct objects *list, int64_t id);

/* The place of the one with that id in a list in the order of ids; list->n: none. */
size_t objects_place(const struct objects *list, int64_t id);

/* The same objects in the order of their ids. */
struct objects objects_sorted(struct arena *a, struct objects list);

/* Appends to a list of the arena. */
void objects_add(struct arena *a, struct objects *list, void *object);

/* Lists of ids: contains, append, remove; each id occurs once. */
bool ids_have(struct ids ids, int64_t id);
struct ids ids_with(struct arena *a, struct ids ids, int64_t id);
struct ids ids_without(struct arena *a, struct ids ids, int64_t id);
struct ids ids_once(struct arena *a, struct ids ids);
bool ids_same(struct ids a, struct ids b);

#endif
