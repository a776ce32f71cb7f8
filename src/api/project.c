/* Projects: their fields, what their commands need to know, and their endpoints. */
#include "domain/project.h"

#include "api/command.h"
#include "api/crud.h"
#include "api/gate.h"
#include "api/routes.h"
#include "http/list.h"
#include "model/model.h"
#include "store/plan_fields.h"

/* Fields --------------------------------------------------------------------- */

static const struct field stale_data_fields[] = {
	{ "stale_commands", FT_JSON, F_DEFAULT, .doc = "Always empty." },
};
static const struct resource res_stale_data = { "stale_data", RESOURCE_FIELDS(stale_data_fields) };

static const struct field stale_commands_fields[] = {
	{ "project_version", FT_INT, F_DEFAULT, .doc = "The version of the project." },
	{ "data", FT_INLINE, F_DEFAULT, .child = &res_stale_data,
		.doc = "What the original told its own pages." },
};
static const struct resource res_stale_commands = { "stale_commands",
	RESOURCE_FIELDS(stale_commands_fields) };

static const struct project project_preset = {
	.id = NIL,
	.account_id = NIL,
	.join_as = WORD_NONE,
	.iteration_length = 1,
	.week_start_day = DAY_MONDAY,
	.point_scale = { "0,1,2,3", 7 },
	.project_type = PROJECT_PRIVATE,
	.automatic_planning = true,
	.enable_tasks = true,
	.enable_following = true,
	.enable_incoming_emails = true,
	.show_priority_icon_in_all_panels = true,
	.velocity_averaged_over = 3,
	.number_of_done_iterations_to_show = 4,
	.initial_velocity = 10,
	.start_date = NIL,
};

