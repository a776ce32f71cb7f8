/* The listing of a bucket: pages of XML, a thousand objects each. */
#include <curl/curl.h>
#include <expat.h>
#include <string.h>

#include "lib/log.h"
#include "lib/when.h"
#include "service/s3.h"

/* For a name of up to 1,024 bytes, encoded; a continuation token contains one. */
enum { TEXT_MAX = 4096 };

/*
 * A page while it arrives. Its objects are reported once it is complete: a page that breaks off is
 * requested again, and may have other objects by then.
 */
struct page {
	XML_Parser parser;
	size_t prefix;       /* bytes that all names begin with */
	char text[TEXT_MAX]; /* of the current element */
	size_t n;
	char name[TEXT_MAX], next[TEXT_MAX];
	bool is_encoded; /* names are, as they may have what XML cannot express */
	int64_t size, changed_s;
	bool has_more, is_cut; /* a text was longer than expected */
	struct arena arena;
	struct s3_object *objects;
	size_t n_objects, room;
};

static void begin(void *of, const char *element, const char **attributes)
{
	struct page *p = of;
	(void)attributes;
	(void)element;
	p->n = 0;
}

static void add(void *of, const char *text, int n)
{
	struct page *p = of;
	if (p->n + (size_t)n >= sizeof p->text) {
		p->is_cut = true;
		return;
	}
	memcpy(p->text + p->n, text, (size_t)n);
	p->n += (size_t)n;
}

static void keep(struct page *p)
{
	if (p->n_objects == p->room) {
		struct s3_object *old = p->objects;
		p->room = p->room ? 2 * p->room : 1024;
		p->objects = arena_array(&p->arena, p->room, sizeof *p->objects);
		if (p->n_objects)
			memcpy(p->objects, old, p->n_objects * sizeof *old);
	}
	p->objects[p->n_objects++] = (struct s3_object){ arena_str(&p->arena, str_of(p->name)).p,
		p->size, p->changed_s };
}

static void end(void *of, const char *element)
{
	struct page *p = of;
	struct str text = { p->text, p->n };
	int64_t us;
	p->text[p->n] = '\0';
	if (!strcmp(element, "Key"))
		strcpy(p->name, p->text);
	else if (!strcmp(element, "Size"))
		str_to_int(text, &p->size);
	else if (!strcmp(element, "LastModified"))
		p->changed_s = when_parse(text, &us) ? us / 1000000 : INT64_MAX;
	else if (!strcmp(element, "NextContinuationToken"))
		strcpy(p->next, p->text);
	else if (!strcmp(element, "EncodingType"))
		p->is_encoded = str_equal_z(text, "url");
	else if (!strcmp(element, "IsTruncated"))
		p->has_more = str_equal_z(text, "true");
	else if (!strcmp(element, "Contents"))
		keep(p);
	p->n = 0;
}

static bool begin_again(void *of)
{
	struct page *p = of;
	if (p->parser)
		XML_ParserFree(p->parser);
	if (!(p->parser = XML_ParserCreate("UTF-8")))
		log_die("out of memory");
	XML_SetUserData(p->parser, p);
	XML_SetElementHandler(p->parser, begin, end);
	XML_SetCharacterDataHandler(p->parser, add);
	p->has_more = p->is_cut = p->is_encoded = false;
	*p->next = '\0';
	p->n = p->n_objects = p->room = 0;
	arena_reset(&p->arena);
	return true;
}

static bool take(void *of, const char *bytes, size_t n)
{
	struct page *p = of;
	return XML_Parse(p->parser, bytes, (int)n, 0) == XML_STATUS_OK;
}

/* Names and values in the order and form in which they are signed. */
static void put_query(struct buf *b, const struct s3 *s, const char *below, const char *next)
{
	char prefix[S3_KEY_MAX];
	CURL *easy = curl_easy_init();
	s3_key(s, below, prefix);
	char *from = easy ? curl_easy_escape(easy, next, 0) : NULL;
	char *in = easy ? curl_easy_escape(easy, prefix, 0) : NULL;
	if (!from || !in)
		log_die("out of memory");
	b->n = 0;
	if (*next)
		buf_printf(b, "continuation-token=%s&", from);
	buf_printf(b, "encoding-type=url&list-type=2&prefix=%s", in);
	buf_put_char(b, '\0');
	curl_free(from);
	curl_free(in);
	curl_easy_cleanup(easy);
}

static bool ask(struct page *page, const struct s3 *s, const char *query, struct s3_problem *p)
{
	struct s3_request r = { .store = s,
		.method = "GET",
		.query = query,
		.take = take,
		.again = begin_again,
		.to = page };
	if (!s3_request(&r, p))
		return false;
	if (XML_Parse(page->parser, "", 0, 1) && !page->is_cut && (!page->has_more || *page->next))
		return true;
	str_print(p->text, sizeof p->text,
		"the object store at %s returns a list of objects that cannot be parsed",
		s->endpoint);
	return false;
}

/* The name without what all names begin with; null: nothing is left, or it is not a name of
   ours. */
static const char *plain_name(struct page *page, const char *name)
{
	int n;
	if (page->is_encoded) {
		char *plain = curl_easy_unescape(NULL, name, 0, &n);
		if (!plain)
			log_die("out of memory");
		bool is_text = strlen(plain) == (size_t)n;
		name = is_text ? arena_str(&page->arena, str_of(plain)).p : "";
		curl_free(plain);
	}
	return strlen(name) > page->prefix ? name + page->prefix : NULL;
}

static void tell_all(struct page *page, void (*each)(void *to, const struct s3_object *o), void *to)
{
	for (size_t i = 0; i < page->n_objects; i++) {
		struct s3_object o = page->objects[i];
		if ((o.name = plain_name(page, o.name)))
			each(to, &o);
	}
}

bool s3_list(const struct s3 *s, const char *below,
	void (*each)(void *to, const struct s3_object *o), void *to, struct s3_problem *p)
{
	char key[S3_KEY_MAX];
	struct page page = { .prefix = s3_key(s, "", key).n, .has_more = true };
	struct buf query = { 0 };
	bool ok = true;
	while (ok && page.has_more) {
		put_query(&query, s, below, page.next);
		ok = ask(&page, s, query.p, p);
		if (ok)
			tell_all(&page, each, to);
	}
	if (page.parser)
		XML_ParserFree(page.parser);
	arena_free(&page.arena);
	buf_free(&query);
	return ok;
}
