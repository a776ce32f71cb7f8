#include "model/cell.h"

#include "model/object.h"

static const struct field *field_of(const struct fetched *f, int i)
{
	return &f->selection->resource->fields[i];
}

int cell_count(const struct fetched *f)
{
	return f->rows ? db_count(f->rows) : (int)f->objects.n;
}

bool cell_has(const struct fetched *f, int i)
{
	return !f->rows || f->columns[i] >= 0;
}

static bool first_id(const struct fetched *f, int row, int i, int64_t *id)
{
	struct db_array ids = db_array(f->rows, row, f->columns[i]);
	return db_array_next_int(&ids, id);
}

bool cell_is_null(const struct fetched *f, int row, int i)
{
	if (!f->rows)
		return object_is_null(field_of(f, i), f->objects.v[row]);
	if (!cell_has(f, i) || db_is_null(f->rows, row, f->columns[i]))
		return true;
	int64_t id;
	return field_of(f, i)->is_first && !first_id(f, row, i, &id);
}

int64_t cell_int(const struct fetched *f, int row, int i)
{
	int64_t id = 0;
	if (f->rows && field_of(f, i)->is_first)
		return first_id(f, row, i, &id) ? id : 0;
	if (f->rows)
		return db_get_int(f->rows, row, f->columns[i]);
	return *(const int64_t *)object_value(field_of(f, i), f->objects.v[row]);
}

int64_t cell_key(const struct fetched *f, int row)
{
	if (!f->rows)
		return object_id(f->objects.v[row]);
	bool has_key = f->key_field >= 0 && cell_has(f, f->key_field);
	return has_key ? cell_int(f, row, f->key_field) : 0;
}

struct cell_ids cell_ids(const struct fetched *f, int row, int i)
{
	if (f->rows)
		return (struct cell_ids){ .array = db_array(f->rows, row, f->columns[i]) };
	const struct ids *ids = object_value(field_of(f, i), f->objects.v[row]);
	return (struct cell_ids){ .ids = *ids };
}

size_t cell_ids_left(const struct cell_ids *ids)
{
	return ids->ids.n + (size_t)ids->array.left;
}

bool cell_next_id(struct cell_ids *ids, int64_t *id)
{
	if (ids->ids.n == 0)
		return db_array_next_int(&ids->array, id);
	*id = *ids->ids.v++;
	ids->ids.n--;
	return true;
}
