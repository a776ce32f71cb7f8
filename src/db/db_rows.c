#include <arpa/inet.h>
#include <endian.h>
#include <string.h>

#include "db/db.h"
#include "db/db_rows.h"
#include "lib/log.h"

/* PostgreSQL counts instants and days from 2000-01-01. */
static const int64_t EPOCH_US = INT64_C(946684800000000);
static const int32_t EPOCH_DAYS = 10957;

/* Parameters ------------------------------------------------------------ */

struct db_param db_null(void)
{
	return (struct db_param){ NULL, 0, 0 };
}

struct db_param db_int(struct arena *a, int64_t v)
{
	uint64_t *p = arena_alloc(a, sizeof *p);
	*p = htobe64((uint64_t)v);
	return (struct db_param){ (const char *)p, sizeof *p, 1 };
}

struct db_param db_time(struct arena *a, int64_t us)
{
	return db_int(a, us - EPOCH_US);
}

struct db_param db_float(struct arena *a, double v)
{
	int64_t bits;
	memcpy(&bits, &v, sizeof bits);
	return db_int(a, bits);
}

struct db_param db_date(struct arena *a, int32_t days)
{
	uint32_t *p = arena_alloc(a, sizeof *p);
	*p = htobe32((uint32_t)(days - EPOCH_DAYS));
	return (struct db_param){ (const char *)p, sizeof *p, 1 };
}

struct db_param db_int_or_null(struct arena *a, int64_t v, int64_t null)
{
	return v == null ? db_null() : db_int(a, v);
}

struct db_param db_bool(struct arena *a, bool v)
{
	char *p = arena_alloc(a, 1);
	*p = v;
	return (struct db_param){ p, 1, 1 };
}

struct db_param db_text(struct arena *a, struct str s)
{
	if (!s.p)
		return db_null();
	return (struct db_param){ arena_str(a, s).p, (int)s.n, 0 };
}

struct db_param db_bytes(struct str s)
{
	return (struct db_param){ s.p, (int)s.n, 1 };
}

/* The binary form of a one-dimensional bigint array (array_recv). */
struct db_param db_ids(struct arena *a, const int64_t *ids, size_t n)
{
	size_t size = 20 + n * 12;
	char *p = arena_alloc(a, size);
	uint32_t head[5] = { htobe32(n ? 1 : 0), 0, htobe32(20), htobe32((uint32_t)n), htobe32(1) };
	memcpy(p, head, sizeof head);
	for (size_t i = 0; i < n; i++) {
		uint32_t length = htobe32(8);
		uint64_t value = htobe64((uint64_t)ids[i]);
		memcpy(p + 20 + i * 12, &length, 4);
		memcpy(p + 24 + i * 12, &value, 8);
	}
	return (struct db_param){ p, (int)(n ? size : 12), 1 };
}

struct db_param db_ids_or_null(struct arena *a, const int64_t *ids, size_t n, int64_t null)
{
	char *start = arena_alloc(a, 20 + n * 12), *p = start + 20;
	uint32_t head[5] = { htobe32(n ? 1 : 0), htobe32(1), htobe32(20), htobe32((uint32_t)n),
		htobe32(1) };
	memcpy(start, head, sizeof head);
	for (size_t i = 0; i < n; i++) {
		uint32_t length = ids[i] == null ? UINT32_MAX : htobe32(8);
		uint64_t value = htobe64((uint64_t)ids[i]);
		memcpy(p, &length, sizeof length);
		p += sizeof length;
		if (ids[i] == null)
			continue;
		memcpy(p, &value, sizeof value);
		p += sizeof value;
	}
	return (struct db_param){ start, (int)(n ? p - start : 12), 1 };
}

struct db_param db_floats(struct arena *a, const double *v, size_t n)
{
	char *start = arena_alloc(a, 20 + n * 12), *p = start + 20;
	uint32_t head[5] = { htobe32(n ? 1 : 0), 0, htobe32(701), htobe32((uint32_t)n),
		htobe32(1) };
	memcpy(start, head, sizeof head);
	for (size_t i = 0; i < n; i++, p += 12) {
		uint32_t length = htobe32(8);
		uint64_t bits;
		memcpy(&bits, &v[i], sizeof bits);
		bits = htobe64(bits);
		memcpy(p, &length, sizeof length);
		memcpy(p + 4, &bits, sizeof bits);
	}
	return (struct db_param){ start, (int)(n ? 20 + n * 12 : 12), 1 };
}

