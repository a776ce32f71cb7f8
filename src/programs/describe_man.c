#include "programs/describe.h"

#include <string.h>

#include "api/reference.h"
#include "old/old_path.h"

/* Text for roff: only ASCII, and no line that looks like a request. */
static void put_text(struct buf *out, const char *text)
{
	static const struct {
		const char *from, *to;
	} glyphs[] = {
		{ "\\", "\\e" },
		{ "…", "\\&..." },
		{ "–", "\\(en" },
	};
	for (const char *p = text; *p;) {
		size_t i = 0;
		while (i < 3 && strncmp(p, glyphs[i].from, strlen(glyphs[i].from)))
			i++;
		if (i < 3) {
			buf_put_z(out, glyphs[i].to);
			p += strlen(glyphs[i].from);
		} else {
			buf_put_char(out, *p++);
		}
	}
}

static void put_line(struct buf *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		buf_put_z(out, "\\&");
	put_text(out, text);
	buf_put_char(out, '\n');
}

/* One sentence per line, as mdoc requires. */
static void put_doc(struct buf *out, const char *doc)
{
	const char *dot;
	while ((dot = strstr(doc, ". "))) {
		buf_put(out, doc, (size_t)(dot - doc) + 1);
		buf_put_char(out, '\n');
		doc = dot + 2;
	}
	put_line(out, doc);
}

static void put_term(struct buf *out, const char *name, const char *type)
{
	buf_printf(out, ".It Ic %s Pq %s\n", name, type);
}

static void put_words(struct buf *out, const char *const *words)
{
	if (!words)
		return;
	buf_put_z(out, "One of\n");
	for (; *words; words++)
		buf_printf(out, ".Ql %s%s%s\n", **words == ':' ? "\\&" : "", *words,
			words[1] ? " ," : " .");
}

static void put_params(struct buf *out, const struct route *x)
{
	if (!x->params || !x->params->name)
		return;
	buf_put_z(out, ".Bl -tag -width Ds -compact\n");
	for (const struct param *p = x->params; p->name; p++) {
		put_term(out, p->name, reference_type(p->type));
		put_doc(out, p->doc);
		put_words(out, p->words);
	}
	buf_put_z(out, ".El\n");
}

static void put_body(struct buf *out, const struct route *x)
{
	unsigned flag;
	const struct resource *body = reference_body(x, &flag);
	int n = 0;
	if (!body)
		return;
	for (int i = 0; i < body->n_fields; i++) {
		const struct field *f = &body->fields[i];
		bool must = flag && f->flags & (flag == F_CREATE ? F_REQUIRED : F_MUST);
		if ((flag && !(f->flags & flag)) || f->flags & F_IGNORED)
			continue;
		buf_put_z(out, n++ ? " ,\n" : "Body:\n");
		buf_printf(out, ".Ic %s%s", f->name, must ? " Pq wanted" : "");
	}
	if (n)
		buf_put_z(out, " .\n");
}

static void put_answer(struct buf *out, const struct reference *names, const struct route *x)
{
	switch (reference_answer(x)) {
	case REFERENCE_ONE:
		buf_printf(out, "Returns\n.Ic %s .\n", reference_name(names, x->resource));
		break;
	case REFERENCE_LIST:
		buf_printf(
			out, "Returns a list of\n.Ic %s .\n", reference_name(names, x->resource));
		break;
	case REFERENCE_MEDIA:
		buf_printf(out, "Returns\n.Ql %.*s .\n", (int)strcspn(x->media, ";"), x->media);
		break;
	default: break;
	}
}

static void put_route(struct buf *out, const struct reference *names, const struct route *x)
{
	struct buf line = { 0 };
	reference_put_example(&line, x);
	buf_printf(out, ".It Ic %s Pa %s\n", x->method, x->path);
	put_doc(out, x->doc);
	buf_printf(out, "For %s.\n", reference_who(x->need));
	if (*reference_scope(x))
		buf_printf(out, "%s\n", reference_scope(x) + 1);
	put_params(out, x);
	put_body(out, x);
	put_answer(out, names, x);
	buf_put_z(out, ".Bd -literal -compact\n");
	buf_put_char(&line, '\0');
	put_line(out, line.p);
	buf_put_z(out, ".Ed\n");
	buf_free(&line);
}

static void put_resource(struct buf *out, const char *name, const struct resource *r)
{
	buf_printf(out, ".Ss %s\n.Bl -tag -width Ds -compact\n", name);
	for (int i = 0; i < r->n_fields; i++) {
		const struct field *f = &r->fields[i];
		if (!reference_is_answered(f))
			continue;
		buf_printf(out, ".It Ic %s Pq %s%s\n", f->name, reference_type(f->type),
			f->flags & F_DEFAULT ? "" : ", not in the default answer");
		put_doc(out, f->doc);
		put_words(out, f->words);
	}
	buf_put_z(out, ".El\n");
}

static void put_acts(struct buf *out)
{
	buf_put_z(out, ".Sh ACTS OF THE AUDIT LOG\n.Bl -tag -width Ds -compact\n");
	for (int i = 0; audit_words[i]; i++) {
		buf_printf(out, ".It Ic %s\n", audit_words[i]);
		put_doc(out, audit_docs[i]);
	}
	buf_put_z(out, ".El\n");
}

static void put_old_paths(struct buf *out)
{
	buf_put_z(out,
		".Sh RETIRED VERSIONS\nPaths below\n.Pa /services/v3\nand\n.Pa /services/v4 "
		",\nwhere the setting\n.Ic old_versions\nturns them on, with the endpoint that "
		"each stands for.\n.Bl -tag -width Ds\n");
	for (const struct old_path *p = old_paths; p->method; p++) {
		buf_printf(out, ".It Ic %s Pa %s%s\n", p->method, p->path,
			p->versions == OLD_V3           ? " Pq v3"
				: p->versions == OLD_V4 ? " Pq v4"
							: "");
		put_doc(out, p->doc);
		buf_printf(out, "It is\n.Ic %s\n.Pa %s .\n", p->v5_method, p->v5_path);
		for (const struct old_param *x = p->params; x && x->name; x++) {
			buf_printf(out, "Parameter\n.Ic %s :\n", x->name);
			put_doc(out, x->doc);
		}
	}
	buf_put_z(out, ".El\n");
}

void describe_man(struct buf *out)
{
	struct reference names;
	reference_collect(&names);
	buf_put_z(out,
		".Sh ENDPOINTS\nPaths are below\n.Pa /services/v5 ,\nthose of files at the root "
		"of the server.\nIn the examples,\n.Ev $API\nis the address of the API,\n.Ev "
		"$HOST\nthat of the server, and\n.Ev $TOKEN\na person's token.\n");
	for (int t = 0; t < route_tables_count; t++) {
		if (!route_tables[t].rows->method)
			continue;
		buf_printf(out, ".Ss %s\n.Bl -tag -width Ds\n", route_tables[t].title);
		for (const struct route *x = route_tables[t].rows; x->method; x++)
			put_route(out, &names, x);
		buf_put_z(out, ".El\n");
	}
	put_old_paths(out);
	put_acts(out);
	buf_put_z(out,
		".Sh RESOURCES\nThe fields of answers; a field without a value is left out.\n");
	for (int i = 0; i < names.n; i++)
		put_resource(out, names.list[i].name, names.list[i].of);
	reference_free(&names);
}
