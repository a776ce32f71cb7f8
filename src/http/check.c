#include "http/check.h"

#include "model/fetch.h"
#include "lib/log.h"
#include "http/route.h"

static bool lacks_statement(const struct resource *r, const struct field *f)
{
	log_error("field %s of resource %s: no statement loads it by ids", f->name, r->kind);
	return false;
}

static bool check_nested(struct db *db, const struct resource *r)
{
	bool ok = true;
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *f = &r->fields[i];
		if (f->flags & F_SIDE || !f->child)
			continue;
		if (f->fetch)
			ok &= fetch_check(db, f->child, f->fetch, false);
		else if (f->child->by_ids)
			ok &= fetch_check(db, f->child, f->child->by_ids, false);
		else if (f->type == FT_ONE || f->type == FT_SOME)
			ok = lacks_statement(r, f);
		if (f->fetch_root)
			ok &= fetch_check(db, f->child, f->fetch_root, false);
		if (f->fetch_ids)
			ok &= fetch_check(db, f->child, f->fetch_ids, false);
	}
	return ok;
}

bool check_statements(struct db *db)
{
	const struct route *r;
	bool ok = true;
	for (int i = 0; (r = route_at(i)); i++) {
		if (!r->resource)
			continue;
		if (r->read)
			ok &= fetch_check(db, r->resource, r->read, false);
		if (r->first)
			ok &= fetch_check(db, r->resource, r->first, false);
		if (r->brief)
			ok &= fetch_check(db, r->resource, r->brief, true);
		ok &= check_nested(db, r->resource);
	}
	return ok;
}