static const struct field project_fields[] = {
	{ "id", FT_INT, F_DEFAULT | F_KEY, .doc = "Identifier." },
	{ "kind", FT_KIND, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "project" },
	{ "name", FT_TEXT,
		F_DEFAULT | F_WRITE | F_REQUIRED | F_NO_BLANK | F_STORED | F_TOLD | F_NAMES,
		.max = 50, AT(project, name),
		.doc = "Name, once in an account, at most 50 characters." },
	{ "version", FT_INT, F_DEFAULT, AT(project, version),
		.doc = "Number of changes since the project was made." },
	{ "iteration_length", FT_INT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, iteration_length), .doc = "Weeks in an iteration, 1 to 4." },
	{ "week_start_day", FT_WORD, F_DEFAULT | F_WRITE | F_ANY_CASE | F_STORED | F_TOLD,
		.words = words_week_days, AT(project, week_start_day),
		.changed = STMT_SAVE_OVERRIDES_GONE, .doc = "Weekday on which iterations begin." },
	{ "point_scale", FT_STRING, F_DEFAULT | F_WRITE | F_NO_BLANK | F_STORED | F_TOLD,
		.max = 255, AT(project, point_scale),
		.blank = "Projects require a point scale., This is not a valid custom point scale.",
		.doc = "Allowed estimates, comma separated, ascending, at most 12, none above 999." },
	{ "point_scale_is_custom", FT_BOOL, F_DEFAULT | F_CREATE | F_IGNORED,
		.doc = "Whether the scale is none of the built-in ones." },
	{ "bugs_and_chores_are_estimatable", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, bugs_and_chores_are_estimatable),
		.doc = "Whether bugs and chores have estimates." },
	{ "automatic_planning", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, automatic_planning),
		.doc = "Whether the current iteration fills itself from the backlog." },
	{ "enable_tasks", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, enable_tasks), .doc = "Whether stories show tasks." },
	{ "time_zone", FT_INLINE, F_DEFAULT, .child = &res_time_zone,
		.doc = "Zone in whose midnights iterations begin." },
	{ "time_zone", FT_ZONE, F_WRITE | F_HIDDEN | F_STORED | F_TOLD, AT(project, time_zone),
		.doc = "{\"olson_name\"} or the name." },
	{ "velocity_averaged_over", FT_INT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, velocity_averaged_over),
		.doc = "Done iterations that make the velocity, 1 to 4." },
	{ "number_of_done_iterations_to_show", FT_INT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, number_of_done_iterations_to_show), .min = INT32_MIN, .max = INT32_MAX,
		.doc = "Done iterations that a client shows." },
	{ "has_google_domain", FT_BOOL, F_DEFAULT | F_CREATE | F_IGNORED, .doc = "Always false." },
	{ "description", FT_TEXT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD | F_NULL,
		AT(project, description), .max = 140, .doc = "At most 140 characters." },
	{ "profile_content", FT_TEXT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD | F_NULL,
		AT(project, profile_content), .max = 65535, .doc = "At most 65535 characters." },
	{ "enable_incoming_emails", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, enable_incoming_emails), .doc = "Kept for clients." },
	{ "initial_velocity", FT_INT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, initial_velocity),
		.doc = "Velocity until an iteration is done, 1 to 999." },
	{ "public", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(project, public),
		.doc = "Whether everybody can read it." },
	{ "atom_enabled", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, atom_enabled), .doc = "Kept for clients." },
	{ "project_type", FT_WORD, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		.words = words_project_types, AT(project, project_type),
		.doc = "demo, private or public." },
	{ "start_date", FT_DATE, F_DEFAULT | F_WRITE | F_STORED | F_TOLD | F_NULL,
		AT(project, start_date), .changed = STMT_SAVE_OVERRIDES_GONE,
		.doc = "First day of iteration 1, on the week start day." },
	{ "start_time", FT_TIME, F_DEFAULT | F_SIDE, .derive = plan_calendars,
		.doc = "Midnight, project zone, that begins iteration 1." },
	{ "created_at", FT_TIME, F_DEFAULT | F_STORED, AT(project, created_at),
		.doc = "When it was made." },
	{ "updated_at", FT_TIME, F_DEFAULT | F_STORED, AT(project, updated_at),
		.doc = "When its settings were last changed." },
	{ "account_id", FT_INT, F_DEFAULT | F_WRITE | F_STORED | F_TOLD, AT(project, account_id),
		.changed = STMT_SAVE_PEOPLE_FOLLOW,
		.doc = "The account; of a write one in which the caller may create projects." },
	{ "account", FT_ONE, 0, .child = &res_account_summary, .key = "account_id",
		.doc = "The account." },
	{ "current_iteration_number", FT_INT, F_DEFAULT | F_SIDE, .derive = plan_calendars,
		.doc = "Number of the iteration of today." },
	{ "current_velocity", FT_INT, F_SIDE, .compute = plan_velocities,
		.doc = "Points that an iteration is expected to hold." },
	{ "current_volatility", FT_FLOAT, F_SIDE, .compute = plan_velocities,
		.doc = "Standard deviation over mean of the iterations averaged, in per cent." },
	{ "current_standard_deviation", FT_FLOAT, F_SIDE, .compute = plan_velocities,
		.doc = "Of the points of the iterations averaged." },
	{ "shown_iterations_start_time", FT_TIME, F_SIDE, .compute = plan_shown_starts,
		.doc = "Start of the first of the done iterations that a client shows." },
	{ "iteration_override_numbers", FT_IDS, 0,
		.doc = "Iterations with a length or team strength of their own." },
	{ "enable_following", FT_BOOL, F_DEFAULT | F_CREATE | F_IGNORED,
		.doc = "Whether stories can be followed." },
	{ "show_story_priority", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, show_story_priority), .doc = "Kept for clients." },
	{ "show_priority_icon", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, show_priority_icon), .doc = "Kept for clients." },
	{ "show_priority_icon_in_all_panels", FT_BOOL, F_DEFAULT | F_WRITE | F_STORED | F_TOLD,
		AT(project, show_priority_icon_in_all_panels), .doc = "Kept for clients." },
	{ "accounting_type", FT_STRING, F_WRITE | F_IGNORED | F_HIDDEN,
		.doc = "Earlier revisions only." },
	{ "featured", FT_BOOL, F_WRITE | F_IGNORED | F_HIDDEN, .doc = "Earlier revisions only." },
	{ "status", FT_STRING, F_WRITE | F_NULL | F_STORED | F_TOLD, AT(project, status),
		.max = 255, .doc = "Kept for clients." },
	{ "stories", FT_MANY, 0, .child = &res_story, .fetch = STMT_STORIES_OF_PROJECTS,
		.doc = "All stories, in order." },
	{ "story_ids", FT_MANY_IDS, 0, .child = &res_story, .key = "stories", .doc = "Their ids." },
	{ "labels", FT_MANY, 0, .child = &res_label, .fetch = STMT_LABELS_OF_PROJECTS,
		.doc = "Labels, by name." },
	{ "label_ids", FT_MANY_IDS, 0, .child = &res_label, .key = "labels", .doc = "Their ids." },
	{ "review_types", FT_MANY, 0, .child = &res_review_type,
		.fetch = STMT_REVIEW_TYPES_OF_PROJECTS, .doc = "Review types, oldest first." },
	{ "review_type_ids", FT_MANY_IDS, 0, .child = &res_review_type, .key = "review_types",
		.doc = "Their ids." },
	{ "story_template_ids", FT_IDS, 0, .doc = "Always empty." },
	{ "story_templates", FT_JSON, 0, .doc = "Always empty: there are no templates." },
	{ "scm_type_host_url_mapping", FT_JSON, 0, .doc = "Always empty." },
	{ "integrations", FT_MANY, 0, .child = &res_integration,
		.fetch = STMT_INTEGRATIONS_OF_PROJECTS,
		.doc = "Integrations, for people of the project." },
	{ "integration_ids", FT_MANY_IDS, 0, .child = &res_integration, .key = "integrations",
		.doc = "Their ids." },
	{ "epics", FT_MANY, 0, .child = &res_epic, .fetch = STMT_EPICS_OF_PROJECTS,
		.doc = "In the project's order." },
	{ "epic_ids", FT_MANY_IDS, 0, .child = &res_epic, .key = "epics", .doc = "Their ids." },
	{ "memberships", FT_MANY, 0, .child = &res_project_membership,
		.fetch = STMT_MEMBERSHIPS_OF_PROJECTS, .doc = "The project's people." },
	{ "membership_ids", FT_MANY_IDS, 0, .child = &res_project_membership, .key = "memberships",
		.doc = "Ids of the memberships." },
	{ "join_as", FT_WORD, F_WRITE | F_NULL | F_STORED | F_TOLD, .words = words_roles,
		AT(project, join_as), .doc = "owner, member or viewer; kept for clients." },
	{ "new_account_name", FT_STRING, F_CREATE | F_HIDDEN | F_NO_BLANK, .max = 100,
		AT(project, new_account_name), .blank = "New account name can't be blank",
		.doc = "Makes an account of this name, owned by the caller, for the project." },
	{ "no_owner", FT_BOOL, F_CREATE | F_HIDDEN, AT(project, no_owner),
		.doc = "Whatever its value: the caller does not become an owner." },
	{ "create_sample", FT_BOOL, F_CREATE | F_HIDDEN, AT(project, create_sample),
		.doc = "false; there is no sample project." },
	{ "has_webhooks", FT_BOOL, F_HIDDEN, AT(project, has_webhooks),
		.doc = "Whether activities are sent." },
	{ "story_counts", FT_IDS, F_HIDDEN, AT(project, story_counts),
		.doc = "Stories by section." },
};
const struct resource res_project = { "project", .table = "project",
	RESOURCE_FIELDS(project_fields), .by_ids = STMT_PROJECT_BY_IDS,
	.size = sizeof(struct project), .preset = &project_preset,
	.removal = STMT_SAVE_PROJECT_GONE };

