#include "domain/commit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "domain/blocker.h"
#include "domain/comment.h"
#include "domain/story.h"
#include "model/model.h"

/* Messages ------------------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || (unsigned char)c >= 0x80;
}

static bool is_one_of(struct str word, const char *const *words)
{
	for (; *words; words++)
		if (str_equal_nocase(word, str_of(*words)))
			return true;
	return false;
}

/* The state that the words between two brackets ask for. */
static int state_in(struct str text)
{
	static const char *const delivers[] = { "deliver", "delivers", "delivered", "delivering",
		NULL };
	static const char *const finishes[] = { "fix", "fixes", "fixed", "fixing", "finish",
		"finishes", "finished", "finishing", "complete", "completes", "completed",
		"completing", NULL };
	int state = WORD_NONE;
	for (size_t i = 0, end; i < text.n; i = end + 1) {
		for (end = i; end < text.n && is_word(text.p[end]); end++)
			;
		struct str word = { text.p + i, end - i };
		if (is_one_of(word, delivers))
			return STATE_DELIVERED;
		if (is_one_of(word, finishes))
			state = STATE_FINISHED;
	}
	return state;
}

/* Text between the next two brackets; absent: there are no more. */
static struct str next_bracket(struct str *rest)
{
	const char *open = rest->n ? memchr(rest->p, '[', rest->n) : NULL;
	size_t left = open ? rest->n - (size_t)(open - rest->p) : 0;
	const char *end = open ? memchr(open, ']', left) : NULL;
	if (!end)
		return (struct str){ 0 };
	*rest = (struct str){ end + 1, left - (size_t)(end - open) - 1 };
	return (struct str){ open + 1, (size_t)(end - open) - 1 };
}

static int compare(const void *a, const void *b)
{
	const struct commit_story *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void add(struct arena *a, struct commit_stories *to, struct commit_story story)
{
	if ((to->n & (to->n - 1)) == 0) { /* full at powers of two */
		struct commit_story *grown = arena_array(a, to->n ? 2 * to->n : 1, sizeof *grown);
		if (to->n)
			memcpy(grown, to->v, to->n * sizeof *grown);
		to->v = grown;
	}
	to->v[to->n++] = story;
}

/* If a message asks for two states, the one that leaves more to do wins. */
static int merge(int a, int b)
{
	if (a == WORD_NONE || b == WORD_NONE)
		return a == WORD_NONE ? b : a;
	return a == STATE_FINISHED ? a : b;
}

struct commit_stories commit_read(struct arena *a, struct str message)
{
	struct commit_stories all = { 0 };
	struct str text, rest = message;
	while ((text = next_bracket(&rest)).p) {
		struct ids ids = blocker_names(a, text);
		int state = ids.n ? state_in(text) : WORD_NONE;
		for (size_t i = 0; i < ids.n; i++)
			add(a, &all, (struct commit_story){ ids.v[i], state });
	}
	if (all.n)
		qsort(all.v, all.n, sizeof *all.v, compare);
	size_t n = 0;
	for (size_t i = 0; i < all.n; i++)
		if (n && all.v[n - 1].id == all.v[i].id)
			all.v[n - 1].state = merge(all.v[n - 1].state, all.v[i].state);
		else
			all.v[n++] = all.v[i];
	all.n = n;
	return all;
}

/* Comments --------------------------------------------------------------------- */

static bool has_part(struct str text, const char *part)
{
	size_t n = strlen(part);
	for (size_t i = 0; i + n <= text.n; i++)
		if (str_equal_nocase((struct str){ text.p + i, n }, (struct str){ part, n }))
			return true;
	return false;
}

const char *commit_type(struct str url)
{
	static const char *const types[] = { "github", "gitlab", "bitbucket" };
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (has_part(url, types[i]))
			return types[i];
	return "git";
}

static struct str first_chars(struct str text, size_t chars)
{
	size_t i = 0;
	for (; i < text.n; i++)
		if (((unsigned char)text.p[i] & 0xc0) != 0x80 && chars-- == 0)
			break;
	return (struct str){ text.p, i };
}

struct str commit_text(struct arena *a, const struct commit *c)
{
	enum { CHARS_MAX = 20000 };
	bool by = c->author.n > 0, at = c->url.n > 0;
	struct str head = arena_printf(a, "%s%.*s%s%.*s%s", by ? "Commit by " : "",
		(int)c->author.n, by ? c->author.p : "", by && at ? "\n" : "", (int)c->url.n,
		at ? c->url.p : "", by || at ? "\n\n" : "");
	return first_chars(arena_printf(a, "%s%.*s", head.p, (int)c->message.n,
				   c->message.n ? c->message.p : ""),
		CHARS_MAX);
}

/* The state that a story takes when a commit asks for one: a story whose type lacks that state is
   accepted; one that is further along, or not estimated, stays as it is. */
static int state_for(const struct outcome *out, int asked)
{
	const struct story *s = out->scene->story;
	if (asked == WORD_NONE || s->current_state == STATE_ACCEPTED ||
		(s->current_state == STATE_DELIVERED && asked == STATE_FINISHED) ||
		(isnan(s->estimate) && story_is_estimatable(s, out->scene->project)))
		return s->current_state;
	return s->story_type == TYPE_CHORE || s->story_type == TYPE_RELEASE ? STATE_ACCEPTED
									    : asked;
}

static enum rc comment(struct outcome *out, const struct commit *c, int64_t author)
{
	const struct scene *s = out->scene;
	struct comment *wished = object_null(s->arena, &res_comment);
	wished->text = commit_text(s->arena, c);
	wished->person_id = author == NIL ? s->me->id : author;
	wished->commit_identifier = c->commit_id.n ? c->commit_id : (struct str){ 0 };
	wished->commit_type = str_of(commit_type(c->url));
	return comment_add(out, wish_for(s->arena, &res_comment, wished), s->story, NULL);
}

enum rc commit_apply(struct outcome *out, const struct commit *commit, int state, int64_t author)
{
	if (out->scene->comments.n)
		return RC_OK;
	int to = state_for(out, state);
	bool moves = to != out->scene->story->current_state;
	out->batch->activity = moves ? "story_update" : "comment_create";
	enum rc rc = moves ? story_come_to(out, to) : RC_OK;
	return rc ? rc : comment(out, commit, author);
}
