#include "programs/describe.h"

#include <string.h>

#include "api/reference.h"
#include "old/old_path.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
	"name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>planwright: "
	"the API</title>\n<link rel=\"stylesheet\" "
	"href=\"/-/style.css\">\n</head>\n<body>\n<h1>The API</h1>\n<p>Paths are below "
	"<code>/services/v5</code>, those of files at the root of the server. In the examples, "
	"<code>$API</code> is the address of the API, <code>$HOST</code> that of the server, and "
	"<code>$TOKEN</code> a person's token. The same for programs: <a "
	"href=\"/services/v5/openapi.json\">openapi.json</a>. The manual page planwright-api(7) "
	"describes what this server does where the specification leaves a choice.</p>\n";

static void put_text(struct buf *out, const char *text)
{
	for (const char *p = text; *p; p++)
		switch (*p) {
		case '<': buf_put_z(out, "&lt;"); break;
		case '>': buf_put_z(out, "&gt;"); break;
		case '&': buf_put_z(out, "&amp;"); break;
		case '"': buf_put_z(out, "&quot;"); break;
		default: buf_put_char(out, *p);
		}
}

static void put_words(struct buf *out, const char *const *words)
{
	if (!words)
		return;
	buf_put_z(out, " One of");
	for (; *words; words++)
		buf_printf(out, " <code>%s</code>%s", *words, words[1] ? "," : "");
	buf_put_char(out, '.');
}

static void put_row(struct buf *out, const char *name, const char *type, const char *note,
	const char *doc, const char *const *words)
{
	buf_printf(out, "<tr><td><code>%s</code></td><td>%s%s</td><td>", name, type, note);
	put_text(out, doc);
	put_words(out, words);
	buf_put_z(out, "</td></tr>\n");
}

static void put_params(struct buf *out, const struct route *x)
{
	if (!x->params || !x->params->name)
		return;
	buf_put_z(out, "<table><caption>Query</caption>\n");
	for (const struct param *p = x->params; p->name; p++)
		put_row(out, p->name, reference_type(p->type),
			p->flags & PARAM_REQUIRED ? ", wanted" : "", p->doc, p->words);
	buf_put_z(out, "</table>\n");
}

static void put_body(struct buf *out, const struct route *x)
{
	unsigned flag;
	const struct resource *body = reference_body(x, &flag);
	int n = 0;
	for (int i = 0; body && i < body->n_fields; i++) {
		const struct field *f = &body->fields[i];
		bool must = flag && f->flags & (flag == F_CREATE ? F_REQUIRED : F_MUST);
		if ((flag && !(f->flags & flag)) || f->flags & F_IGNORED)
			continue;
		if (n++ == 0)
			buf_put_z(out, "<table><caption>Body</caption>\n");
		put_row(out, f->name, reference_type(f->type), must ? ", wanted" : "", f->doc,
			f->words);
	}
	if (n)
		buf_put_z(out, "</table>\n");
}

static void put_answer(struct buf *out, const struct reference *names, const struct route *x)
{
	enum reference_answer answer = reference_answer(x);
	if (answer == REFERENCE_MEDIA)
		buf_printf(out, "<p>Answers <code>%.*s</code>.</p>\n", (int)strcspn(x->media, ";"),
			x->media);
	if (answer != REFERENCE_ONE && answer != REFERENCE_LIST)
		return;
	const char *name = reference_name(names, x->resource);
	buf_printf(out, "<p>Returns %s<a href=\"#%s\"><code>%s</code></a>.</p>\n",
		answer == REFERENCE_LIST ? "a list of " : "", name, name);
}

static void put_route(struct buf *out, const struct reference *names, const struct route *x)
{
	struct buf line = { 0 };
	reference_put_example(&line, x);
	buf_put_char(&line, '\0');
	buf_printf(out, "<h3>%s <code>%s</code></h3>\n<p>", x->method, x->path);
	put_text(out, x->doc);
	buf_printf(out, " For %s.%s</p>\n", reference_who(x->need), reference_scope(x));
	put_params(out, x);
	put_body(out, x);
	put_answer(out, names, x);
	buf_put_z(out, "<pre>");
	put_text(out, line.p);
	buf_put_z(out, "</pre>\n");
	buf_free(&line);
}

static void put_resource(struct buf *out, const char *name, const struct resource *r)
{
	buf_printf(out, "<h3 id=\"%s\"><code>%s</code></h3>\n<table>\n", name, name);
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *f = &r->fields[i];
		if (reference_is_answered(f))
			put_row(out, f->name, reference_type(f->type),
				f->flags & F_DEFAULT ? "" : ", only by <code>fields</code>", f->doc,
				f->words);
	}
	buf_put_z(out, "</table>\n");
}

static void put_contents(struct buf *out)
{
	buf_put_z(out, "<ul>\n");
	for (int t = 0; t < route_tables_count; t++)
		if (route_tables[t].rows->method)
			buf_printf(out, "<li><a href=\"#family-%d\">%s</a></li>\n", t,
				route_tables[t].title);
	buf_put_z(out,
		"<li><a href=\"#old\">Retired versions</a></li>\n"
		"<li><a href=\"#acts\">Acts of the audit log</a></li>\n"
		"<li><a href=\"#resources\">Resources</a></li>\n</ul>\n");
}

static void put_acts(struct buf *out)
{
	buf_put_z(out, "<h2 id=\"acts\">Acts of the audit log</h2>\n<dl>\n");
	for (int i = 0; audit_words[i]; i++) {
		buf_printf(out, "<dt><code>%s</code></dt><dd>", audit_words[i]);
		put_text(out, audit_docs[i]);
		buf_put_z(out, "</dd>\n");
	}
	buf_put_z(out, "</dl>\n");
}

static void put_old_paths(struct buf *out)
{
	buf_put_z(out,
		"<h2 id=\"old\">Retired versions</h2>\n<p>Paths below <code>/services/v3</code> "
		"and <code>/services/v4</code>, in XML, where the setting "
		"<code>old_versions</code> turns them on, with the endpoint that each stands "
		"for.</p>\n<table>\n");
	for (const struct old_path *p = old_paths; p->method; p++) {
		buf_printf(out,
			"<tr><td><code>%s %s</code></td><td>%s</td><td><code>%s %s</code></td><td>",
			p->method, p->path,
			p->versions == OLD_V3           ? "v3"
				: p->versions == OLD_V4 ? "v4"
							: "",
			p->v5_method, p->v5_path);
		put_text(out, p->doc);
		buf_put_z(out, "</td></tr>\n");
	}
	buf_put_z(out, "</table>\n");
}

void describe_html(struct buf *out)
{
	struct reference names;
	reference_collect(&names);
	buf_put_z(out, head);
	put_contents(out);
	for (int t = 0; t < route_tables_count; t++) {
		if (!route_tables[t].rows->method)
			continue;
		buf_printf(out, "<h2 id=\"family-%d\">%s</h2>\n", t, route_tables[t].title);
		for (const struct route *x = route_tables[t].rows; x->method; x++)
			put_route(out, &names, x);
	}
	put_old_paths(out);
	put_acts(out);
	buf_put_z(out,
		"<h2 id=\"resources\">Resources</h2>\n<p>The fields of answers; a field without "
		"a value is left out.</p>\n");
	for (int i = 0; i < names.n; i++)
		put_resource(out, names.list[i].name, names.list[i].of);
	buf_put_z(out, "</body>\n</html>\n");
	reference_free(&names);
}
