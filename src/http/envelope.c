#include "http/envelope.h"

#include <string.h>

#include "http/route.h"
#include "lib/uri.h"

void envelope_take(struct req *r)
{
	const struct uri_param *p = uri_find(r->params, "envelope");
	r->envelope = p && str_equal_z(p->value, "true");
}

bool envelope_has_version(const struct req *r)
{
	return r->version && r->route && !(r->route->flags & R_QUIET);
}

bool envelope_has_pages(const struct req *r)
{
	return r->page.on && r->status < 400;
}

void envelope_wrap(struct req *r, size_t from)
{
	static const struct str head = { "{\"data\":", 8 };
	struct buf *out = r->out;
	/* In place: a copy would take as much memory again. */
	buf_put_str(out, head);
	memmove(out->p + from + head.n, out->p + from, out->n - from - head.n);
	memcpy(out->p + from, head.p, head.n);
	buf_printf(out, ",\"http_status\":\"%d\"", r->status);
	if (envelope_has_version(r))
		buf_printf(out, ",\"project_version\":%lld", (long long)r->version);
	if (envelope_has_pages(r))
		buf_printf(out,
			",\"pagination\":{\"total\":%lld,\"limit\":%lld,\"offset\":%lld,"
			"\"returned\":%lld}",
			(long long)r->page.total, (long long)r->page.limit,
			(long long)r->page.offset, (long long)r->page.returned);
	if (r->tells_newest)
		buf_printf(out, ",\"last_notification_timestamp\":%lld",
			(long long)r->newest_notification);
	buf_put_char(out, '}');
}
