/* Webhooks: endpoints. */
#include "domain/webhook.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/routes.h"
#include "model/model.h"

static const char *const delivery_states[] = { "waiting", "delivered", "failed", NULL };

static const struct field delivery_fields[] = {
	{ "kind", FT_KIND, F_DEFAULT, .doc = "webhook_delivery" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier of the delivery." },
	{ "project_version", FT_INT, F_DEFAULT, .doc = "The version whose activity is sent." },
	{ "state", FT_WORD, F_DEFAULT, .words = delivery_states,
		.doc = "waiting, delivered, or failed (given up)." },
	{ "attempts", FT_INT, F_DEFAULT, .doc = "How often it was tried." },
	{ "last_status", FT_INT, F_DEFAULT, .doc = "Status of the last answer; 0: none came." },
	{ "last_error", FT_STRING, F_DEFAULT, .doc = "What was wrong the last time." },
	{ "next_at", FT_TIME, F_DEFAULT, .doc = "When it will be retried, while it is waiting." },
	{ "ended_at", FT_TIME, F_DEFAULT, .doc = "When it was delivered or given up." },
	{ "created_at", FT_TIME, F_DEFAULT, .doc = "When it was queued." },
};
static const struct resource res_delivery = { "webhook_delivery",
	RESOURCE_FIELDS(delivery_fields) };

static void load_update(struct command *c)
{
	c->scene.webhook_http = c->r->conf->webhook_http;
	c->scene.old_versions = c->r->conf->old_versions;
}

static void take_count(struct load *l, const struct rows *rows)
{
	l->scene->n_webhooks = db_get_int(rows, 0, 0);
}

static void load_create(struct command *c)
{
	load_ask_rows(&c->load, STMT_WEBHOOK_COUNT, 1, &c->load.project, take_count);
	load_new_ids(&c->load, &res_webhook, 1);
	load_update(c);
}

const struct route webhook_routes[] = {
	{ "GET", "/projects/:project/webhooks", NEED_PARTNER, crud_list, &res_webhook,
		.read = STMT_WEBHOOK_LIST, .doc = "Webhooks of a project." },
	{ "POST", "/projects/:project/webhooks", NEED_OWNER, command_run, &res_webhook,
		.read = STMT_WEBHOOK_GET, .target = &res_webhook, .load = load_create,
		.decide = webhook_create, .flags = R_UNTOLD,
		.example =
			"{\"webhook_url\":\"https://hooks.example.com/garden\",\"webhook_version\":\"v5\"}",
		.audit = AUDIT_TELLS(WEBHOOK_CREATE), .doc = "Add a webhook." },
	{ "GET", "/projects/:project/webhooks/:id", NEED_PARTNER, crud_get, &res_webhook,
		.read = STMT_WEBHOOK_GET, .doc = "One webhook." },
	{ "PUT", "/projects/:project/webhooks/:id", NEED_OWNER, command_run, &res_webhook,
		.read = STMT_WEBHOOK_GET, .target = &res_webhook, .find = STMT_WEBHOOK_LOAD,
		.load = load_update, .decide = webhook_update, .flags = R_UNTOLD,
		.example = "{\"enabled\":false}", .audit = AUDIT_TELLS(WEBHOOK_CHANGE),
		.doc = "Change a webhook." },
	{ "DELETE", "/projects/:project/webhooks/:id", NEED_OWNER, command_run, NULL,
		.target = &res_webhook, .find = STMT_WEBHOOK_LOAD, .decide = webhook_delete,
		.flags = R_UNTOLD, .audit = AUDIT_TELLS(WEBHOOK_DELETE),
		.doc = "Delete a webhook." },
	{ "GET", "/projects/:project/webhooks/:id/deliveries", NEED_OWNER, crud_list, &res_delivery,
		.read = STMT_WEBHOOK_DELIVERIES, .exists = STMT_WEBHOOK_EXISTS, .flags = R_PAGED,
		.limit = 50, .limit_max = 500, .total = STMT_WEBHOOK_DELIVERY_COUNT,
		.doc = "The deliveries of a webhook that are waiting or ended within delivery_days, "
		       "newest first." },
	{ 0 },
};
