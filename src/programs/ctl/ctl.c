/* planwrightctl(8): the table of commands, and what all commands share. */
#include "programs/ctl/ctl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/openapi.h"
#include "http/route.h"
#include "http/tool.h"
#include "programs/describe.h"
#include "store/secret.h"
#include "lib/log.h"
#include "lib/quote.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static void describe(struct ctl *c);

/* clang-format off */
const struct ctl_command ctl_commands[] = {
	{ "migrate", NULL, 0, 0, NEEDS_DATABASE, ctl_migrate,
	  "Create the schema, or update it to this version of the program." },
	{ "grant", NULL, 0, 0, NEEDS_DATABASE, ctl_grant,
	  "Grant the role of the setting database what workers need, as the owner of the schema." },
	{ "account add", "NAME", TAKES(CTL_OWNER), 0, NEEDS_DATABASE, ctl_account_add,
	  "Add an account that belongs to a person." },
	{ "account give", "ID", TAKES(CTL_OWNER), 0, NEEDS_DATABASE, ctl_account_give,
	  "Transfer an account to another owner; the previous one stays an administrator." },
	{ "account list", NULL, 0, 0, NEEDS_DATABASE, ctl_account_list,
	  "List all accounts: id, owner, numbers of people and projects, and name." },
	{ "account show", "ID", 0, 0, NEEDS_DATABASE, ctl_account_show,
	  "Show an account with its people and projects." },
	{ "person add", NULL, TAKES(CTL_NAME) | TAKES(CTL_EMAIL),
	  TAKES(CTL_USERNAME) | TAKES(CTL_INITIALS) | TAKES(CTL_TIME_ZONE) |
	  TAKES(CTL_PASSWORD_FILE) | TAKES(CTL_INVITE), NEEDS_SECRET, ctl_person_add,
	  "Add a person, with a token; without --password-file, without a password." },
	{ "import", "FILE...", 0,
	  TAKES(CTL_PROJECT) | TAKES(CTL_NEW_PROJECT) | TAKES(CTL_ACCOUNT) | TAKES(CTL_DRY_RUN) |
	  TAKES(CTL_PEOPLE) | TAKES(CTL_OVERWRITE) | TAKES(CTL_RENUMBER) | TAKES(CTL_REPORT) |
	  TAKES(CTL_DATE_ORDER) | TAKES(CTL_ENCODING) | TAKES(CTL_TIME_ZONE) |
	  TAKES(CTL_START_DATE) | TAKES(CTL_ITERATION_LENGTH) | TAKES(CTL_POINT_SCALE) |
	  TAKES(CTL_WEEK_START_DAY), NEEDS_DATABASE, ctl_import,
	  "Create a project from files of Pivotal Tracker or other programs, or add them to a "
	  		"project." },
	{ "imports list", NULL, 0, 0, NEEDS_DATABASE, ctl_imports_list,
	  "List the waiting and running imports, in the order in which they will run." },
	{ "imports end", "ID", 0, 0, NEEDS_DATABASE, ctl_imports_end,
	  "Cancel a waiting or running import: nothing of it is kept." },
	{ "person list", NULL, 0, 0, NEEDS_DATABASE, ctl_person_list,
	  "List all people: id, state, user name, email address and name, separated by tabs." },
	{ "person show", "LOGIN", 0, 0, NEEDS_DATABASE, ctl_person_show,
	  "Show a person, with accounts and projects." },
	{ "person disable", "LOGIN", 0, 0, NEEDS_DATABASE, ctl_person_disable,
	  "Block a person's tokens and password for now; memberships are kept." },
	{ "person enable", "LOGIN", 0, 0, NEEDS_SECRET, ctl_person_enable,
	  "Let a disabled person sign in again, with the same tokens and password." },
	{ "person rename", "LOGIN", 0,
	  TAKES(CTL_NAME) | TAKES(CTL_EMAIL) | TAKES(CTL_USERNAME) | TAKES(CTL_INITIALS),
	  NEEDS_DATABASE, ctl_person_rename,
	  "Change a person's name, email address, user name or initials." },
	{ "person password-sign-in on", "LOGIN", 0, 0, NEEDS_DATABASE, ctl_person_password_sign_in,
	  "Let a person sign in with a password even where the setting password_sign_in is off." },
	{ "person password-sign-in off", "LOGIN", 0, 0, NEEDS_DATABASE, ctl_person_password_sign_in,
	  "Apply the setting password_sign_in to a person again." },
	{ "person second-factor off", "LOGIN", 0, 0, NEEDS_DATABASE, ctl_person_factor_off,
	  "Remove a person's second factor; they are told by email." },
	{ "person remove", "LOGIN", 0, TAKES(CTL_HEIR) | TAKES(CTL_YES), NEEDS_DATABASE, ctl_person_remove,
	  "Remove a person for good: their work is kept, under the name Former member." },
	{ "project list", NULL, 0, TAKES(CTL_ACCOUNT), NEEDS_DATABASE, ctl_project_list,
	  "List all projects, or those of an account: id, account, stories, public or private, name." },
	{ "project delete", "ID", 0, TAKES(CTL_YES), NEEDS_DATABASE, ctl_project_delete,
	  "Delete a project with everything in it." },
	{ "ids", NULL, TAKES(CTL_FROM), 0, NEEDS_DATABASE, ctl_ids,
	  "Make the ids of new objects start at a number, for each kind still below it." },
	{ "oidc try", "PROVIDER", 0, 0, NEEDS_SECRET, ctl_oidc_try,
	  "Sign in at an OpenID provider, and print the claims and what a sign-in would do." },
	{ "person claim", "PLACEHOLDER", TAKES(CTL_AS), 0, NEEDS_DATABASE, ctl_person_claim,
	  "Give a person everything of a placeholder, and remove the placeholder." },
	{ "passwd", "LOGIN", 0, TAKES(CTL_PASSWORD_FILE), NEEDS_DATABASE, ctl_passwd,
	  "Change a password. You are asked for it, or it is read from a file or standard input." },
	{ "token show", "LOGIN", 0, 0, NEEDS_SECRET, ctl_token_show,
	  "Print a person's API token; create one if there is none." },
	{ "token rotate", "LOGIN", 0, 0, NEEDS_SECRET, ctl_token_rotate,
	  "Give a person a new API token; the old one is invalid at once, and sessions end." },
	{ "token list", "LOGIN", 0, 0, NEEDS_DATABASE, ctl_token_list,
	  "List a person's named tokens, without the secrets." },
	{ "token revoke", "LOGIN", 0, TAKES(CTL_TOKEN), NEEDS_DATABASE, ctl_token_revoke,
	  "Invalidate all tokens of a person, and end all sessions; or invalidate one named "
	  		"token." },
	{ "session list", "LOGIN", 0, 0, NEEDS_DATABASE, ctl_session_list,
	  "List where a person is signed in: id, start, last use, and the browser's user agent." },
	{ "session end", "LOGIN", 0, TAKES(CTL_SESSION), NEEDS_DATABASE, ctl_session_end,
	  "End a person's sessions, or one of them; the token stays valid." },
	{ "secret rotate", NULL, TAKES(CTL_OUT), TAKES(CTL_AT_ONCE), NEEDS_SECRET, ctl_secret_rotate,
	  "Create a new secret, in a new file, and encrypt all tokens with it; they stay valid." },
	{ "webhook log", "PROJECT", 0, TAKES(CTL_WEBHOOK), NEEDS_DATABASE, ctl_webhook_log,
	  "Show the last deliveries of a project's webhooks, newest first." },
	{ "webhook redeliver", "DELIVERY", 0, 0, NEEDS_DATABASE, ctl_webhook_redeliver,
	  "Send a delivery again, or at once if it is waiting for its next attempt." },
	{ "mail test", "ADDRESS", 0, 0, NEEDS_DATABASE, ctl_mail_test,
	  "Send an email, to check the mail settings." },
	{ "settings", NULL, 0, TAKES(CTL_JSON), NEEDS_NOTHING, ctl_settings,
	  "Print all settings in effect, and where each comes from; secrets are not shown." },
	{ "doctor", NULL, 0, TAKES(CTL_DEEP) | TAKES(CTL_SOCKET) | TAKES(CTL_JSON), NEEDS_NOTHING, ctl_doctor,
	  "Check settings, database, schema, clock, files and socket, and say what is wrong." },
	{ "export", "[PROJECT]", 0,
	  TAKES(CTL_ACCOUNT) | TAKES(CTL_ALL) | TAKES(CTL_OUT) | TAKES(CTL_PLAIN),
	  NEEDS_DATABASE, ctl_export,
	  "Export a project, or all of an account or of the server, each as a zip with everything." },
	{ "backup", "FILE", 0,
	  TAKES(CTL_PASSPHRASE_FILE) | TAKES(CTL_WITHOUT_SECRET) | TAKES(CTL_WITHOUT_FILES) |
	  TAKES(CTL_VERIFY),
	  NEEDS_DATABASE, ctl_backup,
	  "Write the database, files and the encrypted secret into one file, or check such a "
	  		"file." },
	{ "restore", "FILE", 0,
	  TAKES(CTL_PASSPHRASE_FILE) | TAKES(CTL_OUT) | TAKES(CTL_WITHOUT_FILES), NEEDS_DATABASE,
	  ctl_restore, "Restore a backup to a server that has no people yet." },
	{ "files move", "FROM TO", 0, 0, NEEDS_DATABASE, ctl_files_move,
	  "Copy attached files from one folder or object store to another; once `files` names "
	  		"TO, move them." },
	{ "files sweep", NULL, 0, 0, NEEDS_DATABASE, ctl_files_sweep,
	  "Delete uploads that were not attached within a day, and files without a row." },
	{ "clean", NULL, 0, TAKES(CTL_DRY_RUN), NEEDS_DATABASE, ctl_clean,
	  "Delete what has been kept for long enough, and create the next months of the audit "
	  		"log." },
	{ "audit", NULL, 0,
	  TAKES(CTL_ACCOUNT) | TAKES(CTL_PERSON) | TAKES(CTL_ACT) | TAKES(CTL_PROJECT) |
	  TAKES(CTL_AFTER) | TAKES(CTL_BEFORE) | TAKES(CTL_LAST) | TAKES(CTL_FOLLOW) | TAKES(CTL_JSON),
	  NEEDS_DATABASE, ctl_audit,
	  "Show the audit log, the oldest first: who did what, in all accounts and on the server." },
	{ "status", NULL, 0, TAKES(CTL_JSON) | TAKES(CTL_PROMETHEUS), NEEDS_DATABASE, ctl_status,
	  "Show what the workers of this host have done, and what is waiting in the database." },
	{ "describe", NULL, 0, TAKES(CTL_HTML) | TAKES(CTL_MAN) | TAKES(CTL_OPENAPI),
	  NEEDS_NOTHING, describe,
	  "Print the tables of endpoints, resources and statements as JSON, or what is generated "
	  		"from them." },
	{ "demo", NULL, 0, TAKES(CTL_OUT) | TAKES(CTL_FORCE), NEEDS_SECRET, ctl_demo,
	  "Load the demo, or give its people new secrets, and write them to a file." },
	{ "completion", "bash|zsh|fish", 0, 0, NEEDS_NOTHING, ctl_completion,
	  "Print a script that lets that shell complete commands and options." },
};

