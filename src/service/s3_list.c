/* The listing of a bucket: pages of XML, a thousand objects each. */
#include <curl/curl.h>
#include <expat.h>
#include <string.h>

#include "lib/log.h"
#include "lib/when.h"
#include "service/s3.h"

enum { TEXT_MAX = 1100 };

/* A page while it comes in. */
struct page {
	XML_Parser parser;
	const struct s3 *store;
	const struct page_sink *sink;
	char text[TEXT_MAX]; /* of the element at hand */
	size_t n;
	char name[TEXT_MAX], next[TEXT_MAX];
	int64_t size, changed_s;
	bool has_more, is_cut; /* a text was longer than any that we know of */
	size_t n_objects, n_told;
};

struct page_sink {
	void (*each)(void *to, const struct s3_object *o);
	void *to;
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

static void tell(struct page *p)
{
	char key[S3_KEY_MAX];
	size_t prefix = s3_key(p->store, "", key).n;
	p->n_objects++;
	/* A page that is sent again has the same objects in the same order. */
	if (p->n_objects <= p->n_told || strlen(p->name) <= prefix)
		return;
	p->n_told = p->n_objects;
	const struct s3_object o = { p->name + prefix, p->size, p->changed_s };
	p->sink->each(p->sink->to, &o);
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
	else if (!strcmp(element, "IsTruncated"))
		p->has_more = str_equal_z(text, "true");
	else if (!strcmp(element, "Contents"))
		tell(p);
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
	p->has_more = p->is_cut = false;
	p->n_objects = p->n = 0;
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
	buf_printf(b, "list-type=2&prefix=%s", in);
	buf_put_char(b, '\0');
	curl_free(from);
	curl_free(in);
	curl_easy_cleanup(easy);
}

bool s3_list(const struct s3 *s, const char *below,
	void (*each)(void *to, const struct s3_object *o), void *to, struct s3_problem *p)
{
	const struct page_sink sink = { each, to };
	struct page page = { .store = s, .sink = &sink, .has_more = true };
	struct buf query = { 0 };
	bool ok = true;
	while (ok && page.has_more) {
		put_query(&query, s, below, page.next);
		page.n_told = 0;
		*page.next = '\0';
		struct s3_request r = { .store = s,
			.method = "GET",
			.query = query.p,
			.take = take,
			.again = begin_again,
			.to = &page };
		ok = s3_request(&r, p);
		if (ok &&
			(!XML_Parse(page.parser, "", 0, 1) || page.is_cut ||
				(page.has_more && !*page.next))) {
			str_print(p->text, sizeof p->text,
				"the object store at %s lists its objects in a way that is not understood",
				s->endpoint);
			ok = false;
		}
	}
	if (page.parser)
		XML_ParserFree(page.parser);
	buf_free(&query);
	return ok;
}