/* What commands load ----------------------------------------------------------- */

static struct db_param text_or_null(struct command *c, struct str s)
{
	return s.p ? db_text(c->r->arena, s) : db_null();
}

static struct db_param int_or_null(struct command *c, int64_t v)
{
	return v == NIL ? db_null() : db_int(c->r->arena, v);
}

static void take_zone(struct load *l, const struct rows *rows)
{
	l->scene->knows_zone = db_get_bool(rows, 0, db_column(rows, "known"));
}

/* The name's others, the account that the wish names, and whether its zone exists. */
static void load_settings(struct command *c)
{
	const struct project *w = command_wish(c);
	struct db_param zone = text_or_null(c, w->time_zone),
			account = int_or_null(c, w->account_id);
	if (w->time_zone.p)
		load_ask_rows(&c->load, STMT_LOAD_ZONE, 1, &zone, take_zone);
	if (w->account_id != NIL)
		load_ask(
			&c->load, STMT_LOAD_ACCOUNT, 1, &account, &res_account, &c->scene.accounts);
	if (!w->name.p && w->account_id == NIL)
		return;
	const struct db_param params[] = { c->load.mac, c->load.login, c->load.project,
		text_or_null(c, w->name) };
	load_ask(&c->load, STMT_LOAD_PROJECTS_NAMED, 4, params, &res_project, &c->scene.projects);
}