const struct ctl_option_name ctl_options[CTL_OPTION__MAX] = {
	[CTL_ACCOUNT]          = { "--account", "ID",
	  "The account." },
	[CTL_ACT]              = { "--act", "ACT",
	  "Only this act, like sign_in." },
	[CTL_AFTER]            = { "--after", "TIME",
	  "Only what happened later, like 2026-05-03." },
	[CTL_ALL]              = { "--all", NULL,
	  "All projects." },
	[CTL_AS]               = { "--as", "PERSON",
	  "The real person: an email address or a user name." },
	[CTL_AT_ONCE]          = { "--at-once", NULL,
	  "Refuse the old secret at once." },
	[CTL_BEFORE]           = { "--before", "TIME",
	  "Only what happened earlier." },
	[CTL_DATE_ORDER]       = { "--date-order", "mdy|dmy",
	  "Whether months or days come first in dates like 3/4/2024." },
	[CTL_DEEP]             = { "--deep", NULL,
	  "Also check the consistency of the database and the files." },
	[CTL_DRY_RUN]          = { "--dry-run", NULL,
	  "Write nothing, but say what would be written." },
	[CTL_EMAIL]            = { "--email", "E-MAIL",
	  "The email address." },
	[CTL_ENCODING]         = { "--encoding", "ENCODING",
	  "The encoding of the files, if not UTF-8: windows-1252." },
	[CTL_FOLLOW]           = { "--follow", NULL,
	  "Keep printing new entries, until interrupted." },
	[CTL_FORCE]            = { "--force", NULL,
	  "Even on a server with people." },
	[CTL_FROM]             = { "--from", "NUMBER",
	  "The first id of new objects." },
	[CTL_HEIR]             = { "--heir", "LOGIN",
	  "The person to take over accounts and projects that only this one owns." },
	[CTL_HTML]             = { "--html", NULL,
	  "The page for browsers." },
	[CTL_INITIALS]         = { "--initials", "INITIALS",
	  "The initials; by default, derived from the name." },
	[CTL_INVITE]           = { "--invite", NULL,
	  "Send an email with a link to choose a password." },
	[CTL_ITERATION_LENGTH] = { "--iteration-length", "WEEKS",
	  "Weeks per iteration of the new project." },
	[CTL_JSON]             = { "--json", NULL,
	  "As JSON, for programs." },
	[CTL_LAST]             = { "--last", "NUMBER",
	  "Only this many, the newest." },
	[CTL_MAN]              = { "--man", NULL,
	  "The manual page." },
	[CTL_NAME]             = { "--name", "NAME",
	  "The name." },
	[CTL_NEW_PROJECT]      = { "--new-project", "NAME",
	  "Create a project with this name." },
	[CTL_OPENAPI]          = { "--openapi", NULL,
	  "The OpenAPI document." },
	[CTL_OUT]              = { "--out", "FILE",
	  "Where to write to; - is standard output if only one file is written." },
	[CTL_OVERWRITE]        = { "--overwrite", NULL,
	  "Let the files overwrite what was changed here." },
	[CTL_OWNER]            = { "--owner", "LOGIN",
	  "Who owns the account: an email address or a user name." },
	[CTL_PASSPHRASE_FILE]  = { "--passphrase-file", "FILE",
	  "A file whose first line is the passphrase." },
	[CTL_PASSWORD_FILE]    = { "--password-file", "FILE",
	  "A file whose first line is the password; - is standard input." },
	[CTL_PEOPLE]           = { "--people", "MAP.csv",
	  "A CSV file that says which name means which person." },
	[CTL_PERSON]           = { "--person", "LOGIN",
	  "Only what this person did." },
	[CTL_PLAIN]            = { "--plain", NULL,
	  "Leave out the folder that only planwright reads." },
	[CTL_POINT_SCALE]      = { "--point-scale", "SCALE",
	  "The point scale of the new project, like 0,1,2,3." },
	[CTL_PROJECT]          = { "--project", "ID",
	  "The project: import adds to it." },
	[CTL_PROMETHEUS]       = { "--prometheus", NULL,
	  "In the Prometheus text format." },
	[CTL_RENUMBER]         = { "--renumber", NULL,
	  "Give new ids where the old ones are in use." },
	[CTL_REPORT]           = { "--report", "FILE",
	  "Write the report, line by line, to this file." },
	[CTL_SESSION]          = { "--session", "ID",
	  "Only this one, by its id in session list." },
	[CTL_SOCKET]           = { "--socket", "PATH",
	  "Also check this socket of the workers." },
	[CTL_START_DATE]       = { "--start-date", "DAY",
	  "The first day of the new project." },
	[CTL_TIME_ZONE]        = { "--time-zone", "ZONE",
	  "A time zone of the tz database, like Europe/Vienna." },
	[CTL_TOKEN]            = { "--token", "ID",
	  "Only this named token, by its id in token list." },
	[CTL_USERNAME]         = { "--username", "NAME",
	  "The user name; by default, derived from the address." },
	[CTL_VERIFY]           = { "--verify", NULL,
	  "Write nothing, but check an existing backup." },
	[CTL_WEBHOOK]          = { "--webhook", "ID",
	  "Only this webhook." },
	[CTL_WEEK_START_DAY]   = { "--week-start-day", "DAY",
	  "The weekday on which iterations of the new project begin." },
	[CTL_WITHOUT_FILES]    = { "--without-files", NULL,
	  "backup: only list attached files; restore: do not look for those that are only listed." },
	[CTL_WITHOUT_SECRET]   = { "--without-secret", NULL,
	  "Leave the secret out." },
	[CTL_YES]              = { "--yes", NULL,
	  "Do not ask." },
};

