#include "search/search_sql_text.h"

static struct db_param take_buf(struct arena *a, struct buf *b)
{
	struct db_param p = db_text(a, arena_str(a, buf_str(b)));
	buf_free(b);
	return p;
}

static void put_pattern(struct buf *b, struct str s, bool is_wild)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (is_wild && (c == '*' || c == '?')) {
			buf_put_char(b, c == '*' ? '%' : '_');
			continue;
		}
		if (c == '%' || c == '_' || c == '\\')
			buf_put_char(b, '\\');
		buf_put_char(b, c);
	}
}

struct db_param search_sql_text_name(struct arena *a, const struct search_value *v)
{
	struct buf b = { 0 };
	put_pattern(&b, v->text, v->match == SEARCH_WILD);
	return take_buf(a, &b);
}

/* Text for ilike: a substring. */
static struct db_param part_param(struct arena *a, struct str s)
{
	struct buf b = { 0 };
	buf_put_char(&b, '%');
	put_pattern(&b, s, false);
	buf_put_char(&b, '%');
	return take_buf(a, &b);
}

static bool is_word_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		c == '_' || c & 0x80;
}

static bool is_wildcard(char c)
{
	return c == '*' || c == '?';
}

/*
 * A word with wildcards as a regular expression. It begins and ends where a word does, unless that
 * end is an asterisk or not part of a word.
 */
static struct db_param wild_param(struct arena *a, struct str s)
{
	struct buf b = { 0 };
	char last = s.p[s.n - 1];
	if (s.p[0] == '?' || is_word_byte(s.p[0]))
		buf_put_z(&b, "(?<!\\w)");
	for (size_t i = 0; i < s.n; i++) {
		if (is_wildcard(s.p[i]))
			buf_put_z(&b, s.p[i] == '*' ? "\\S*" : "\\S");
		else if (is_word_byte(s.p[i]))
			buf_put_char(&b, s.p[i]);
		else
			buf_put(&b, (const char[]){ '\\', s.p[i] }, 2);
	}
	if (last == '?' || is_word_byte(last))
		buf_put_z(&b, "(?!\\w)");
	return take_buf(a, &b);
}

/* Cuts off and returns the first character of well-formed UTF-8. */
static uint32_t take_char(struct str *s)
{
	unsigned char c = (unsigned char)s->p[0];
	size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	uint32_t v = n == 1 ? c : c & (0x7fu >> n);
	for (size_t i = 1; i < n && i < s->n; i++)
		v = v << 6 | ((unsigned char)s->p[i] & 0x3f);
	n = n < s->n ? n : s->n;
	*s = (struct str){ s->p + n, s->n - n };
	return v;
}

struct range {
	uint32_t first, last;
};

/* Scripts without spaces between words, and Korean, whose words carry particles. */
static const struct range unspaced[] = { { 0x0e00, 0x0eff }, { 0x1000, 0x109f }, { 0x1100, 0x11ff },
	{ 0x1780, 0x17ff }, { 0x3005, 0x3007 }, { 0x3021, 0x3029 }, { 0x3040, 0x9fff },
	{ 0xac00, 0xd7ff }, { 0xf900, 0xfaff }, { 0xff66, 0xffdc }, { 0x20000, 0x3ffff } };
/* Characters that are not part of a word. */
static const struct range marks[] = { { 0x00, 0x2f }, { 0x3a, 0x40 }, { 0x5b, 0x60 },
	{ 0x7b, 0xa9 }, { 0xab, 0xb1 }, { 0xb4, 0xb4 }, { 0xb6, 0xb8 }, { 0xbb, 0xbf },
	{ 0xd7, 0xd7 }, { 0xf7, 0xf7 }, { 0x2000, 0x2bff }, { 0x3000, 0x3004 }, { 0x3008, 0x3020 },
	{ 0x302a, 0x303f }, { 0xfe00, 0xfe6f }, { 0xff00, 0xff0f }, { 0x1f000, 0x1faff } };

static bool is_in(uint32_t c, const struct range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

/* PostgreSQL ignores words of this many bytes when it splits a text into words. */
enum { TOO_LONG_FOR_A_WORD = 2047 };

/* Whether a text can be searched by its words; otherwise it is searched for as a substring. */
static bool has_words(struct str s)
{
	bool any = false;
	const char *word = s.p;
	while (s.n) {
		uint32_t c = take_char(&s);
		if (is_in(c, unspaced, sizeof unspaced / sizeof *unspaced))
			return false;
		if (is_in(c, marks, sizeof marks / sizeof *marks))
			word = s.p;
		else if (s.p - word >= TOO_LONG_FOR_A_WORD)
			return false;
		any |= word != s.p;
	}
	return any;
}

/* The word before the only asterisk, which ends the pattern; otherwise absent. */
static struct str prefix_of(struct str pattern)
{
	struct str front = { pattern.p, pattern.n - 1 };
	if (pattern.p[pattern.n - 1] != '*' || !is_word_byte(pattern.p[0]) || front.n == 0 ||
		!is_word_byte(front.p[front.n - 1]))
		return (struct str){ 0 };
	for (size_t i = 0; i < front.n; i++)
		if (is_wildcard(front.p[i]))
			return (struct str){ 0 };
	return has_words(front) ? front : (struct str){ 0 };
}

enum search_sql_way search_sql_text_way(
	struct arena *a, const struct search_value *v, struct db_param *p)
{
	if (v->match == SEARCH_REGEX) {
		*p = db_text(a, v->text);
		return SEARCH_SQL_REGEX;
	}
	if (v->match == SEARCH_WILD) {
		struct str prefix = prefix_of(v->text);
		*p = prefix.p ? db_text(a, prefix) : wild_param(a, v->text);
		return prefix.p ? SEARCH_SQL_PREFIX : SEARCH_SQL_REGEX;
	}
	if (!has_words(v->text)) {
		*p = part_param(a, v->text);
		return SEARCH_SQL_PART;
	}
	*p = db_text(a, v->text);
	return SEARCH_SQL_WORDS;
}
