/*
 * Configuration of all programs: planwright.conf(5). A line is `name = value`; one that begins
 * with `#` is a comment (a `#` in a value is part of it). The environment overrides the file:
 * PLANWRIGHT_<NAME>; an empty variable counts as none. A secret can be kept in its own file:
 * `<name>_file = path` (or PLANWRIGHT_<NAME>_FILE), whose content without the last line end is
 * the value. Error texts never contain secrets.
 *
 * The file is the one named by PLANWRIGHT_CONF, otherwise SYSCONFDIR/planwright.conf; a missing
 * default file is not an error, a missing named one is.
 */
#ifndef CONF_H
#define CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/conf_check.h"
#include "service/conf_item.h"
#include "service/conf_oidc.h"

enum {
	CONF_SECRET_FILES_MAX = 16,
	CONF_ITEMS_MAX = 60,
	CONF_ROWS_MAX = CONF_ITEMS_MAX + CONF_OIDC_MAX * CONF_OIDC_ITEMS,
};

struct conf {
	char *database;        /* libpq connection string; default "dbname=planwright"; secret */
	char *database_reads;  /* the same for standbys that reads may ask (http/standby.h); default
				  none; secret */
	char *direct_database; /* the same without a pooler between; default none; secret */
	char *owner_database;  /* the same for the owner of the schema; default none; secret */
	char *secret; /* at least 32 characters; keys tokens and their copies; secret; required */
	char *secret_file; /* the file that the secret was read from; null: not from a file */

	char *base_url;          /* scheme://host[:port], no slash at the end, at most 200 bytes,
	                   as browsers write it (conf_check.h); default http://127.0.0.1:8080 */
	bool tracker_headers;    /* send X-Tracker-… in addition to X-Service-…; default on */
	char *old_versions;      /* v3, v4 or both, with blanks: answered, too; default none */
	bool filter_with_fields; /* allow `fields` together with `filter`; default off */
	char *add_people_by_id;  /* any (default) or seen: who can be added as a member by id */
	char *second_factor;     /* off, optional (default) or required */
	bool new_accounts;       /* new_account_name makes accounts; default on */
	int64_t max_body_kib;    /* largest JSON body in KiB; default 1024; 1 to 65536 */
	int64_t statement_timeout_ms; /* longest statement; default 5000; 100 to 600000 */
	int64_t request_timeout_ms;   /* longest request; default 20000; 1000 to 600000 */
	int64_t max_rows_mib;      /* memory for the rows of an answer; default 192; 1 to 65536 */
	int64_t max_upload_mib;    /* largest upload in MiB; default 100; 1 to 4096 */
	int64_t import_max_mib;    /* all files of an import in MiB; default 512; 1 to 65536 */
	int64_t import_rows;       /* that an import may have; default 1000000; 0: any number */
	int64_t import_seconds;    /* that an import may take; default 600; 0: any time; to 86400 */
	int64_t importers;         /* processes of planwright-importer; default 2; 1 to 16 */
	int64_t account_quota_mib; /* MiB of all uploads of an account; default 0: any */
	int64_t disk_floor_mib;    /* free MiB below which the disk of files is low; default 1024 */
	int64_t workers;   /* of planwright.fcgi --workers; default 0: two a processor; to 200 */
	char *files;       /* of attachments: a folder, or s3://BUCKET/PREFIX; default
	                /var/lib/planwright/files */
	char *files_spool; /* folder for those on their way to a store; the same default */
	char *s3_endpoint; /* http[s]://host[:port] of the store; default none */
	char *s3_region;   /* that requests are signed for; default us-east-1 */
	char *s3_access_key, *s3_secret_key; /* secrets; default none */
	char *send_files; /* nginx, x-sendfile or self; default: as the web server seems to be */
	char *webhook_allow; /* networks that webhooks may reach in addition to the Internet; default none */
	bool webhook_http;   /* webhooks may be http; default off */
	char *smtp_url;      /* smtp://host[:port] or smtps://…; default none */
	char *smtp_user;     /* default none */
	char *smtp_password; /* secret; default none */
	char *mail_from;     /* the sender's address; default none */
	bool audit_log;      /* entries of the audit log also go to the log, as JSON; default off */
	int64_t audit_months;      /* that the audit log keeps; default 24; 0: all; to 1200 */
	int64_t delivery_days;     /* that webhook deliveries are kept; default 14; 1 to 3650 */
	int64_t mail_days;         /* the same for emails; default 14; 2 to 3650 */
	int64_t notification_days; /* the same for read notifications; default 0: all; to 3650 */
	char *live; /* off, or the socket on which planwright-live hears of changes; default
	                /run/planwright-live/hints.sock */
	int64_t live_per_person;  /* streams; default 20; 1 to 100000 */
	int64_t live_per_address; /* the same; default 200 */
	int64_t mails_a_day;      /* of what one person does; default 200; 0: none; to 1000000 */

	bool password_sign_in;      /* people may sign in by password; default on */
	bool trust_remote_user;     /* the web server signs people in; default off */
	char *remote_user_sign_out; /* where they sign out there: a URL or a path; default none */
	int64_t session_max_hours;  /* of a browser's session; default 2160; 1 to 2160 */
	char *oidc_providers;       /* names of OpenID providers; default none */
	struct conf_providers oidc;

	struct conf_item rows[CONF_ROWS_MAX]; /* conf_items, and those of each provider */
	size_t n_rows;
	char *sources[CONF_ROWS_MAX]; /* where each of the rows was set; null: nowhere */
	char *secret_files
		[CONF_SECRET_FILES_MAX]; /* files that secrets came from; ends with null */
};

extern const struct conf_item conf_items[];
extern const size_t conf_items_count;

/*
 * Fills *c. On failure, returns false and stores in error (size bytes) one line that names the
 * setting, where it is set and what to do; errno is 0 if that is wrong, otherwise what was lacking
 * to read it, which may pass: memory, descriptors. A program that does not need a required setting passes
 * it in `optional` (null-terminated list of names, may be null).
 */
bool conf_load(struct conf *c, const char *const *optional, char *error, size_t size);

/* The file's path. */
const char *conf_path(void);

/*
 * The same for a program that must not know some of them: files named for one of `unwanted` are
 * not opened, and their members stay null or 0.
 */
bool conf_load_without(struct conf *c, const char *const *unwanted, char *error, size_t size);

/* Ends the program with that line, and with the status of wrong settings if they are (lib/log.h). */
void conf_die(const char *problem) __attribute__((noreturn));

void conf_free(struct conf *c);

/* Whether attached files are kept in an object store, and whether that names one. */
bool conf_has_store(const struct conf *c);
bool conf_is_store(const char *files);

/* Whether mail is sent: smtp_url and mail_from are set. */
bool conf_has_mail(const struct conf *c);

/* Whether add_people_by_id is "seen". */
bool conf_adds_only_seen(const struct conf *c);

/* The socket of the setting live; null: it is off. */
const char *conf_live(const struct conf *c);

/* Whether second_factor is "required". */
bool conf_requires_factor(const struct conf *c);

#endif