const struct ctl_choice ctl_choices[] = {
	{ "import", TAKES(CTL_PROJECT) | TAKES(CTL_NEW_PROJECT) },
	{ "export", TAKES(CTL_ACCOUNT) | TAKES(CTL_ALL) },
	{ "backup", TAKES(CTL_VERIFY) | TAKES(CTL_WITHOUT_SECRET) },
	{ "backup", TAKES(CTL_VERIFY) | TAKES(CTL_WITHOUT_FILES) },
	{ "backup", TAKES(CTL_PASSPHRASE_FILE) | TAKES(CTL_WITHOUT_SECRET) },
	{ "status", TAKES(CTL_JSON) | TAKES(CTL_PROMETHEUS) },
	{ "describe", TAKES(CTL_HTML) | TAKES(CTL_MAN) | TAKES(CTL_OPENAPI) },
	{ 0 },
};

/* What a broken rule of the schema means to the caller. */
static const struct { const char *constraint, *line; } rules[] = {
	{ "person_email",          "another person has this email address: give another one" },
	{ "person_username",       "another person has this user name: give another one" },
	{ "person_name_check",     "a name must have 1 to 255 characters" },
	{ "person_initials_check", "initials must have 1 to 10 characters" },
	{ "person_username_check", "a user name must have 1 to 100 characters" },
	{ "person_email_check",    "an email address must have 3 to 255 characters" },
	{ "account_name_check",    "the name of an account must have 1 to 100 characters" },
};

