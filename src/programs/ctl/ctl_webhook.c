/* planwrightctl webhook: the delivery log, and redelivery. */
#include <stdio.h>

#include "programs/ctl/ctl.h"

/* A number from 1 on, or the command fails. */
static struct db_param number(struct ctl *c, const char *z, const char *what)
{
	int64_t value;

	if (!str_to_int(str_of(z), &value) || value < 1)
		ctl_fail(c, "%s is not the number of a %s", z, what);
	return db_int(&c->arena, value);
}

static const char *text(struct ctl *c, const struct rows *rows, int row, int column)
{
	return db_is_null(rows, row, column)
		? ""
		: arena_str(&c->arena, db_get_text(rows, row, column)).p;
}

static void print_webhook(struct ctl *c, const struct rows *rows, int row)
{
	printf("webhook %lld  %s  %s%s\n", (long long)db_get_int(rows, row, 0),
		db_get_bool(rows, row, 2) ? "on " : "off", text(c, rows, row, 1),
		db_is_null(rows, row, 3)
			? ""
			: arena_printf(&c->arena, "  failing since %s", text(c, rows, row, 3)).p);
}

static void print_delivery(struct ctl *c, const struct rows *rows, int row)
{
	char status[24] = "-";

	if (!db_is_null(rows, row, 5))
		snprintf(status, sizeof(status), "%lld", (long long)db_get_int(rows, row, 5));
	printf("  delivery %lld  version %lld  %s  %s  attempts %lld  status %s%s%s\n",
		(long long)db_get_int(rows, row, 0), (long long)db_get_int(rows, row, 1),
		text(c, rows, row, 2), text(c, rows, row, 3), (long long)db_get_int(rows, row, 4),
		status, db_is_null(rows, row, 6) ? "" : "  ", text(c, rows, row, 6));
}

static void print_deliveries(struct ctl *c, int64_t webhook)
{
	const struct rows *rows = ctl_query(c,
		"select id, version, "
		"case when delivered_at is not null then 'delivered' "
		"when failed_at is not null then 'given up' else 'waits until' end, "
		"to_char(coalesce(delivered_at, failed_at, next_at), 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), "
		"attempts, last_status, last_error "
		"from delivery where webhook_id = $1 order by id desc limit 50",
		1, (struct db_param[]){ db_int(&c->arena, webhook) });

	for (int i = 0; i < db_count(rows); i++)
		print_delivery(c, rows, i);
}

void ctl_webhook_log(struct ctl *c)
{
	const char *only = c->options[CTL_WEBHOOK];
	const struct rows *rows = ctl_query(c,
		"select id, webhook_url, enabled, "
		"to_char(failing_since, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') "
		"from webhook where project_id = $1 and (id = $2 or $2 is null) order by id",
		2,
		(struct db_param[]){ number(c, c->word, "project"),
			only ? number(c, only, "webhook") : db_null() });

	if (db_count(rows) == 0) {
		ctl_commit(c);
		ctl_fail(c, "project %s has no %s", c->word, only ? "such webhook" : "webhooks");
	}
	for (int i = 0; i < db_count(rows); i++) {
		print_webhook(c, rows, i);
		print_deliveries(c, db_get_int(rows, i, 0));
	}
	ctl_commit(c);
}

/* The same row, as soon as possible, if it is still waiting; otherwise a new one after all
   waiting ones. -1: there is no such delivery; -2: its webhook is switched off. */
static const char send_again[] =
	"with d as (select d.*, w.enabled, d.delivered_at is null and d.failed_at is null as waits "
	"from delivery d join webhook w on w.id = d.webhook_id where d.id = $1::bigint "
	"for update of d), "
	"same as (update delivery x set next_at = now() from d "
	"where x.id = d.id and d.enabled and d.waits returning x.id), "
	"new as (insert into delivery (webhook_id, project_id, version) "
	"select webhook_id, project_id, version from d where enabled and not waits returning id) "
	"select case when not exists (select from d) then -1::bigint "
	"when not (select enabled from d) then -2::bigint "
	"else coalesce((select id from same), (select id from new)) end";

void ctl_webhook_redeliver(struct ctl *c)
{
	const struct rows *rows =
		ctl_query(c, send_again, 1, (struct db_param[]){ number(c, c->word, "delivery") });
	int64_t id = db_get_int(rows, 0, 0);

	ctl_commit(c);
	if (id == -1)
		ctl_fail(c, "there is no such delivery, or it was deleted after delivery_days");
	if (id == -2)
		ctl_fail(c, "its webhook is switched off: switch it on first");
	printf("delivery %lld will be sent when its turn comes\n", (long long)id);
}
