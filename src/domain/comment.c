#include "domain/comment.h"

#include "domain/touch.h"
#include "model/model.h"

/* Adding attachments ------------------------------------------------------------ */

/* Attachments that the comment already has stay: a body may repeat an answer. */
static enum rc attach_file(struct outcome *out, struct comment *n, const char *field, int64_t id)
{
	const struct scene *s = out->scene;
	if (ids_have(n->file_attachment_ids, id))
		return RC_OK;
	const struct file_attachment *old = objects_find(&s->files, id);
	const struct file_attachment *now =
		old ? outcome_see(out, &res_file_attachment, old) : NULL;
	if (!now || now->comment_id != NIL)
		return outcome_refuse_field(out, field,
			"File attachment with id=%lld is not an unattached upload of yours in this project.",
			(long long)id);
	struct file_attachment *f = outcome_change(out, &res_file_attachment, old);
	outcome_silence(out);
	f->comment_id = n->id;
	f->uploaded = true;
	objects_add(s->arena, &n->file_attachments, f);
	n->file_attachment_ids = ids_with(s->arena, n->file_attachment_ids, id);
	return RC_OK;
}

static bool is_empty(const struct google_attachment *g)
{
	return str_is_blank(g->google_kind) && str_is_blank(g->title) &&
		str_is_blank(g->google_id) && str_is_blank(g->alternate_link) &&
		str_is_blank(g->resource_id);
}

static enum rc attach_google(
	struct outcome *out, struct comment *n, const char *field, const struct wish *wish)
{
	const struct scene *s = out->scene;
	if (is_empty(wish->object))
		return outcome_refuse_field(out, field,
			"A Google attachment needs at least one of: alternate_link, google_id, "
			"google_kind, resource_id, title.");
	struct google_attachment *g = outcome_new(out, &res_google_attachment);
	wish_apply(wish, g);
	g->comment_id = n->id;
	g->person_id = s->me->id;
	outcome_create(out, &res_google_attachment, g);
	outcome_silence(out);
	objects_add(s->arena, &n->google_attachments, g);
	n->google_attachment_ids = ids_with(s->arena, n->google_attachment_ids, g->id);
	return RC_OK;
}

static enum rc attach_files(
	struct outcome *out, struct comment *n, const char *field, struct ids ids)
{
	enum rc rc = RC_OK;
	for (size_t i = 0; i < ids.n && !rc; i++)
		rc = attach_file(out, n, field, ids.v[i]);
	return rc;
}

/* A list of uploads, given by their ids; items without an id are new. */
static enum rc attach_items(
	struct outcome *out, struct comment *n, const char *field, struct wishes items)
{
	enum rc rc = RC_OK;
	for (size_t i = 0; i < items.n && !rc; i++) {
		const struct google_attachment *item = items.v[i]->object;
		rc = item->upload_id != NIL ? attach_file(out, n, field, item->upload_id)
					    : attach_google(out, n, field, items.v[i]);
	}
	return rc;
}

/* Each list has a name of its own, which a refusal names. */
static enum rc attach(struct outcome *out, struct comment *n, const struct comment *w, bool is_new)
{
	enum rc rc = attach_files(out, n, "file_attachment_ids", w->file_attachment_ids);
	if (!rc)
		rc = attach_files(out, n, "file_attachment_ids_to_add", w->files_to_add);
	if (!rc)
		rc = attach_items(out, n, "file_attachments", w->file_wishes);
	for (size_t i = 0; i < w->google_wishes.n && !rc; i++)
		rc = attach_google(out, n, "google_attachments", w->google_wishes.v[i]);
	return rc ? rc
		  : attach_items(out, n, is_new ? "attachments" : "attachments_to_add",
			    w->attachment_wishes);
}

/* Removing attachments ---------------------------------------------------------- */

/* Deletes an attachment; its file waits for `planwrightctl files sweep`. */
static void drop(struct outcome *out, const struct resource *of, struct ids *ids, int64_t id)
{
	struct arena *a = out->scene->arena;
	if (!ids_have(*ids, id))
		return;
	int64_t *object = object_null(a, of);
	*object = id;
	outcome_delete(out, of, object);
	outcome_silence(out);
	*ids = ids_without(a, *ids, id);
}

static enum rc detach(struct outcome *out, struct comment *n, const struct comment *old,
	const char *field, struct ids ids, bool files, bool google)
{
	for (size_t i = 0; i < ids.n; i++) {
		int64_t id = ids.v[i];
		if (files && ids_have(old->file_attachment_ids, id))
			drop(out, &res_file_attachment, &n->file_attachment_ids, id);
		else if (google && ids_have(old->google_attachment_ids, id))
			drop(out, &res_google_attachment, &n->google_attachment_ids, id);
		else
			return outcome_refuse_field(out, field,
				"Attachment with id=%lld is not attached to this comment.",
				(long long)id);
	}
	return RC_OK;
}

/* What a comment is --------------------------------------------------------------- */

/* A comment must have a text or an attachment. */
static enum rc check_content(struct outcome *out, const struct comment *n)
{
	if (str_is_blank(n->text) && !n->file_attachment_ids.n && !n->google_attachment_ids.n)
		return outcome_refuse_field(
			out, "text", "A comment needs a text or an attachment.");
	return RC_OK;
}