/* The same for failures of any statement. */
static const struct { const char *sqlstate, *line; } states[] = {
	{ "3F000", "the database has no schema planwright: run planwrightctl migrate" },
	{ "42P01", "a table is missing in the database: run planwrightctl migrate" },
	{ "42703", "a column is missing in the database: run planwrightctl migrate" },
	{ "42883", "a function is missing in the database: run planwrightctl migrate" },
	{ "25006", "the database is read-only: connect to the primary server" },
	{ "40P01", "somebody else was changing the same rows: run it again" },
	{ "55P03", "other transactions have locked the tables for too long: end them, and run it "
			"again" },
	{ "53100", "the disk of the database is full: free space, and run it again" },
};
/* clang-format on */

const size_t ctl_commands_count = sizeof(ctl_commands) / sizeof(ctl_commands[0]);

/* Failures --------------------------------------------------------------- */

void ctl_fail(struct ctl *c, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "planwrightctl: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	if (c->unfinished)
		unlink(c->unfinished);
	db_free(c->db);
	exit(c->status ? c->status : EXIT_FAILURE);
}

void ctl_fail_usage(struct ctl *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	struct str text = arena_vprintf(&c->arena, format, args);
	va_end(args);
	c->status = CTL_USAGE;
	ctl_fail(c, "%s", text.p);
}

