#include "transfer/read/json_walk.h"

#include <string.h>

#include "lib/buf.h"

enum { CHUNK = 64 * 1024, DEPTH_MAX = 32, KEY_MAX = 4096 };

enum got { GOT, GOT_TOO_MUCH, GOT_BROKEN };

struct json_input {
	char chunk[CHUNK];
	size_t at, n;
	struct buf front; /* comes before the chunk: what was read and put back */
	size_t front_at;
	int64_t line;
	const char *broken; /* why GOT_BROKEN */
	bool must_end;      /* the intake says so: nothing more is read */
};

/* Asks the intake, also where nothing is put; else a broken or a strange file is read to its end. */
static bool goes_on(struct json_walk *w)
{
	struct json_input *in = w->input;

	in->must_end = in->must_end || !intake_goes_on(w->in);
	return !in->must_end;
}

/* The next byte, or -1. */
static int peek(struct json_walk *w)
{
	struct json_input *in = w->input;

	if (in->front_at < in->front.n)
		return (unsigned char)in->front.p[in->front_at];
	if (in->at == in->n) {
		int64_t got = goes_on(w) ? w->bytes->read(w->bytes, in->chunk, CHUNK) : 0;

		if (got <= 0) {
			if (got < 0)
				in->broken = "it cannot be read to its end";
			return -1;
		}
		in->n = (size_t)got;
		in->at = 0;
	}
	return (unsigned char)in->chunk[in->at];
}

static int next(struct json_walk *w)
{
	struct json_input *in = w->input;
	int c = peek(w);

	if (c < 0)
		return c;
	in->line += c == '\n';
	if (in->front_at < in->front.n)
		in->front_at++;
	else
		in->at++;
	return c;
}

static void put_back(struct json_walk *w, struct str text)
{
	struct json_input *in = w->input;
	struct buf front = { 0 };

	for (size_t i = 0; i < text.n; i++)
		in->line -= text.p[i] == '\n';
	buf_put_str(&front, text);
	buf_put(&front, in->front.p + in->front_at, in->front.n - in->front_at);
	buf_free(&in->front);
	in->front = front;
	in->front_at = 0;
}

static enum got broken(struct json_walk *w, const char *why)
{
	if (!w->input->broken)
		w->input->broken = why;
	return GOT_BROKEN;
}

static enum rc refuse(struct json_walk *w, int64_t line, const char *code, const char *why)
{
	if (w->input->must_end)
		return RC_UNAVAILABLE;
	w->refused = true;
	intake_say(w->in, INTAKE_ERROR, (struct intake_place){ .file = w->file, .line = line }, NIL,
		NULL, code, "%s, line %lld: %s", w->where, (long long)line, why);
	return RC_OK;
}

static int skip_space(struct json_walk *w)
{
	int c;

	while ((c = peek(w)) == ' ' || c == '\n' || c == '\r' || c == '\t')
		next(w);
	return c;
}

/* The four digits after \u; -1 if there are none. */
static int read_unit(struct json_walk *w)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		int c = next(w);

		if (c >= '0' && c <= '9')
			v = v * 16 + c - '0';
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			v = v * 16 + (c | 32) - 'a' + 10;
		else
			return -1;
	}
	return v;
}

/* Reads on after a backslash. What no text can contain is left out, or becomes U+FFFD. */
static enum got read_escape(struct json_walk *w, struct buf *to)
{
	int high = 0;

	for (;;) {
		int c = next(w), unit = c == 'u' ? read_unit(w) : c;

		if (unit < 0)
			return broken(w, "a broken escape in a text");
		bool low = c == 'u' && unit >= 0xdc00 && unit < 0xe000;
		if (high && low) {
			buf_printf(to, "\\u%04x\\u%04x", (unsigned)high, (unsigned)unit);
			return GOT;
		}
		if (high || low) {
			buf_put_z(to, "\\ufffd");
			w->halves++;
			high = 0;
		}
		if (low)
			return GOT;
		if (c != 'u') {
			buf_put_char(to, '\\');
			buf_put_char(to, (char)c);
			return GOT;
		}
		if (unit == 0) {
			w->nuls++;
			return GOT;
		}
		if (unit < 0xd800 || unit > 0xdfff) {
			buf_printf(to, "\\u%04x", (unsigned)unit);
			return GOT;
		}
		high = unit;
		if (peek(w) != '\\') {
			buf_put_z(to, "\\ufffd");
			w->halves++;
			return GOT;
		}
		next(w);
	}
}

/* Reads from after the opening quote to after the closing one. */
static enum got read_string(struct json_walk *w, struct buf *to, size_t max)
{
	for (;;) {
		int c = next(w);
		enum got got = GOT;

		if (c < 0)
			return broken(w, "it ends in the middle of a text");
		if (to->n >= max) {
			put_back(w, (struct str){ (char[]){ (char)c }, 1 });
			return GOT_TOO_MUCH;
		}
		if (c == '\\')
			got = read_escape(w, to);
		else if (c == 0)
			w->nuls++;
		else
			buf_put_char(to, (char)c);
		if (got != GOT || c == '"')
			return got;
	}
}

