#include "http/health.h"

#include <unistd.h>

#include "db/schema.h"
#include "http/route.h"
#include "http/status.h"
#include "service/files.h"
#include "service/probe.h"

/* In the order of `answers`. */
static const struct route pages[] = {
	{ .method = "GET", .path = "" },
	{ .method = "GET", .path = "live" },
	{ .method = "GET", .path = "doctor" },
	{ .method = "GET", .path = "ready" },
	{ .method = "GET", .path = "metrics" },
};
enum { PAGES = sizeof pages / sizeof *pages, PAGE_SERVICE = 0, PAGE_TEST = 2, PAGE_READY = 3 };

static bool is_asked(const struct req *r, const struct route *page)
{
	if (page == &pages[PAGE_SERVICE])
		return !r->at_root && r->n_segments == 0 && !r->old.version;
	if (!r->at_root || r->n_segments != 2)
		return false;
	/* The path prefix that web servers are configured to serve files from. */
	const char *folder = page == &pages[PAGE_TEST] ? "file_attachments" : "-";
	return str_equal_z(r->segments[0], folder) && str_equal_z(r->segments[1], page->path);
}

bool health_find(struct req *r)
{
	for (int i = 0; i < PAGES; i++)
		if (is_asked(r, &pages[i])) {
			r->route = &pages[i];
			return true;
		}
	return false;
}

bool health_wants_database(const struct req *r)
{
	return r->route >= &pages[PAGE_READY];
}

bool health_wants_secret(const struct req *r)
{
	return r->route == &pages[PAGE_READY];
}

static void put(struct req *r, const char *key, const char *text)
{
	json_key(&r->json, key);
	json_z(&r->json, text);
}

static void put_link(struct req *r, const char *key, const char *path)
{
	json_key(&r->json, key);
	json_str(&r->json, arena_printf(r->arena, "%s/services/v5%s", r->conf->base_url, path));
}

static void answer_service(struct req *r)
{
	json_object(&r->json);
	put(r, "kind", "service");
	put(r, "name", "planwright");
	put(r, "version", PACKAGE_VERSION);
	json_key(&r->json, "links");
	json_object(&r->json);
	put_link(r, "self", "");
	put_link(r, "me", "/me");
	put_link(r, "projects", "/projects");
	put_link(r, "accounts", "/accounts");
	json_object_end(&r->json);
	json_object_end(&r->json);
}

static void answer_live(struct req *r)
{
	json_object(&r->json);
	put(r, "status", "live");
	put(r, "version", PACKAGE_VERSION);
	json_object_end(&r->json);
}

/* One row of a statement; null: the database does not answer. */
static const struct rows *ask(struct req *r, enum stmt stmt)
{
	struct rows *rows;
	db_send(r->db, stmt, 0, NULL);
	db_commit(r->db);
	return db_next(r->db, &rows) || db_finish(r->db) ? NULL : rows;
}

static void answer_ready(struct req *r, bool has_database, bool has_secret)
{
	struct status s;
	const struct rows *rows = has_database ? ask(r, STMT_STATUS_SCHEMA) : NULL;
	int64_t schema = rows ? db_int_or_0(rows, 0, 0) : 0;
	bool fits = rows && schema >= schema_newest(), is_ready = fits && has_secret;
	status_look(&s, r->conf, r->crypt, r->arena);
	r->status = is_ready ? 200 : 503;
	json_object(&r->json);
	put(r, "status", is_ready ? "ready" : "unready");
	put(r, "version", PACKAGE_VERSION);
	put(r, "database", !rows ? "away" : fits ? "ok" : "older than the program");
	put(r, "secret", has_secret ? "ok" : "another than the database's");
	json_key(&r->json, "schema_version");
	if (rows)
		json_int(&r->json, schema);
	else
		json_null(&r->json);
	json_key(&r->json, "schema_expected");
	json_int(&r->json, s.schema_expected);
	put(r, "disk", s.disk_low ? "low" : "ok");
	json_key(&r->json, "disk_free_bytes");
	json_int(&r->json, s.disk_free_bytes);
	json_object_end(&r->json);
}

static void answer_metrics(struct req *r, bool has_database)
{
	struct status s;
	const struct rows *rows = has_database ? ask(r, STMT_STATUS_QUEUES) : NULL;
	status_look(&s, r->conf, r->crypt, r->arena);
	if (rows)
		status_take(&s, rows);
	status_put_prometheus(&s, r->out);
	r->media_type = "text/plain; version=0.0.4; charset=utf-8";
}

/* Sent like any attached file, so that planwrightctl doctor sees whether the web server sends
   files; only doctor can request it. */
static enum rc answer_test(struct req *r)
{
	const struct uri_param *name = uri_find(r->params, PROBE_PARAMETER);
	struct str place = probe_place(r->crypt, r->arena, name ? name->value : STR(""));
	if (!place.p)
		return RC_UNFOUND_RESOURCE;
	struct str path = arena_printf(r->arena, "%s/%s", files_folder(r->conf), place.p);
	if (!conf_has_store(r->conf) && access(path.p, F_OK))
		return RC_UNFOUND_RESOURCE;
	r->file.place = place;
	r->file.type = STR("text/plain");
	r->file.disposition = STR("attachment");
	return r->file.sender == SENDER_SELF ? req_open_file(r) : RC_OK;
}

enum rc health_answer(struct req *r, bool has_database, bool has_secret)
{
	if (!str_equal_z(r->method, "GET")) {
		r->allow = STR("GET");
		return RC_METHOD_NOT_ALLOWED;
	}
	switch (r->route - pages) {
	case PAGE_SERVICE: answer_service(r); break;
	case PAGE_TEST: return answer_test(r);
	case PAGE_READY: answer_ready(r, has_database, has_secret); break;
	case PAGE_READY + 1: answer_metrics(r, has_database); break;
	default: answer_live(r); break;
	}
	return RC_OK;
}
