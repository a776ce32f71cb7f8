#include <string.h>

#include "domain/activity.h"
#include "domain/naming.h"
#include "model/model.h"

/* Names in texts ---------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		(unsigned char)c >= 0x80;
}

static bool is_name_char(char c)
{
	return is_letter(c) || c == '_' || c == '.' || c == '-';
}

/* A name begins after an @ that is not preceded by an address or another name, and ends in a
   letter, a digit or an underscore. */
static struct str next_name(struct str text, size_t *at)
{
	for (size_t i = *at; i < text.n; i++) {
		if (text.p[i] != '@' ||
			(i > 0 && (is_name_char(text.p[i - 1]) || text.p[i - 1] == '@')))
			continue;
		size_t end = i + 1;
		while (end < text.n && is_name_char(text.p[end]))
			end++;
		while (end > i + 1 && !is_letter(text.p[end - 1]) && text.p[end - 1] != '_')
			end--;
		if (end == i + 1)
			continue;
		*at = end;
		return (struct str){ text.p + i + 1, end - i - 1 };
	}
	return (struct str){ 0 };
}

static bool has_name(struct strs names, struct str name)
{
	for (size_t i = 0; i < names.n; i++)
		if (str_equal_nocase(names.v[i], name))
			return true;
	return false;
}

struct strs news_names(struct arena *a, struct str text)
{
	enum { NAMES_MAX = 200 };
	struct str name, *v = NULL;
	struct strs names = { 0 };
	for (size_t at = 0; names.n < NAMES_MAX && (name = next_name(text, &at)).p;) {
		if (!v)
			names.v = v = arena_array(a, NAMES_MAX, sizeof *v);
		if (!has_name(names, name))
			v[names.n++] = name;
	}
	return names;
}

/* People mentioned in a text but not in an older one. */
static struct ids mentioned(const struct scene *s, struct str text, struct str old)
{
	struct strs names = news_names(s->arena, text), before = news_names(s->arena, old);
	struct ids people = { 0 };
	for (size_t i = 0; i < s->mentions.n; i++) {
		const struct mention *m = s->mentions.v[i];
		if (has_name(names, m->name) && !has_name(before, m->name) &&
			naming_may_use(s, NAMING_BY_NAME, m->person_id))
			people = ids_with(s->arena, people, m->person_id);
	}
	return people;
}

/* Whom things concern ------------------------------------------------------------- */

/* A story's current owners and requester, and its followers: people who asked to follow it or
   commented on it. */
static struct ids concerned(const struct outcome *out, const struct story *old)
{
	struct arena *a = out->scene->arena;
	const struct story *s = outcome_see(out, &res_story, old);
	struct ids people = s->owner_ids;
	for (size_t i = 0; i < s->follower_ids.n; i++)
		people = ids_with(a, people, s->follower_ids.v[i]);
	return s->requested_by_id == NIL ? people : ids_with(a, people, s->requested_by_id);
}

static struct ids without(struct arena *a, struct ids ids, struct ids others)
{
	struct ids rest = { 0 };
	for (size_t i = 0; i < ids.n; i++)
		if (!ids_have(others, ids.v[i]))
			rest = ids_with(a, rest, ids.v[i]);
	return rest;
}

/* A sentence with the performer's name in it. */
static struct str say(const struct outcome *out, const char *before, const char *behind)
{
	struct str name = out->scene->me->name;
	return arena_printf(out->scene->arena, "%s%.*s%s", before, (int)name.n, name.p, behind);
}

static struct news about_story(const struct outcome *out, const struct story *old)
{
	const struct story *s = old ? outcome_see(out, &res_story, old) : NULL;
	return (struct news){ .story_id = s ? s->id : NIL,
		.story_name = s ? s->name : (struct str){ 0 },
		.epic_id = NIL,
		.comment_id = NIL,
		.account_id = NIL,
		.attachments = NIL };
}

static struct news about_epic(const struct outcome *out, const struct epic *old)
{
	const struct epic *e = outcome_see(out, &res_epic, old);
	return (struct news){ .story_id = NIL,
		.epic_id = e->id,
		.epic_name = e->name,
		.comment_id = NIL,
		.account_id = NIL,
		.attachments = NIL };
}

/* News ------------------------------------------------------------------------------ */

/* People mentioned with @ in a new text. */
static void tell_mentioned(struct outcome *out, struct news news, struct str text, struct str old)
{
	if (!text.p || str_equal(text, old))
		return;
	news.people = mentioned(out->scene, text, old);
	news.action = "mention";
	news.message = say(out, "You were mentioned by ", "");
	news.context = text;
	outcome_tell(out, &news);
}