/* Reads the whole next value as text, and counts the values in it down from *values. */
static enum got read_value(struct json_walk *w, struct buf *to, int64_t *values)
{
	int depth = 0;

	do {
		int c = next(w);

		if (c < 0)
			return broken(w, "it ends in the middle of a value");
		buf_put_char(to, (char)c);
		if (c == '"') {
			enum got got = read_string(w, to, JSON_WALK_BYTES);

			if (got != GOT)
				return got;
		} else if (c == '{' || c == '[') {
			depth++;
			--*values;
		} else if (c == '}' || c == ']') {
			depth--;
		} else if (c == ',') {
			--*values;
		}
		if (*values < 0 || to->n > JSON_WALK_BYTES)
			return GOT_TOO_MUCH;
		c = peek(w);
		/* Numbers and words end where something else begins. */
		if (depth == 0 &&
			(c < 0 || strchr(",:]}{[\" \t\r\n", c) || strchr("\"}]", to->p[to->n - 1])))
			return GOT;
	} while (depth <= DEPTH_MAX && depth >= 0);
	return broken(w,
		depth < 0 ? "this is not JSON: a bracket that closes nothing"
			  : "nesting of more than 32 levels");
}

static enum rc give(
	struct json_walk *w, const struct json_place *place, int64_t line, struct str text)
{
	const char *problem;
	const struct body *value = body_parse(w->arena, text, &problem);
	enum rc rc;

	if (!value) {
		rc = refuse(w, line, "bad_json",
			arena_printf(w->arena, "this is not JSON: %s", problem).p);
	} else {
		rc = w->record(w, place, line, value);
	}
	w->nuls = w->halves = 0;
	arena_reset(w->arena);
	return rc;
}

static enum rc walk(struct json_walk *w, const struct json_place *place, int depth);

/* Takes a comma between elements, or the end. False if there is neither. */
static bool is_end(struct json_walk *w, int end, bool *first, bool *ends)
{
	int c = skip_space(w);

	*ends = c == end;
	if (*ends || (c == ',' && !*first)) {
		next(w);
		skip_space(w);
	} else if (!*first) {
		return false;
	}
	*first = false;
	return true;
}

static enum rc walk_array(struct json_walk *w, const struct json_place *place, int depth)
{
	bool first = true, ends;
	enum rc rc;

	next(w);
	for (;;) {
		if (!is_end(w, ']', &first, &ends))
			return refuse(w, w->input->line, "bad_json",
				"this is not JSON: a comma or ] is missing");
		if (ends)
			return RC_OK;
		rc = walk(w, place, depth + 1);
		if (rc != RC_OK || w->refused)
			return rc;
	}
}

/* What has been read of a large object while its large members are walked. */
struct head {
	struct buf text; /* without the closing brace */
	int64_t values;  /* how many it may still have */
	struct arena arena;
	struct arena parsed; /* holds place.head */
	size_t parsed_n;     /* how much of the text that is */
	struct body *all;    /* place.head */
	struct json_place place;
};

static bool has(const struct body *object, struct str key)
{
	const struct body *e = object->first;

	while (e && !str_equal(e->key, key))
		e = e->next;
	return e;
}

/* Adds what the records' reader asks for: with all members, looking for one would take long. */
static void keep_members(struct json_walk *w, struct head *head, const struct body *found)
{
	for (const struct body *e = found->first; e; e = e->next) {
		if (!w->keeps || !w->keeps(e->key) || has(head->all, e->key))
			continue;
		struct body *kept = arena_alloc(&head->parsed, sizeof(*kept));
		*kept = *e;
		kept->next = NULL;
		body_append(head->all, e->key, kept);
	}
}

/* Parses what the text has got since the last large member, so that many of them take linear time. */
static const char *parse_more(struct json_walk *w, struct head *head)
{
	const char *problem;
	struct buf more = { 0 };
	const struct body *found;

	if (head->parsed_n)
		buf_put_char(&more, '{');
	size_t skip = head->parsed_n ? head->parsed_n + 1 : 0; /* the comma */
	buf_put(&more, head->text.p + skip, head->text.n - skip);
	buf_put_char(&more, '}');
	found = body_parse(&head->parsed, buf_str(&more), &problem);
	buf_free(&more);
	if (!found)
		return problem;
	if (!head->all)
		head->place.head = head->all = body_new_object(&head->parsed);
	keep_members(w, head, found);
	head->parsed_n = head->text.n;
	if (w->enter)
		head->place.known = w->enter(w, &head->place, &head->arena);
	return NULL;
}

static enum rc walk_member(struct json_walk *w, struct head *head, int depth)
{
	struct buf value = { 0 };
	int64_t line = w->input->line, left = --head->values;
	const char *problem;
	int c = peek(w);
	enum got got = read_value(w, &value, &head->values);
	enum rc rc = RC_OK;

