/* Fields of what people set for themselves. */
#include "model/model.h"
#include "model/things.h"

static const struct field fields[] = {
	{ "id", FT_INT, F_KEY | F_HIDDEN, .doc = "The person." },
	{ "kind", FT_KIND, F_UPDATE | F_IGNORED, .doc = "personal_settings" },
	{ "header_display_mode", FT_WORD, F_UPDATE | F_STORED | F_UNTOLD,
		AT(settings, header_display_mode), .words = words_display_modes,
		.doc = "How headers are shown: collapsed or expanded." },
	{ "reports_autorefresh", FT_BOOL, F_UPDATE | F_STORED | F_UNTOLD,
		AT(settings, reports_autorefresh), .doc = "Whether reports refresh themselves." },
	{ "web", FT_JSON, F_UPDATE | F_NULL | F_STORED | F_UNTOLD, AT(settings, web),
		.doc = "What this server's pages store for the person: an object of at most 16 "
		       "KiB." },
	{ "name", FT_STRING, F_HIDDEN | F_STORED, AT(settings, name), .doc = "Full name." },
	{ "initials", FT_STRING, F_HIDDEN | F_STORED, AT(settings, initials), .doc = "Initials." },
	{ "username", FT_STRING, F_HIDDEN | F_STORED | F_AUDIT, AT(settings, username),
		.doc = "User name." },
	{ "email", FT_STRING, F_HIDDEN | F_STORED | F_AUDIT, AT(settings, email),
		.changed = STMT_LETTERS_EXPIRE, .doc = "Address." },
	{ "email_claimed", FT_BOOL, F_HIDDEN | F_STORED, AT(settings, email_claimed),
		.doc = "Whether the person gave it to themselves, and nothing has confirmed it." },
	{ "username_claimed", FT_BOOL, F_HIDDEN | F_STORED, AT(settings, username_claimed),
		.doc = "The same of the user name." },
	{ "time_zone", FT_STRING, F_HIDDEN | F_STORED, AT(settings, time_zone),
		.doc = "Name of the zone." },
	{ "updated_at", FT_TIME, F_HIDDEN | F_STORED, AT(settings, updated_at),
		.doc = "When the person was last changed." },
};
const struct resource res_personal_settings = { "personal_settings", .table = "person",
	RESOURCE_FIELDS(fields), .size = sizeof(struct settings) };
