/* PUT /me: what people can change about themselves. */
#include "domain/settings.h"

#include "api/command.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/sign_in.h"
#include "model/model.h"

static const struct field body_fields[] = {
	{ "id", FT_INT, F_UPDATE | F_ALONG, AT(me_wish, id),
		.doc = "The caller's own, in what GET /me answered." },
	{ "personal_settings", FT_OBJECT, F_UPDATE, AT(me_wish, personal_settings),
		.child = &res_personal_settings, .doc = "Settings to change." },
	{ "name", FT_STRING, F_UPDATE | F_NO_BLANK, AT(me_wish, name), .max = 255,
		.doc = "Full name." },
	{ "initials", FT_STRING, F_UPDATE | F_NO_BLANK, AT(me_wish, initials), .max = 10,
		.doc = "Initials shown on stories." },
	{ "username", FT_STRING, F_UPDATE, AT(me_wish, username), .max = 100,
		.doc = "Name for signing in and for @mentions: no spaces, no @, no colon." },
	{ "time_zone", FT_ZONE, F_UPDATE, AT(me_wish, time_zone),
		.doc = "A zone of the tz database." },
	{ "email", FT_STRING, F_UPDATE, AT(me_wish, email), .max = 255,
		.doc = "Email address; a new one requires password." },
	{ "password", FT_STRING, F_UPDATE, AT(me_wish, password), .max = 1000,
		.doc = "The caller's password, required for a new email address." },
};
static const struct resource res_me_body = { "me", RESOURCE_FIELDS(body_fields),
	.size = sizeof(struct me_wish) };

static void take_zone(struct load *l, const struct rows *rows)
{
	l->scene->knows_zone = db_get_bool(rows, 0, db_column(rows, "known"));
}

static void take_taken(struct load *l, const struct rows *rows)
{
	l->scene->username_taken = db_get_bool(rows, 0, db_column(rows, "username_taken"));
	l->scene->email_taken = db_get_bool(rows, 0, db_column(rows, "email_taken"));
}

static void load_settings(struct command *c)
{
	const struct me_wish *w = command_wish(c);
	const struct db_param zone = db_text(c->r->arena, w->time_zone);
	const struct db_param names[] = { db_text(c->r->arena, w->username),
		db_text(c->r->arena, w->email) };
	c->scene.password_right = c->r->password_right;
	if (w->time_zone.p)
		load_ask_rows(&c->load, STMT_ZONE_EXISTS, 1, &zone, take_zone);
	if (w->username.p || w->email.p)
		load_ask_rows(&c->load, STMT_LOAD_NAMES_TAKEN, 2, names, take_taken);
	load_ask(&c->load, STMT_SETTINGS_LOAD, 0, NULL, &res_personal_settings, &c->target);
}

/*
 * A password that comes with a new email address is checked first, while nothing is locked:
 * checking takes long.
 */
static enum rc put_me(struct req *r)
{
	const struct body *password = body_get(r->body, "password");
	struct sign_in found;
	if (!r->refused && body_get(r->body, "email") && password && password->type == BODY_TEXT) {
		enum rc rc = gate_pass(r);
		if (!rc)
			rc = sign_in(r,
				&(struct sign_in_proof){
					.person = r->person_id, .password = password->text },
				&found);
		if (rc)
			return rc;
		r->password_right = true;
		db_end(r->db);
	}
	return command_run(r);
}

const struct route settings_routes[] = {
	{ "PUT", "/me", NEED_PERSON, put_me, &res_me, .read = STMT_ME_GET,
		.target = &res_personal_settings, .body = &res_me_body, .load = load_settings,
		.decide = settings_update, .flags = R_WHOLE | R_QUIET | R_UNTOLD | R_PASSWORD,
		.example = "{\"personal_settings\":{\"reports_autorefresh\":true}}",
		.audit = AUDIT_TELLS(ADDRESS_CHANGE) | AUDIT_TELLS(SIGN_IN_REFUSED),
		.doc = "Change the caller's name, initials, user name, time zone, email address "
		       "or settings." },
	{ 0 },
};
