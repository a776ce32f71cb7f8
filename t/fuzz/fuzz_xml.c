/*
 * What xml_read accepts is a tree of texts; the wish for a story made from it has no element that is
 * not in the tables. What xml.h writes for each text is XML that xml_read accepts and reads back the
 * same, except for characters that XML cannot contain.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/xml.h"
#include "lib/xml_read.h"
#include "old/old_wish.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_wish(struct arena *a, const struct body *tree, enum old_version version)
{
	struct old_wish w = { .arena = a, .version = version, .body = body_new_object(a) };
	old_wish_read(&w, &old_story, tree->first);
	if (w.n_names > OLD_NAMES_MAX || !str_is_text(body_text(a, w.body)))
		abort();
}

static bool is_all_of_xml(struct str s)
{
	return !memchr(s.p, 0xef, s.n); /* U+FFFD, U+FFFE, U+FFFF and others */
}

static void check_text(struct arena *a, struct str text)
{
	struct buf b = { 0 };
	struct xml x;
	const char *problem;
	xml_init(&x, &b);
	xml_put(&x, "a", NULL, text);
	const struct body *again = xml_read(a, buf_str(&b), &problem);
	if (!again || !again->first ||
		(is_all_of_xml(text) && !str_equal(again->first->text, text)))
		abort();
	buf_free(&b);
}

static void check_tree(struct arena *a, const struct body *x)
{
	for (; x; x = x->next)
		if (x->type == BODY_OBJECT)
			check_tree(a, x->first);
		else if (x->type == BODY_TEXT)
			check_text(a, x->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	const char *problem = NULL;
	const struct body *tree = xml_read(&a, (struct str){ (const char *)data, size }, &problem);
	if (!tree != (problem != NULL))
		abort();
	if (tree) {
		check_tree(&a, tree->first);
		check_wish(&a, tree, OLD_V3);
		check_wish(&a, tree, OLD_V4);
	}
	arena_free(&a);
	return 0;
}
