/* PUT /me: a person's settings. */
#include "domain/settings.h"

#include "api/command.h"
#include "api/routes.h"
#include "model/model.h"

static const struct field fields[] = {
	{ "id", FT_INT, F_KEY | F_HIDDEN, .doc = "The person." },
	{ "kind", FT_KIND, F_UPDATE | F_IGNORED, .doc = "personal_settings" },
	{ "header_display_mode", FT_WORD, F_UPDATE | F_STORED | F_UNTOLD,
		AT(settings, header_display_mode), .words = words_display_modes,
		.doc = "How headers are shown: collapsed or expanded." },
	{ "reports_autorefresh", FT_BOOL, F_UPDATE | F_STORED | F_UNTOLD,
		AT(settings, reports_autorefresh), .doc = "Whether reports refresh themselves." },
	{ "updated_at", FT_TIME, F_HIDDEN | F_STORED, AT(settings, updated_at),
		.doc = "When the person was last changed." },
};
const struct resource res_personal_settings = { "personal_settings", .table = "person",
	RESOURCE_FIELDS(fields), .size = sizeof(struct settings) };

static const struct field body_fields[] = {
	{ "personal_settings", FT_OBJECT, F_UPDATE, AT(me_wish, personal_settings),
		.child = &res_personal_settings, .doc = "Settings to change." },
};
static const struct resource res_me_body = { "me", RESOURCE_FIELDS(body_fields),
	.size = sizeof(struct me_wish) };

static void load_settings(struct command *c)
{
	const struct db_param params[] = { c->load.mac, c->load.login };
	load_ask(&c->load, STMT_SETTINGS_LOAD, 2, params, &res_personal_settings, &c->target);
}

const struct route settings_routes[] = {
	{ "PUT", "/me", NEED_PERSON, command_run, &res_me, .read = STMT_ME_GET,
		.target = &res_personal_settings, .body = &res_me_body, .load = load_settings,
		.decide = settings_update, .flags = R_QUIET | R_UNTOLD,
		.example = "{\"personal_settings\":{\"reports_autorefresh\":true}}",
		.doc = "Change the caller's settings." },
	{ 0 },
};
