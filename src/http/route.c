#include "http/route.h"

#include <string.h>

#include "http/page.h"
#include "lib/log.h"
#include "model/field_fault.h"

const struct route *route_at(int i)
{
	for (int t = 0; t < route_tables_count; t++)
		for (const struct route *x = route_tables[t].rows; x->method; x++)
			if (i-- == 0)
				return x;
	return NULL;
}

const char *route_need(enum need need)
{
	static const char *const words[] = { "person", "viewer", "participant", "member", "owner",
		"steward", "partner", "account_member", "account_admin", "account_owner",
		"account_self", "nothing" };
	return words[need];
}

/*
 * How well a pattern fits: -1 not at all, else its number of literal segments. Every request tries
 * every row, so this compares characters.
 */
static int fit(const char *pattern, const struct str *segments, int n)
{
	int literal = 0, i = 0;
	for (const char *p = pattern; *p == '/'; i++) {
		p++;
		if (i == n)
			return -1;
		if (*p == ':') {
			p += strcspn(p, "/");
			continue;
		}
		if (strncmp(p, segments[i].p, segments[i].n))
			return -1;
		p += segments[i].n;
		if (*p && *p != '/')
			return -1;
		literal++;
	}
	return i == n ? literal : -1;
}

/* Ids of the path; false: one is not a number above 0, so nothing can have it. A :timestamp may be
   anything: an invalid one becomes 0, which is not the time of any notification; the same goes for
   a :code or a :provider, which are not numbers, and a :version, whose value is ignored. */
static bool take_ids(struct req *r, const char *pattern)
{
	static const char *const anything[] = { ":timestamp", ":code", ":provider", ":version" };
	struct str rest = str_of(pattern + 1);
	for (int i = 0; rest.p; i++) {
		struct str part = str_cut(&rest, '/');
		if (part.p[0] != ':')
			continue;
		int64_t id;
		if (!str_to_int(r->segments[i], &id) || id <= 0) {
			bool may_be_anything = false;
			for (size_t k = 0; k < sizeof anything / sizeof *anything; k++)
				may_be_anything = may_be_anything || str_equal_z(part, anything[k]);
			if (!may_be_anything)
				return false;
			id = 0;
		}
		r->ids[r->n_ids++] = id;
	}
	return true;
}

static void add_allowed(struct req *r, const char *method)
{
	r->allow =
		r->allow.p ? arena_printf(r->arena, "%s, %s", r->allow.p, method) : str_of(method);
}

/* The best fit of all rows; if none fits the method as well, r->route stays null. */
static int find_best(struct req *r)
{
	int best = 0;
	for (int t = 0; t < route_tables_count; t++)
		for (const struct route *x = route_tables[t].rows; x->method; x++) {
			int fits = r->at_root == !!(x->flags & R_ROOT)
				? fit(x->path, r->segments, r->n_segments)
				: -1;
			if (fits < best)
				continue;
			if (fits > best)
				r->route = NULL;
			best = fits;
			if (str_equal_z(r->method, x->method))
				r->route = x;
		}
	return best;
}

static void list_allowed(struct req *r, int best)
{
	const struct route *x;
	for (int i = 0; (x = route_at(i)); i++)
		if (r->at_root == !!(x->flags & R_ROOT) &&
			fit(x->path, r->segments, r->n_segments) == best)
			add_allowed(r, x->method);
}

enum rc route_find(struct req *r)
{
	int best = find_best(r);
	if (best == 0)
		return RC_ROUTE_NOT_FOUND;
	if (!r->route) {
		list_allowed(r, best);
		return RC_METHOD_NOT_ALLOWED;
	}
	if (r->route->flags & R_REDIRECTS)
		r->write_error = page_write_error;
	return take_ids(r, r->route->path) ? RC_OK : RC_UNFOUND_RESOURCE;
}

bool route_takes_body(const struct req *r)
{
	struct req probe = *r;
	if (!str_equal_z(r->method, "DELETE"))
		return !str_equal_z(r->method, "GET");
	return !route_find(&probe) && probe.route->body;
}

int64_t route_id(const struct req *r, const char *name)
{
	struct str rest = str_of(r->route->path + 1);
	for (int i = 0; rest.p;) {
		struct str part = str_cut(&rest, '/');
		if (part.p[0] != ':')
			continue;
		if (str_equal_z(part, name))
			return r->ids[i];
		i++;
	}
	return 0;
}

/* Whether some path fits both patterns equally well. */
static bool collide(const char *a, const char *b)
{
	struct str x = str_of(a + 1), y = str_of(b + 1);
	while (x.p && y.p) {
		struct str p = str_cut(&x, '/'), q = str_cut(&y, '/');
		bool open = p.p[0] == ':', open_too = q.p[0] == ':';
		if (open != open_too || (!open && !str_equal(p, q)))
			return false;
	}
	return !x.p && !y.p;
}

static void check_fields(const struct route *x, const struct resource *of)
{
	for (int i = 0; of && i < of->n_fields; i++) {
		const struct field *f = &of->fields[i];
		const char *fault = field_fault(of, f);
		if (fault)
			log_die("%s %s: the field %s of %s %s", x->method, x->path, f->name,
				of->kind, fault);
		if (f->child && f->flags & F_WRITE && (f->type == FT_LIST || f->type == FT_OBJECT))
			check_fields(x, f->child);
	}
}

static void check_write(const struct route *x)
{
	if (!strcmp(x->method, "GET") || x->flags & R_READS)
		return;
	if (!x->activity == !(x->flags & R_UNTOLD))
		log_die("%s %s must have an activity or be untold", x->method, x->path);
	if (!x->audit)
		log_die("%s %s must name its acts for the audit log, or be untold there", x->method,
			x->path);
	check_fields(x, x->target);
	check_fields(x, x->body);
	check_fields(x, x->resource);
}

/* The scope that follows from the method must be right, unless the row says another. */
static void check_scope(const struct route *x)
{
	bool is_get = !strcmp(x->method, "GET"), is_write = !is_get && !(x->flags & R_READS);
	if ((x->need == NEED_NOTHING) != (x->scope == SCOPE_NONE))
		log_die("%s %s must say whether it needs a scope", x->method, x->path);
	if (!is_get && !is_write && x->scope != SCOPE_READ)
		log_die("%s %s only reads, so it must say the scope", x->method, x->path);
	if (is_write && x->scope == SCOPE_READ)
		log_die("%s %s writes, so its scope cannot be to read", x->method, x->path);
}

/*
 * A picture is an existing file; an answer that has to be produced must be requested by a script
 * or link.
 */
static void check_fetch(const struct route *x)
{
	bool is_read = !strcmp(x->method, "GET");
	if (x->media && x->fetch == FETCH_UNSAID)
		log_die("%s %s must say how browsers may fetch it", x->method, x->path);
	if (x->fetch == FETCH_PICTURE &&
		(!is_read || !x->media || strcmp(x->media, ROUTE_FILE) != 0))
		log_die("%s %s is not a file, so it cannot be a picture", x->method, x->path);
	if (x->fetch == FETCH_PAGE && x->need != NEED_NOTHING && !is_read)
		log_die("%s %s changes something, so a link may not fetch it", x->method, x->path);
}

void route_check(void)
{
	const struct route *a, *b;
	for (int i = 0; (a = route_at(i)); i++) {
		check_write(a);
		check_fetch(a);
		check_scope(a);
		for (int j = i + 1; (b = route_at(j)); j++)
			if (!strcmp(a->method, b->method) && collide(a->path, b->path))
				log_die("two routes for %s %s and %s", a->method, a->path, b->path);
	}
}
