/*
 * planwrightctl: what all its commands share. A command runs once and ends the process: it fails
 * with ctl_fail, which says in one line what to do.
 */
#ifndef CTL_H
#define CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/db.h"
#include "lib/arena.h"
#include "lib/buf.h"
#include "lib/str.h"
#include "service/conf.h"
#include "service/crypt.h"

struct account;
struct person;
struct person_ref;

/* The status with which the program ends when its arguments are wrong. */
enum { CTL_USAGE = 2 };

enum ctl_option {
	CTL_ACCOUNT,
	CTL_ACT,
	CTL_AFTER,
	CTL_ALL,
	CTL_AS,
	CTL_AT_ONCE,
	CTL_BEFORE,
	CTL_DATE_ORDER,
	CTL_DEEP,
	CTL_DRY_RUN,
	CTL_EMAIL,
	CTL_ENCODING,
	CTL_FOLLOW,
	CTL_FORCE,
	CTL_FROM,
	CTL_HEIR,
	CTL_HTML,
	CTL_INITIALS,
	CTL_INVITE,
	CTL_ITERATION_LENGTH,
	CTL_JSON,
	CTL_LAST,
	CTL_MAN,
	CTL_NAME,
	CTL_NEW_PROJECT,
	CTL_OPENAPI,
	CTL_OUT,
	CTL_OVERWRITE,
	CTL_OWNER,
	CTL_PASSPHRASE_FILE,
	CTL_PASSWORD_FILE,
	CTL_PEOPLE,
	CTL_PERSON,
	CTL_PLAIN,
	CTL_POINT_SCALE,
	CTL_PROJECT,
	CTL_PROMETHEUS,
	CTL_RENUMBER,
	CTL_REPORT,
	CTL_SESSION,
	CTL_SOCKET,
	CTL_START_DATE,
	CTL_TIME_ZONE,
	CTL_TOKEN,
	CTL_USERNAME,
	CTL_VERIFY,
	CTL_WEBHOOK,
	CTL_WEEK_START_DAY,
	CTL_WITHOUT_FILES,
	CTL_WITHOUT_SECRET,
	CTL_YES,
	CTL_OPTION__MAX
};

struct ctl {
	struct arena arena;
	struct conf conf;
	struct crypt crypt;  /* only for commands that need the secret */
	struct db *db;       /* null for doctor */
	const char *command; /* "account add" */
	const char *word;    /* the argument that is not an option; null: none */
	const char **words;  /* all of them, when a command takes several */
	int n_words;
	const char *options[CTL_OPTION__MAX]; /* values; a flag's is not null when it is given */
	const char *id;         /* that its entries in the audit log have; null: none yet */
	const char *unfinished; /* a file that goes when the command fails; null: none */
	int64_t at;             /* when what the command writes happens; 0: now */
	int status;             /* with which the program ends; when it fails and this is 0: 1 */
};