struct str ctl_db_problem(struct ctl *c)
{
	const struct db_error *e = db_error(c->db);
	const char *state = e->sqlstate ? e->sqlstate : "";

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (str_equal_z(e->constraint, rules[i].constraint))
			return str_of(rules[i].line);
	}
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (strcmp(state, states[i].sqlstate) == 0)
			return str_of(states[i].line);
	}
	return str_of(db_problem(c->db));
}

/* A rule for values is broken by an argument; a rule for rows, by rows that exist. */
static bool is_wrong_value(struct str constraint)
{
	struct str end = STR("_check");

	return constraint.n > end.n &&
		memcmp(constraint.p + constraint.n - end.n, end.p, end.n) == 0;
}

void ctl_fail_db(struct ctl *c)
{
	struct str line = ctl_db_problem(c);

	if (is_wrong_value(db_error(c->db)->constraint))
		c->status = CTL_USAGE;
	ctl_fail(c, "%s: %.*s", c->command, (int)line.n, line.p);
}

/* Statements ------------------------------------------------------------- */

void ctl_connect(struct ctl *c)
{
	if (db_ready(c->db))
		ctl_fail(c, "%s: " CTL_DATABASE_AWAY, db_problem(c->db));
	if (db_pooler(c->db) == DB_POOLED_TRANSACTIONS)
		ctl_fail(c, "%s: " CTL_IS_POOLED, c->command);
}

