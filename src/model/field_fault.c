#include "model/field_fault.h"

#include "model/object.h"

/* What object.h says of the type's members. */
static enum holds type_holds(const struct field *f)
{
	switch (f->type) {
	case FT_INT:
	case FT_TIME:
	case FT_DATE: return HOLDS_INT;
	case FT_FLOAT:
	case FT_DECIMAL: return HOLDS_DOUBLE;
	case FT_BOOL: return f->flags & F_NULL ? HOLDS_WORD : HOLDS_BOOL;
	case FT_WORD: return HOLDS_WORD;
	case FT_IDS:
	case FT_REFS: return HOLDS_IDS;
	case FT_STRINGS: return HOLDS_STRS;
	case FT_TALLY: return HOLDS_TALLY;
	case FT_SOME: return HOLDS_OBJECTS;
	case FT_LIST: return HOLDS_WISHES;
	case FT_OBJECT: return HOLDS_WISH;
	case FT_LABELS: return HOLDS_LABELS;
	default: return HOLDS_STR;
	}
}

/* A new object would have the number 0 instead of none. */
static bool begins_as_0(const struct resource *of, const struct field *f)
{
	const void *v = of->preset && f->at ? object_value(f, of->preset) : NULL;
	if (!v || !(f->flags & F_STORED))
		return false;
	return f->holds == HOLDS_INT ? *(const int64_t *)v == 0
				     : f->holds == HOLDS_DOUBLE && *(const double *)v == 0;
}

/* A column of its own row, which commands save. */
static bool is_saved(const struct resource *of, const struct field *f)
{
	return (of->table || of->put) && f->flags & F_STORED;
}

/* A value that clients or rules give, and that is not only a means to change another field. */
static bool should_be_saved(const struct resource *of, const struct field *f)
{
	return of->table && f->at && f->flags & (F_WRITE | F_TOLD) &&
		!(f->flags & (F_SIDE | F_HIDDEN)) && !f->column;
}

const char *field_fault(const struct resource *of, const struct field *f)
{
	bool is_text = f->type == FT_STRING || f->type == FT_TEXT;
	if (is_saved(of, f) && !f->at)
		return "is stored but has no place in its struct";
	if (is_saved(of, f) && f->flags & F_WRITE && !(f->flags & (F_TOLD | F_TOLD_NEW | F_UNTOLD)))
		return "is neither told nor untold";
	if (f->at && f->holds != type_holds(f))
		return "has a member of another C type than object.h says";
	if (begins_as_0(of, f))
		return "begins as 0: the preset must say what a new one has, or NIL";
	if (is_text && f->flags & F_WRITE && !(f->flags & (F_RULED | F_IGNORED)) && !f->max)
		return "is a text without a .max, and not F_RULED";
	if (should_be_saved(of, f) && !(f->flags & F_STORED))
		return "is written or told, but not stored";
	return NULL;
}