static enum rc check_author(struct outcome *out, const struct comment *n)
{
	if (n->person_id != out->scene->me->id)
		touch_people(out, "person_id", (struct ids){ &n->person_id, 1 }, (struct ids){ 0 });
	return outcome_is_refused(out) ? RC_INVALID_PARAMETER : RC_OK;
}

static struct ids with_fan(struct arena *a, struct ids fans, int64_t person)
{
	return person == NIL || ids_have(fans, person) ? fans : ids_with(a, fans, person);
}

/* The author of a comment becomes a follower. */
static void touch_above(
	struct outcome *out, const struct story *story, const struct epic *epic, int64_t fan)
{
	struct arena *a = out->scene->arena;
	if (story) {
		struct story *n = touch_story(out, story);
		n->follower_ids = with_fan(a, n->follower_ids, fan);
	} else {
		struct epic *n = touch_epic(out, epic);
		n->follower_ids = with_fan(a, n->follower_ids, fan);
	}
}

static struct ids both(struct arena *a, const struct comment *c)
{
	struct ids ids = c->file_attachment_ids;
	for (size_t i = 0; i < c->google_attachment_ids.n; i++)
		ids = ids_with(a, ids, c->google_attachment_ids.v[i]);
	return ids;
}

static enum rc add(struct outcome *out, const struct wish *wish, const struct story *story,
	const struct epic *epic, const struct comment **made)
{
	const struct scene *s = out->scene;
	struct comment *n = outcome_new(out, &res_comment);
	n->story_id = story ? story->id : NIL;
	n->epic_id = epic ? epic->id : NIL;
	n->person_id = s->me->id;
	n->created_at = n->updated_at = s->now;
	wish_apply(wish, n);
	n->file_attachment_ids = (struct ids){ 0 };
	enum rc rc = check_author(out, n);
	*made = outcome_create(out, &res_comment, n);
	if (!rc)
		rc = attach(out, n, wish->object, true);
	if (!rc)
		rc = check_content(out, n);
	if (rc)
		return rc;
	n->attachment_ids = both(s->arena, n);
	touch_above(out, story, epic, n->person_id);
	return RC_OK;
}

enum rc comment_add(struct outcome *out, const struct wish *wish, const struct story *story,
	const struct epic *epic)
{
	const struct comment *made;
	return add(out, wish, story, epic, &made);
}

enum rc comment_change(struct outcome *out, const struct wish *wish, const struct comment *old)
{
	const struct scene *s = out->scene;
	const struct comment *w = wish->object;
	struct comment *n = object_copy(s->arena, &res_comment, old);
	if (wish_asks(wish, comment, text))
		n->text = w->text;
	enum rc rc = detach(
		out, n, old, "attachment_ids_to_remove", w->attachments_to_remove, true, true);
	if (!rc)
		rc = detach(out, n, old, "file_attachment_ids_to_remove", w->files_to_remove, true,
			false);
	if (!rc)
		rc = detach(out, n, old, "google_attachment_ids_to_remove", w->google_to_remove,
			false, true);
	if (!rc)
		rc = attach(out, n, w, false);
	if (!rc)
		rc = check_content(out, n);
	if (rc || !outcome_differs(&res_comment, old, n))
		return rc;
	n->updated_at = s->now;
	outcome_put(out, &res_comment, old, n);
	touch_above(out, s->story, s->epic, NIL);
	return RC_OK;
}

/* Commands ------------------------------------------------------------------------- */

/* Whether the comment of the path belongs to the story or epic of the path. */
static bool is_there(const struct scene *s, const struct comment *c)
{
	return s->story ? c->story_id == s->story->id : c->epic_id == s->epic->id;
}

enum rc comment_create(struct outcome *out, const struct wish *wish)
{
	const struct comment *made = NULL;
	enum rc rc = add(out, wish, out->scene->story, out->scene->epic, &made);
	out->subject = made;
	return rc;
}

enum rc comment_update(struct outcome *out, const struct wish *wish)
{
	out->subject = out->scene->object;
	return is_there(out->scene, out->subject) ? comment_change(out, wish, out->subject)
						  : RC_UNFOUND_RESOURCE;
}

enum rc comment_delete(struct outcome *out, const struct wish *none)
{
	const struct scene *s = out->scene;
	(void)none;
	if (!is_there(s, s->object))
		return RC_UNFOUND_RESOURCE;
	outcome_delete(out, &res_comment, s->object);
	touch_above(out, s->story, s->epic, NIL);
	return RC_OK;
}

/* Handled as a change that removes the attachment of the path's last id. */
static enum rc remove_attachment(struct outcome *out, const struct objects *named, bool file)
{
	const struct scene *s = out->scene;
	struct wish *wish = arena_alloc(s->arena, sizeof *wish);
	struct comment *w = object_null(s->arena, &res_comment);
	struct ids ids = { named->v[0], 1 };
	if (!is_there(s, s->object))
		return RC_UNFOUND_RESOURCE;
	if (file)
		w->files_to_remove = ids;
	else
		w->google_to_remove = ids;
	wish->of = &res_comment;
	wish->object = w;
	return comment_change(out, wish, s->object);
}

enum rc comment_file_remove(struct outcome *out, const struct wish *none)
{
	(void)none;
	return remove_attachment(out, &out->scene->files, true);
}

enum rc comment_google_remove(struct outcome *out, const struct wish *none)
{
	(void)none;
	return remove_attachment(out, &out->scene->google, false);
}