void ctl_go_direct(struct ctl *c)
{
	char *pooled = c->conf.database;

	if (!*c->conf.direct_database)
		return;
	c->conf.database = c->conf.direct_database;
	c->conf.direct_database = pooled;
}

struct rows *ctl_query(struct ctl *c, const char *sql, int n, const struct db_param *params)
{
	struct rows *rows;

	ctl_connect(c);
	db_send_text(c->db, str_of(sql), n, params);
	db_flush(c->db);
	if (db_next(c->db, &rows))
		ctl_fail_db(c);
	return rows;
}

void ctl_commit(struct ctl *c)
{
	db_commit(c->db);
	if (db_finish(c->db))
		ctl_fail_db(c);
	db_end(c->db);
}

const char *ctl_line(struct ctl *c, const struct rows *rows, int row, int column)
{
	if (db_is_null(rows, row, column))
		return "-";
	return quote_line(&c->arena, db_get_text(rows, row, column)).p;
}

struct db_param ctl_param(struct ctl *c, const char *z)
{
	return db_text(&c->arena, str_of(z));
}

/* ------------------------------------------------------------------------ */

static void describe(struct ctl *c)
{
	static void (*const forms[CTL_OPTION__MAX])(struct buf *) = {
		[CTL_HTML] = describe_html,
		[CTL_MAN] = describe_man,
		[CTL_OPENAPI] = openapi_write,
	};
	struct buf out = { 0 };
	void (*form)(struct buf *) = NULL;

	/* The build runs describe, so a row that breaks a rule fails the build, by name. */
	route_check();
	tool_check();
	for (unsigned int i = 0; i < CTL_OPTION__MAX; i++) {
		if (forms[i] && c->options[i])
			form = forms[i];
	}
	if (form)
		form(&out);
	else
		describe_tables(&out);
	fwrite(out.p, 1, out.n, stdout);
	buf_free(&out);
}

/*
 * Tokens made with another secret would be useless. A secret that was replaced still works for as
 * long as workers follow it.
 */
static void compare_secret(struct ctl *c)
{
	bool right;

	ctl_connect(c);
	if (secret_follow(c->db, &c->crypt, &c->arena, &right))
		ctl_fail_db(c);
	if (!right)
		ctl_fail(c, "%s: " SECRET_IS_ANOTHER, c->command);
}

static void prepare(struct ctl *c, const struct ctl_command *command)
{
	static const char *const not_needed[] = { "secret", NULL };
	char error[600];

	if (command->need == NEEDS_NOTHING)
		return;
	if (!conf_load(&c->conf, command->need < NEEDS_SECRET ? not_needed : NULL, error,
		    sizeof(error)))
		ctl_fail(c, "%s", error);
	ctl_go_direct(c);
	if (command->need >= NEEDS_SECRET && !crypt_init(&c->crypt, str_of(c->conf.secret)))
		ctl_fail(c, "OpenSSL cannot derive keys: check the installation of libcrypto");
	c->db = db_new(&c->conf, false);
	if (command->need >= NEEDS_SECRET)
		compare_secret(c);
}

int main(int argc, char **argv)
{
	struct ctl c = { 0 };

	argc--;
	argv++;
	if (argc == 1 && strcmp(argv[0], "--version") == 0) {
		printf("planwrightctl %s\n", PACKAGE_VERSION);
	} else {
		const struct ctl_command *command = ctl_take_command(&argc, &argv);
		if (command && argc > 0 &&
			(strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
			ctl_print_help(command);
		} else if (command) {
			c.command = command->name;
			ctl_take_arguments(&c, command, argc, argv);
			prepare(&c, command);
			command->run(&c);
			ctl_audit_entry_log(&c);
		}
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		ctl_fail(&c, "cannot write to standard output: %m");
	db_free(c.db);
	conf_free(&c.conf);
	arena_free(&c.arena);
	return c.status;
}