/* The binary form of a one-dimensional text array; the absent text is NULL. */
struct db_param db_texts(struct arena *a, const struct str *texts, size_t n)
{
	size_t size = 20;
	for (size_t i = 0; i < n; i++)
		size += 4 + texts[i].n;
	char *start = arena_alloc(a, size), *p = start;
	uint32_t head[5] = { htobe32(n ? 1 : 0), htobe32(1), htobe32(25), htobe32((uint32_t)n),
		htobe32(1) };
	memcpy(p, head, sizeof head);
	p += sizeof head;
	for (size_t i = 0; i < n; i++) {
		uint32_t length = texts[i].p ? htobe32((uint32_t)texts[i].n) : UINT32_MAX;
		memcpy(p, &length, sizeof length);
		p += sizeof length;
		if (texts[i].p)
			memcpy(p, texts[i].p, texts[i].n);
		p += texts[i].n;
	}
	return (struct db_param){ start, (int)(n ? size : 12), 1 };
}

/* Rows ------------------------------------------------------------------ */

int db_count(const struct rows *rows)
{
	return PQntuples(rows->result);
}

int db_column(const struct rows *rows, const char *name)
{
	for (int i = 0; i < PQnfields(rows->result); i++)
		if (!strcmp(PQfname(rows->result, i), name))
			return i;
	return -1;
}

unsigned db_column_type(const struct rows *rows, int column)
{
	return PQftype(rows->result, column);
}

bool db_is_null(const struct rows *rows, int row, int column)
{
	return PQgetisnull(rows->result, row, column);
}

static uint64_t read_be(const char *p, int n)
{
	uint64_t v = 0;
	for (int i = 0; i < n; i++)
		v = v << 8 | (unsigned char)p[i];
	return v;
}

static uint64_t read64(const char *p)
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
	return be64toh(v);
}

int64_t db_get_int(const struct rows *rows, int row, int column)
{
	const char *p = PQgetvalue(rows->result, row, column);
	int n = PQgetlength(rows->result, row, column);
	if (n == 8)
		return (int64_t)read64(p);
	if (n == 4)
		return (int32_t)read_be(p, 4);
	return (int16_t)read_be(p, 2);
}

int64_t db_int_or_0(const struct rows *rows, int row, int column)
{
	return db_is_null(rows, row, column) ? 0 : db_get_int(rows, row, column);
}

double db_get_float(const struct rows *rows, int row, int column)
{
	const char *p = PQgetvalue(rows->result, row, column);
	if (PQgetlength(rows->result, row, column) == 8) {
		uint64_t bits = read64(p);
		double d;
		memcpy(&d, &bits, sizeof d);
		return d;
	}
	uint32_t bits = (uint32_t)read_be(p, 4);
	float f;
	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

bool db_get_bool(const struct rows *rows, int row, int column)
{
	return PQgetvalue(rows->result, row, column)[0] != 0;
}

struct str db_get_text(const struct rows *rows, int row, int column)
{
	const char *p = PQgetvalue(rows->result, row, column);
	size_t n = (size_t)PQgetlength(rows->result, row, column);
	const unsigned jsonb = 3802;
	/* jsonb's binary form is a version byte and its text. */
	if (PQftype(rows->result, column) == jsonb && n > 0)
		return (struct str){ p + 1, n - 1 };
	return (struct str){ p, n };
}

struct str db_text_or_empty(const struct rows *rows, int row, int column)
{
	return db_is_null(rows, row, column) ? STR("") : db_get_text(rows, row, column);
}

int64_t db_get_time(const struct rows *rows, int row, int column)
{
	return (int64_t)read64(PQgetvalue(rows->result, row, column)) + EPOCH_US;
}

int32_t db_get_date(const struct rows *rows, int row, int column)
{
	return (int32_t)read_be(PQgetvalue(rows->result, row, column), 4) + EPOCH_DAYS;
}

struct db_array db_array(const struct rows *rows, int row, int column)
{
	const char *p = PQgetvalue(rows->result, row, column);
	if (PQgetisnull(rows->result, row, column) || read_be(p, 4) != 1)
		return (struct db_array){ p, 0 };
	return (struct db_array){ p + 20, (int)read_be(p + 12, 4) };
}

bool db_array_next_text(struct db_array *a, struct str *v)
{
	if (a->left == 0)
		return false;
	*v = (struct str){ a->p + 4, (size_t)read_be(a->p, 4) };
	a->p += 4 + v->n;
	a->left--;
	return true;
}

bool db_array_next_int(struct db_array *a, int64_t *v)
{
	struct str s;
	if (!db_array_next_text(a, &s))
		return false;
	*v = s.n == 8 ? (int64_t)read64(s.p) : (int32_t)read_be(s.p, 4);
	return true;
}

bool db_array_next_float(struct db_array *a, double *v)
{
	struct str s;
	uint64_t bits;
	if (!db_array_next_text(a, &s) || s.n != sizeof bits)
		return false;
	bits = read64(s.p);
	memcpy(v, &bits, sizeof bits);
	return true;
}