/* Prints to standard error what is wrong and what to do, rolls back, and ends the program. */
void ctl_fail(struct ctl *c, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* The same for arguments that are wrong: ends with CTL_USAGE. */
void ctl_fail_usage(struct ctl *c, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* The same for a statement that the database did not take. */
void ctl_fail_db(struct ctl *c) __attribute__((noreturn));

/* The database's last failure, worded for people. */
struct str ctl_db_problem(struct ctl *c);

/* What to do if there is no connection. */
#define CTL_DATABASE_AWAY                                                                          \
	"start the database, correct the setting database, or run this as the user of the workers"

/* Makes sure that there is a connection, or fails. */
void ctl_connect(struct ctl *c);

/* One statement in the open transaction (the first opens it); ctl_commit ends it. */
struct rows *ctl_query(struct ctl *c, const char *sql, int n, const struct db_param *params);
void ctl_commit(struct ctl *c);

/* A value as a part of a line, whatever is in it; "-": null. */
const char *ctl_line(struct ctl *c, const struct rows *rows, int row, int column);

/* One argument or option as a statement's parameter; null: NULL. */
struct db_param ctl_param(struct ctl *c, const char *z);

/* ctl_args.c: uses the table of commands, which is in ctl.c. */

/* What a command needs before it runs; each includes those before it. */
enum ctl_need {
	NEEDS_NOTHING,
	NEEDS_DATABASE,
	NEEDS_SECRET,
};

/* Options of a command as a set. */
#define TAKES(option) (UINT64_C(1) << (option))

struct ctl_command {
	const char *name; /* "token show": a command of the group token */
	const char
		*word;  /* the argument that it wants; null: none; one with "..." or more; one that
			     begins with "[" or none; "FROM TO": two */
	uint64_t needs; /* options that must be given */
	uint64_t takes; /* options that may be given */
	enum ctl_need need;
	void (*run)(struct ctl *c);
	const char *help;
};

struct ctl_option_name {
	const char *name,
		*value; /* one without a value is a flag; "ID" is a number, "a|b" a choice */
	const char *help;
};

/* Options of a command of which one may be given. */
struct ctl_choice {
	const char *command;
	uint64_t options;
};

extern const struct ctl_command ctl_commands[];
extern const size_t ctl_commands_count;
extern const struct ctl_option_name ctl_options[CTL_OPTION__MAX];
extern const struct ctl_choice ctl_choices[]; /* ends with one without a command */

/*
 * Takes the command off the start of the arguments. Null: help was requested, by --help, help or
 * the name of a group, and has been printed. Ends the program with the usage if the arguments are
 * wrong; so does ctl_take_arguments, which fills c.
 */
const struct ctl_command *ctl_take_command(int *argc, char ***argv);
void ctl_take_arguments(struct ctl *c, const struct ctl_command *command, int argc, char **argv);

/* Prints a command's usage, purpose and options. */
void ctl_print_help(const struct ctl_command *command);

/* ctl_input.c: reads a new password from a file, standard input or the terminal. */
struct str ctl_read_password(struct ctl *c);

/* The passphrase of a backup, from its file or the terminal; a new one is asked for twice. */
struct str ctl_read_passphrase(struct ctl *c, bool is_new);

/* Asks on the terminal, unless --yes is given; any answer but yes ends the command. */
void ctl_confirm(struct ctl *c, const char *question);

/*
 * ctl_request.c: a request of the service itself, as a person, in the transaction that
 * ctl_requests_begin opens. The answer lives in `out` until the next one; a refusal ends the
 * command.
 */
struct ctl_request {
	int64_t person;
	const char *method;
	struct str path; /* below /services/v5 */
	const char *query;
	struct str body; /* JSON */
};
void ctl_requests_begin(struct ctl *c);
struct str ctl_request(
	struct ctl *c, const struct ctl_request *request, struct arena *a, struct buf *out);
void ctl_requests_commit(struct ctl *c);

/*
 * ctl_migrate.c: the number of migrations that the program has but the database lacks; -1 if the
 * two do not match, and problem then says why.
 */
int ctl_schema_pending(struct ctl *c, struct str *problem);

/*
 * ctl_grant.c: with the setting owner_database, connects as the owner of the schema, and returns
 * the statements that give the role of the setting database its rights; without: nothing.
 */
struct str ctl_become_owner(struct ctl *c);

/*
 * With the setting direct_database, the connection of this program goes there, and the setting has
 * the pooler's connection string meanwhile.
 */
void ctl_go_direct(struct ctl *c);

/* What is wrong when a pooler stands between that changes connections. */
#define CTL_IS_POOLED                                                                              \
	"there is a connection pooler that pools by transaction: set direct_database to the address of PostgreSQL itself"

/*
 * ctl_ids.c: makes ids start above all ids of the original, on a server that never gave
 *    one, or did so already.
 */
void ctl_ids_settle(struct ctl *c);

/* ctl_ready.c: why no worker answers at base_url; absent: one does. */
struct str ctl_find_workers(struct ctl *c);

/* Problems with how the web server sends files, after the previous check; absent: none. */
struct str ctl_find_files(struct ctl *c);

/* What is wrong with the object store of the setting `files`; absent: nothing. */
struct str ctl_find_store(struct ctl *c);

/* Whether functions and views in the database are those of this program. */
bool ctl_schema_is_fresh(struct ctl *c);

/* ctl_audit_entry.c: who runs this, for the audit log (ctl_audit_entry.h), and a name of its own for the command. */
struct str ctl_means(struct ctl *c);
const char *ctl_id(struct ctl *c);

/* With the setting audit_log: what the command told goes to standard error, too. */
void ctl_audit_entry_log(struct ctl *c);

/* ctl_oidc.c: what is wrong with a provider: its document, its clock, our client there; absent: nothing. */
struct str ctl_find_provider(struct ctl *c, const struct conf_oidc *p);

/* The commands. */
void ctl_account_add(struct ctl *c);
void ctl_account_give(struct ctl *c);
void ctl_account_list(struct ctl *c);
void ctl_account_show(struct ctl *c);
void ctl_audit(struct ctl *c);
void ctl_backup(struct ctl *c);
void ctl_clean(struct ctl *c);
void ctl_completion(struct ctl *c);
void ctl_demo(struct ctl *c);
void ctl_doctor(struct ctl *c);
void ctl_export(struct ctl *c);
void ctl_files_move(struct ctl *c);
void ctl_files_sweep(struct ctl *c);
void ctl_grant(struct ctl *c);
void ctl_ids(struct ctl *c);
void ctl_import(struct ctl *c);
void ctl_imports_end(struct ctl *c);
void ctl_imports_list(struct ctl *c);
void ctl_mail_test(struct ctl *c);
void ctl_migrate(struct ctl *c);
void ctl_oidc_try(struct ctl *c);
void ctl_passwd(struct ctl *c);
void ctl_person_add(struct ctl *c);
void ctl_person_claim(struct ctl *c);
void ctl_person_disable(struct ctl *c);
void ctl_person_enable(struct ctl *c);
void ctl_person_list(struct ctl *c);
void ctl_person_remove(struct ctl *c);
void ctl_person_rename(struct ctl *c);
void ctl_person_show(struct ctl *c);
void ctl_project_delete(struct ctl *c);
void ctl_project_list(struct ctl *c);
void ctl_restore(struct ctl *c);
void ctl_person_factor_off(struct ctl *c);
void ctl_person_password_sign_in(struct ctl *c);
void ctl_session_end(struct ctl *c);
void ctl_session_list(struct ctl *c);
void ctl_settings(struct ctl *c);
void ctl_token_list(struct ctl *c);
void ctl_token_revoke(struct ctl *c);
void ctl_secret_rotate(struct ctl *c);
void ctl_status(struct ctl *c);
void ctl_token_rotate(struct ctl *c);
void ctl_token_show(struct ctl *c);
void ctl_webhook_log(struct ctl *c);
void ctl_webhook_redeliver(struct ctl *c);

/*
 * ctl_account.c: gives all accounts and projects that only this person owns to another; in
 *    the transaction of ctl_requests_begin.
 */
void ctl_hand_over(struct ctl *c, int64_t from, int64_t to);
/* An argument that ctl_take_arguments found to be a number. */
int64_t ctl_number(const char *z);

/* ctl_people.c: the person of an e-mail address or user name (an address counts first); none
   ends the command. */
struct ctl_person {
	int64_t id;
	struct str username, name;
	struct str sealed; /* the token; absent: none */
	bool disabled;
	bool is_claim; /* the address that found them is one that nobody has confirmed */
};
struct ctl_person ctl_find_person(struct ctl *c, const char *login);

/* Who gets something: nobody by an address that they gave to themselves. */
struct ctl_person ctl_find_recipient(struct ctl *c, const char *login);
void ctl_fail_claim(struct ctl *c, const char *address, struct str name) __attribute__((noreturn));

/* A new person, whose user name may be null, and a new account, which belongs to
   a person; a new token of a person. The caller commits. */
const struct person *ctl_new_person(
	struct ctl *c, const struct person_ref *ref, const char *username);
const struct account *ctl_new_account(struct ctl *c, const char *name, int64_t owner);
struct str ctl_new_token(struct ctl *c, int64_t person);
/* Whether that is a zone of the tz database. */
bool ctl_is_zone(struct ctl *c, const char *zone);
/* Ends all browser sessions of that person; the caller commits. */
void ctl_end_sessions(struct ctl *c, int64_t person);
/* Gives a person that password, which ends all sessions; the caller commits. */
void ctl_set_password(struct ctl *c, int64_t person, struct str password);

#endif
