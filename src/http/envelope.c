#include "http/envelope.h"

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
	struct str data = buf_str(r->out);
	struct buf whole = { 0 };
	buf_put_z(&whole, "{\"data\":");
	buf_put_str(&whole, (struct str){ data.p + from, data.n - from });
	buf_printf(&whole, ",\"http_status\":\"%d\"", r->status);
	if (envelope_has_version(r))
		buf_printf(&whole, ",\"project_version\":%lld", (long long)r->version);
	if (envelope_has_pages(r))
		buf_printf(&whole,
			",\"pagination\":{\"total\":%lld,\"limit\":%lld,\"offset\":%lld,"
			"\"returned\":%lld}",
			(long long)r->page.total, (long long)r->page.limit,
			(long long)r->page.offset, (long long)r->page.returned);
	if (r->tells_newest)
		buf_printf(&whole, ",\"last_notification_timestamp\":%lld",
			(long long)r->newest_notification);
	buf_put_char(&whole, '}');
	r->out->n = from;
	buf_put_str(r->out, buf_str(&whole));
	buf_free(&whole);
}
