#include "search/search_print.h"

#include "lib/when.h"

static const char *const key_names[SEARCH__KEYS] = {
	[SEARCH_TEXT] = "text",
	[SEARCH_NAME] = "name",
	[SEARCH_LABEL] = "label",
	[SEARCH_EPIC] = "epic",
	[SEARCH_TYPE] = "type",
	[SEARCH_STATE] = "state",
	[SEARCH_ESTIMATE] = "estimate",
	[SEARCH_REQUESTER] = "requester",
	[SEARCH_OWNER] = "owner",
	[SEARCH_MYWORK] = "mywork",
	[SEARCH_REVIEWER] = "reviewer",
	[SEARCH_REVIEW] = "review",
	[SEARCH_REVIEW_STATUS] = "review_status",
	[SEARCH_IS] = "is",
	[SEARCH_HAS] = "has",
	[SEARCH_ID] = "id",
	[SEARCH_EXTERNAL_ID] = "external_id",
	[SEARCH_INTEGRATION] = "integration",
	[SEARCH_CREATED] = "created",
	[SEARCH_UPDATED] = "updated",
	[SEARCH_ACCEPTED] = "accepted",
	[SEARCH_INCLUDEDONE] = "includedone",
};

static void print_quoted(struct buf *b, struct str s)
{
	buf_put_char(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c < 0x20 || c == 0x7f) {
			buf_printf(b, "\\x%02x", c);
			continue;
		}
		if (c == '"' || c == '\\')
			buf_put_char(b, '\\');
		buf_put_char(b, s.p[i]);
	}
	buf_put_char(b, '"');
}

/* Keywords and numbers have no quotes. */
static bool is_bare(enum search_key key, bool is_first)
{
	switch (key) {
	case SEARCH_TYPE:
	case SEARCH_STATE:
	case SEARCH_ESTIMATE:
	case SEARCH_REVIEW_STATUS:
	case SEARCH_IS:
	case SEARCH_HAS:
	case SEARCH_ID: return true;
	case SEARCH_REVIEW: return !is_first;
	default: return false;
	}
}

static void print_values(struct buf *b, const struct search_node *term)
{
	static const char *const matches[] = {
		[SEARCH_LITERAL] = " ",
		[SEARCH_WORD] = " word ",
		[SEARCH_PHRASE] = " phrase ",
		[SEARCH_WILD] = " wild ",
		[SEARCH_REGEX] = " regex ",
	};

	for (const struct search_value *v = term->values; v; v = v->next) {
		buf_put_z(b, matches[v->match]);
		if (term->key == SEARCH_ID)
			buf_put_int(b, v->id);
		else if (is_bare(term->key, v == term->values))
			buf_put_str(b, v->text);
		else
			print_quoted(b, v->text);
	}
}

/* In whole seconds. */
static void print_date(struct buf *b, const struct search_date *d)
{
	switch (d->moment) {
	case SEARCH_DAY: when_put_date(b, d->day); break;
	case SEARCH_INSTANT: when_put_iso(b, d->us); break;
	case SEARCH_WALL_CLOCK:
		when_put_iso(b, d->us);
		b->n--; /* the Z */
		break;
	case SEARCH_TODAY: buf_put_z(b, "today"); break;
	case SEARCH_YESTERDAY: buf_put_z(b, "yesterday"); break;
	case SEARCH_HOURS_AGO: buf_printf(b, "-%dh", (int)d->n); break;
	case SEARCH_DAYS_AGO: buf_printf(b, "-%dd", (int)d->n); break;
	case SEARCH_WEEKS_AGO: buf_printf(b, "-%dw", (int)d->n); break;
	}
}

static void print_term(struct buf *b, const struct search_node *term)
{
	static const char *const sides[] = {
		[SEARCH_ON] = " on ",
		[SEARCH_SINCE] = " since ",
		[SEARCH_BEFORE] = " before ",
	};

	buf_put_z(b, key_names[term->key]);
	print_values(b, term);
	if (term->values)
		return;
	buf_put_z(b, sides[term->side]);
	print_date(b, &term->from);
	if (term->is_range) {
		buf_put_z(b, "..");
		print_date(b, &term->to);
	}
}

static void print_node(struct buf *b, const struct search_node *node)
{
	static const char *const kinds[] = {
		[SEARCH_AND] = "and",
		[SEARCH_OR] = "or",
		[SEARCH_NOT] = "not",
	};

	buf_put_char(b, '(');
	if (node->kind == SEARCH_TERM) {
		print_term(b, node);
	} else {
		buf_put_z(b, kinds[node->kind]);
		for (const struct search_node *n = node->first; n; n = n->next) {
			buf_put_char(b, ' ');
			print_node(b, n);
		}
	}
	buf_put_char(b, ')');
}

void search_print(struct buf *b, const struct search *s)
{
	if (s->include_done)
		buf_put_z(b, "includedone ");
	if (s->root)
		print_node(b, s->root);
	else
		buf_put_z(b, "(all)");
}