	if (got == GOT_BROKEN) {
		rc = refuse(w, w->input->line, "bad_json", w->input->broken);
	} else if (left < 0) {
		rc = refuse(w, line, "too_large", "more than 40,000 values");
	} else if (got == GOT && head->text.n + value.n < JSON_WALK_BYTES) {
		buf_put_str(&head->text, buf_str(&value));
	} else if (c != '[' && c != '{') {
		rc = refuse(w, line, "too_large", "more than 8 MiB, or 40,000 values");
	} else {
		put_back(w, buf_str(&value));
		buf_put_z(&head->text, "null");
		problem = parse_more(w, head);
		rc = problem ? refuse(w, line, "bad_json", problem) : walk(w, &head->place, depth);
		head->values = left;
	}
	buf_free(&value);
	return rc;
}

static enum rc walk_key(struct json_walk *w, struct head *head, int depth)
{
	size_t from = head->text.n;

	if (peek(w) != '"')
		return refuse(w, w->input->line, "bad_json", "this is not JSON: a key is missing");
	buf_put_char(&head->text, (char)next(w));
	if (read_string(w, &head->text, from + KEY_MAX) != GOT)
		return refuse(w, w->input->line, "bad_json", "an unterminated key");
	head->place.member = arena_str(
		&head->arena, (struct str){ head->text.p + from + 1, head->text.n - from - 2 });
	if (skip_space(w) != ':')
		return refuse(w, w->input->line, "bad_json", "this is not JSON: a : is missing");
	buf_put_char(&head->text, (char)next(w));
	skip_space(w);
	return walk_member(w, head, depth);
}

static enum rc walk_object(struct json_walk *w, const struct json_place *place, int depth)
{
	struct head head = { .values = JSON_WALK_VALUES, .place = { .up = place } };
	const int64_t line = w->input->line;
	bool first = true, ends;
	enum rc rc = RC_OK;

	buf_put_char(&head.text, (char)next(w));
	for (;;) {
		if (!first)
			buf_put_char(&head.text, ',');
		if (!is_end(w, '}', &first, &ends)) {
			rc = refuse(w, w->input->line, "bad_json",
				"this is not JSON: a comma or } is missing");
			break;
		}
		if (ends)
			break;
		rc = walk_key(w, &head, depth);
		if (rc != RC_OK || w->refused)
			break;
	}
	if (rc == RC_OK && !w->refused) {
		if (head.text.p[head.text.n - 1] == ',')
			head.text.n--;
		buf_put_char(&head.text, '}');
		rc = give(w, place, line, buf_str(&head.text));
	}
	buf_free(&head.text);
	arena_free(&head.arena);
	arena_free(&head.parsed);
	return rc;
}

/* Walks an array or takes a record; anything else is ignored, or refused at the top. */
static enum rc walk(struct json_walk *w, const struct json_place *place, int depth)
{
	struct buf text = { 0 };
	int64_t values = JSON_WALK_VALUES;
	const int64_t line = w->input->line;
	const int c = peek(w);
	enum rc rc = RC_OK;

	if (depth > DEPTH_MAX)
		return refuse(w, line, "bad_json", "nesting of more than 32 levels");
	if (c == '[')
		return walk_array(w, place, depth);
	enum got got = read_value(w, &text, &values);
	if (got == GOT_BROKEN) {
		rc = refuse(w, w->input->line, "bad_json", w->input->broken);
	} else if (got == GOT && c == '{') {
		rc = give(w, place, line, buf_str(&text));
	} else if (got == GOT_TOO_MUCH && c == '{') {
		put_back(w, buf_str(&text));
		rc = walk_object(w, place, depth + 1);
	} else if (got == GOT_TOO_MUCH) {
		rc = refuse(w, line, "too_large", "a text of more than 8 MiB");
	} else if (!place && depth == 0) {
		rc = refuse(w, line, "bad_json", "this is neither an object nor an array");
	}
	buf_free(&text);
	return rc;
}

static void skip_mark(struct json_walk *w)
{
	static const char mark[] = "\xef\xbb\xbf";

	if (peek(w) == 0xef)
		for (int i = 0; i < 3 && peek(w) == (unsigned char)mark[i]; i++)
			next(w);
}

enum rc json_walk(struct json_walk *w)
{
	struct json_input in = { .line = 1 };
	enum rc rc = RC_OK;

	w->input = &in;
	w->refused = false;
	skip_mark(w);
	while (rc == RC_OK && !w->refused && skip_space(w) >= 0)
		rc = walk(w, NULL, 0);
	if (rc == RC_OK && in.must_end)
		rc = RC_UNAVAILABLE;
	if (rc == RC_OK && !w->refused && in.broken)
		rc = refuse(w, in.line, "unreadable", in.broken);
	buf_free(&in.front);
	w->input = NULL;
	return rc;
}
