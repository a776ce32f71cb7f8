#include "domain/notification.h"

#include "model/model.h"

enum { MILLISECOND = 1000 };

/* Clients ask for changes since a time that they have read: whole milliseconds. */
static int64_t whole_ms(int64_t us)
{
	return us - us % MILLISECOND;
}

enum rc notification_update(struct outcome *out, const struct wish *wish)
{
	const struct notification *old = out->scene->object;
	if (old->person_id != out->scene->me->id)
		return RC_UNFOUND_RESOURCE;
	struct notification *n = outcome_edit(out, &res_notification, old);
	wish_apply(wish, n);
	out->subject = n;
	if (outcome_differs(&res_notification, old, n))
		n->updated_at = whole_ms(out->scene->now);
	return RC_OK;
}

enum rc notification_mark_read(struct outcome *out, const struct wish *wish)
{
	struct read_mark *mark = object_copy(out->scene->arena, wish->of, wish->object);
	mark->id = out->scene->me->id;
	mark->read_at = out->scene->now;
	outcome_create(out, wish->of, mark);
	return RC_OK;
}
