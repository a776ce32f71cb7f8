/* Fields of webhooks. */
#include "model/model.h"
#include "model/things.h"

static const struct webhook preset = { .id = NIL,
	.project_id = NIL,
	.enabled = true,
	.last_error_code = NIL,
	.failing_since = NIL,
	.created_at = NIL,
	.updated_at = NIL };

#define DELIVERED_HERE "it says how this server delivered"

static const struct field fields[] = {
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "webhook" },
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "project_id", FT_INT, F_DEFAULT | F_STORED, AT(webhook, project_id),
		.doc = "The project." },
	{ "project", FT_ONE, F_HIDES_KEY, .child = &res_project, .key = "project_id",
		.doc = "The project." },
	{ "webhook_url", FT_STRING,
		F_DEFAULT | F_WRITE | F_REQUIRED | F_STORED | F_UNTOLD | F_AUDIT | F_SITE,
		AT(webhook, webhook_url), .max = 2000, .changed = STMT_WEBHOOK_UPDATE_DELIVERIES,
		.doc = "The address that activities are sent to; https. Viewers do not see it." },
	{ "webhook_version", FT_WORD,
		F_DEFAULT | F_WRITE | F_REQUIRED | F_RULED | F_STORED | F_UNTOLD | F_AUDIT,
		AT(webhook, webhook_version), .words = words_webhook_versions,
		.doc = "v5; or v3 or v4, for their XML, where the setting old_versions turns it "
		       "on." },
	{ "enabled", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_UNTOLD | F_AUDIT,
		AT(webhook, enabled), .changed = STMT_WEBHOOK_UPDATE_DELIVERIES,
		.doc = "Whether activities are sent." },
	{ "secret", FT_STRING, F_WRITE | F_NULL | F_HIDDEN | F_STORED | F_UNTOLD,
		AT(webhook, secret), .max = 255, .stays = "a secret",
		.doc = "Signs deliveries (Standard Webhooks); never shown." },
	{ "last_error_code", FT_INT, F_DEFAULT | F_STORED, AT(webhook, last_error_code),
		.stays = DELIVERED_HERE,
		.doc = "Status of the last failed delivery; 0: no answer came." },
	{ "last_response_body", FT_STRING, F_DEFAULT | F_STORED, AT(webhook, last_response_body),
		.stays = DELIVERED_HERE, .doc = "The beginning of that answer, or why none came." },
	{ "failing_since", FT_TIME, F_HIDDEN | F_STORED, AT(webhook, failing_since),
		.stays = DELIVERED_HERE, .doc = "The first failure since the last success." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED, AT(webhook, created_at),
		.doc = "When it was created." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED, AT(webhook, updated_at),
		.doc = "When it was last changed." },
};
const struct resource res_webhook = { "webhook", .table = "webhook", RESOURCE_FIELDS(fields),
	.size = sizeof(struct webhook), .preset = &preset };