static void load_create(struct command *c)
{
	const struct project *w = command_wish(c);
	const struct db_param params[] = { c->load.mac, c->load.login,
		int_or_null(c, w->account_id) };
	c->scene.new_accounts = c->r->conf->new_accounts;
	if (!w->new_account_name.p)
		load_ask(&c->load, STMT_LOAD_OWN_ACCOUNTS, 3, params, &res_account_membership,
			&c->scene.account_memberships);
	load_settings(c);
	load_new_ids(&c->load, &res_project, 1);
	load_new_ids(&c->load, &res_review_type, PROJECT_REVIEW_TYPES);
	load_new_ids(
		&c->load, &res_project_membership, wish_asks(c->wish, project, no_owner) ? 0 : 1);
	load_new_ids(&c->load, &res_account, w->new_account_name.p ? 1 : 0);
	load_new_ids(&c->load, &res_account_membership, w->new_account_name.p ? 1 : 0);
}

static void load_update(struct command *c)
{
	const struct project *w = command_wish(c);
	const struct db_param params[] = { c->load.mac, c->load.login,
		int_or_null(c, w->account_id) };
	if (w->account_id != NIL)
		load_ask(&c->load, STMT_LOAD_OWN_ACCOUNTS, 3, params, &res_account_membership,
			&c->scene.account_memberships);
	load_settings(c);
}

/* What is in it goes with it, however much. */
static void load_delete(struct command *c)
{
	load_ask_rows(&c->load, STMT_MAY_TAKE_LONG, 0, NULL, NULL);
}

/* Public boards of the original's users ask every few seconds, and load anew when the version rose. */
static enum rc tell_version(struct req *r)
{
	static const char *const columns[] = { "project_version", "data_stale_commands" };
	struct fetched *f;
	list_check(r);
	enum rc rc = gate_ask(r);
	if (rc)
		return rc;
	db_commit(r->db);
	if ((rc = gate_allows(r)))
		return rc;
	struct rows *rows = db_make_rows(r->db, columns, 2);
	db_put(rows, 0, 0, db_int(r->arena, r->version));
	db_put(rows, 0, 1, db_text(r->arena, STR("[]")));
	if (!(rc = crud_fetch(r, STMT_NONE, rows, &f)))
		crud_render_one(r, f);
	return rc;
}

/* Endpoints -------------------------------------------------------------------- */

static const struct param project_params[] = {
	{ "account_ids", FT_IDS, .where = "p.account_id = any(%s::bigint[])", .max = 500,
		.doc = "Only projects of these accounts, separated by commas." },
	{ 0 },
};

/* A deletion is the last version of a project; only the answer to it tells that version. */
static enum rc delete_project(struct req *r)
{
	enum rc rc = command_run(r);
	if (!rc)
		r->version++;
	return rc;
}

const struct route project_routes[] = {
	{ "GET", "/projects", NEED_PERSON, crud_list, &res_project, .read = STMT_PROJECT_LIST,
		.params = project_params, .doc = "The caller's projects." },
	{ "POST", "/projects", NEED_PERSON, command_run, &res_project, .read = STMT_PROJECT_GET,
		.target = &res_project, .load = load_create, .decide = project_create,
		.flags = R_NEW_PROJECT | R_UNTOLD,
		.example = "{\"name\":\"Garden\",\"new_account_name\":\"At home\"}",
		.doc = "Make a project." },
	{ "GET", "/projects/:project", NEED_VIEWER, crud_get, &res_project,
		.read = STMT_PROJECT_GET, .flags = R_VIEWS, .doc = "One project." },
	{ "PUT", "/projects/:project", NEED_OWNER, command_run, &res_project,
		.read = STMT_PROJECT_GET, .activity = "project_update", .target = &res_project,
		.load = load_update, .decide = project_update,
		.example = "{\"iteration_length\":2}", .doc = "Change a project's settings." },
	{ "DELETE", "/projects/:project", NEED_OWNER, delete_project, NULL, .load = load_delete,
		.decide = project_delete, .flags = R_UNTOLD,
		.doc = "Delete a project with all that is in it." },
	{ "GET", "/project_stale_commands/:project/:version", NEED_VIEWER, tell_version,
		&res_stale_commands,
		.doc = "The version of a project, for clients that load it anew when it rose." },
	{ 0 },
};