/* New owners, and the verdicts and handovers that others wait for. */
static void news_of_story(struct outcome *out, const struct change *c)
{
	const struct story *old = c->old, *n = c->new;
	struct news news = about_story(out, n);
	news.people =
		without(out->scene->arena, n->owner_ids, old ? old->owner_ids : (struct ids){ 0 });
	news.type = "story";
	news.action = "ownership";
	news.message = say(out, "", " has made you an owner of this story");
	outcome_tell(out, &news);
	if (old && n->current_state != old->current_state &&
		(n->current_state == STATE_REJECTED || n->current_state == STATE_ACCEPTED ||
			n->current_state == STATE_DELIVERED)) {
		news.people = concerned(out, n);
		news.action = n->current_state == STATE_REJECTED ? "rejection"
			: n->current_state == STATE_ACCEPTED     ? "acceptance"
								 : "delivery";
		news.message = arena_printf(out->scene->arena, "%.*s has %s this story",
			(int)out->scene->me->name.n, out->scene->me->name.p,
			words_story_states[n->current_state]);
		outcome_tell(out, &news);
	}
	tell_mentioned(out, news, n->description, old ? old->description : (struct str){ 0 });
}

static struct news about_comment(const struct outcome *out, const struct comment *n)
{
	const struct story *story = objects_find(&out->scene->stories, n->story_id);
	const struct epic *epic = objects_find(&out->scene->epics, n->epic_id);
	if (!story && out->scene->story && out->scene->story->id == n->story_id)
		story = out->scene->story;
	if (!story && n->story_id != NIL)
		story = outcome_made(out, &res_story, n->story_id);
	if (!epic && n->epic_id != NIL)
		epic = out->scene->epic && out->scene->epic->id == n->epic_id
			? out->scene->epic
			: outcome_made(out, &res_epic, n->epic_id);
	struct news news = epic ? about_epic(out, epic) : about_story(out, story);
	news.people = epic ? ((const struct epic *)outcome_see(out, &res_epic, epic))->follower_ids
		: story    ? concerned(out, story)
			   : (struct ids){ 0 };
	news.comment_id = n->id;
	news.context = n->text;
	news.attachments = (int64_t)(n->file_attachment_ids.n + n->google_attachment_ids.n);
	return news;
}

/* People mentioned in a comment, then the other people concerned by the story; for an edited
   comment, only newly mentioned people. */
static void news_of_comment(struct outcome *out, const struct change *c)
{
	const struct comment *old = c->old, *n = c->new;
	struct news news = about_comment(out, n);
	struct ids fans = news.people;
	if (old && (!n->text.p || str_equal(old->text, n->text)))
		return;
	news.people = mentioned(out->scene, n->text, old ? old->text : (struct str){ 0 });
	struct ids named = news.people;
	news.type = "comment_with_mention";
	news.action = old ? "mention" : "create";
	news.message = say(out, "You were mentioned by ", "");
	outcome_tell(out, &news);
	if (old)
		return;
	news.people = without(out->scene->arena, fans, named);
	news.type = "comment";
	news.message = say(out, "",
		n->epic_id == NIL ? " commented on a story you follow"
				  : " commented on an epic you follow");
	outcome_tell(out, &news);
}

static void news_of_blocker(struct outcome *out, const struct change *c)
{
	const struct blocker *old = c->old, *n = c->new;
	const struct scene *s = out->scene;
	if (old && (!n->resolved || old->resolved))
		return;
	const struct story *story = objects_find(&s->stories, n->story_id);
	if (!story && s->story && s->story->id == n->story_id)
		story = s->story;
	if (!story)
		story = outcome_made(out, &res_story, n->story_id);
	if (!story)
		return;
	struct news news = about_story(out, story);
	news.people = concerned(out, story);
	news.type = "blocker";
	news.action = old ? "resolve" : "create";
	news.message = say(out, "",
		old ? " has resolved a blocker of this story"
		    : " has added a blocker to this story");
	news.context = n->description;
	outcome_tell(out, &news);
}

static void news_of_epic(struct outcome *out, const struct change *c)
{
	const struct epic *old = c->old, *n = c->new;
	struct news news = about_epic(out, n);
	news.type = "epic";
	if (!old) {
		news.people = n->follower_ids;
		news.action = "create";
		news.message = say(out, "", " has added this epic");
		outcome_tell(out, &news);
	}
	tell_mentioned(out, news, n->description, old ? old->description : (struct str){ 0 });
}

static struct news about_membership(struct outcome *out, const char *type, struct str message)
{
	struct news news = about_story(out, NULL);
	news.type = type;
	news.action = "membership";
	news.message = message;
	return news;
}

void news_of_project(struct outcome *out, const struct person *person)
{
	const struct news news =
		about_membership(out, "project", say(out, "", " has added you to this project"));
	outcome_tell_newcomer(out, &news, person);
}

void news_of_account(
	struct outcome *out, const struct person *person, const struct account *account)
{
	struct str name = out->scene->me->name;
	struct news news = about_membership(out, "account",
		arena_printf(out->scene->arena, "%.*s has added you to the account %.*s",
			(int)name.n, name.p, (int)account->name.n, account->name.p));
	news.account_id = account->id;
	outcome_tell_newcomer(out, &news, person);
}

void news_gather(struct outcome *out)
{
	for (size_t i = 0; i < out->batch->n; i++) {
		struct change *c = &out->batch->changes[i];
		if (!c->new || c->silent)
			continue;
		if (c->of == &res_story)
			news_of_story(out, c);
		else if (c->of == &res_comment)
			news_of_comment(out, c);
		else if (c->of == &res_blocker)
			news_of_blocker(out, c);
		else if (c->of == &res_epic)
			news_of_epic(out, c);
	}
}
