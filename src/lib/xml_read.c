#include "lib/xml_read.h"

#include <expat.h>
#include <string.h>

#include "lib/buf.h"
#include "lib/log.h"
#include "lib/xml_entities.h"

enum { DEPTH_MAX = 16, ELEMENTS_MAX = 2000 };

struct reader {
	struct arena *arena;
	XML_Parser parser;
	struct body *open[DEPTH_MAX + 1]; /* the object that holds the root, then the elements */
	struct body *last[DEPTH_MAX + 1]; /* the last member of each */
	bool is_nil[DEPTH_MAX + 1];
	int depth;
	int elements;
	struct buf text; /* of the current element */
	const char *problem;
};

/* libexpat 2.9 has another name for it. */
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
#define CURRENT_LINE XML_GetCurrentLineNumber64
#else
#define CURRENT_LINE XML_GetCurrentLineNumber
#endif

static void fail(struct reader *r, const char *what)
{
	if (!r->problem)
		r->problem = arena_printf(r->arena, "%s in line %llu", what,
			(unsigned long long)CURRENT_LINE(r->parser))
				     .p;
	XML_StopParser(r->parser, XML_FALSE);
}

static bool has_text(const struct reader *r)
{
	return r->text.n > 0 && str_trim(buf_str(&r->text)).n > 0;
}

/* Appends without walking the parent's list, which may be long. */
static void append(struct reader *r, struct body *child)
{
	struct body *parent = r->open[r->depth];
	if (parent->type != BODY_OBJECT) {
		struct str key = parent->key;
		struct body *next = parent->next;
		*parent = (struct body){ .type = BODY_OBJECT, .key = key, .next = next };
	}
	if (r->last[r->depth])
		r->last[r->depth]->next = child;
	else
		parent->first = child;
	r->last[r->depth] = child;
	parent->count++;
}

static void begin(void *of, const char *name, const char **attributes)
{
	struct reader *r = of;
	if (r->problem) /* libexpat may go on for a moment */
		return;
	if (has_text(r)) {
		fail(r, "text next to elements");
		return;
	}
	if (r->depth == DEPTH_MAX || ++r->elements > ELEMENTS_MAX) {
		fail(r, r->depth == DEPTH_MAX ? "elements nested too deep" : "too many elements");
		return;
	}
	struct body *child = body_new_text(r->arena, STR(""));
	child->key = arena_str(r->arena, str_of(name));
	append(r, child);
	r->depth++;
	r->open[r->depth] = child;
	r->last[r->depth] = NULL;
	r->is_nil[r->depth] = false;
	for (; attributes[0]; attributes += 2)
		if (!strcmp(attributes[0], "nil"))
			r->is_nil[r->depth] = !strcmp(attributes[1], "true");
	r->text.n = 0;
}

static void end(void *of, const char *name)
{
	struct reader *r = of;
	struct body *element = r->open[r->depth];
	(void)name;
	if (r->problem)
		return;
	if (element->type == BODY_OBJECT) {
		if (has_text(r))
			fail(r, "text next to elements");
	} else if (r->text.n > 0) {
		element->text = arena_str(r->arena, buf_str(&r->text));
		if (!str_is_text(element->text))
			fail(r, "a character that text cannot contain");
	} else if (r->is_nil[r->depth]) {
		element->type = BODY_NULL;
	}
	r->text.n = 0;
	r->depth--;
}

static void add(void *of, const char *text, int n)
{
	struct reader *r = of;
	buf_put(&r->text, text, (size_t)n);
}

static void refuse_doctype(
	void *of, const char *name, const char *system, const char *public, int has)
{
	(void)name;
	(void)system;
	(void)public;
	(void)has;
	fail(of, "a document type");
}

static void refuse_entity(void *of, const char *name, int is_parameter)
{
	(void)name;
	(void)is_parameter;
	fail(of, "an unknown name of a character");
}

/* Called where a document type could declare entities: provides the names of HTML, and nothing
   else. */
static int declare(XML_Parser parser, const char *context, const char *base, const char *system,
	const char *public)
{
	struct buf names = { 0 };
	XML_Parser inner = XML_ExternalEntityParserCreate(parser, context, NULL);
	(void)base;
	(void)system;
	(void)public;
	if (!inner)
		log_die("out of memory");
	XML_SetStartDoctypeDeclHandler(inner, NULL);
	xml_entities(&names);
	enum XML_Status status = XML_Parse(inner, names.p, (int)names.n, 1);
	XML_ParserFree(inner);
	buf_free(&names);
	return status == XML_STATUS_OK;
}

struct body *xml_read(struct arena *a, struct str text, const char **problem)
{
	struct reader r = { .arena = a, .parser = XML_ParserCreate(NULL) };
	if (!r.parser)
		log_die("out of memory");
	r.open[0] = body_new_object(a);
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, begin, end);
	XML_SetCharacterDataHandler(r.parser, add);
	XML_SetStartDoctypeDeclHandler(r.parser, refuse_doctype);
	if (text.n && memchr(text.p, '&', text.n)) {
		XML_UseForeignDTD(r.parser, XML_TRUE);
		XML_SetParamEntityParsing(r.parser, XML_PARAM_ENTITY_PARSING_ALWAYS);
		XML_SetExternalEntityRefHandler(r.parser, declare);
		XML_SetSkippedEntityHandler(r.parser, refuse_entity);
	}
	if (XML_Parse(r.parser, text.p, (int)text.n, 1) != XML_STATUS_OK && !r.problem)
		fail(&r, XML_ErrorString(XML_GetErrorCode(r.parser)));
	XML_ParserFree(r.parser);
	buf_free(&r.text);
	*problem = r.problem;
	return r.problem ? NULL : r.open[0];
}
