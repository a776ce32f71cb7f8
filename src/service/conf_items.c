/* Every setting, one row each (conf.h). */
#include "service/conf.h"

#define AT(member) offsetof(struct conf, member)

/* clang-format off */
const struct conf_item conf_items[] = {
	{ "database",             CONF_SECRET, AT(database),             "dbname=planwright", 1, 0 },
	{ "database_reads",       CONF_SECRET, AT(database_reads),       "", 0, 0 },
	{ "direct_database",      CONF_SECRET, AT(direct_database),      "", 0, 0 },
	{ "owner_database",       CONF_SECRET, AT(owner_database),       "", 0, 0 },
	{ "secret",               CONF_SECRET, AT(secret),               NULL, 32, 0 },
	{ "base_url",             CONF_TEXT,   AT(base_url),             "http://127.0.0.1:8080", 0, 0 },
	{ "tracker_headers",      CONF_BOOL,   AT(tracker_headers),      "on", 0, 0 },
	{ "old_versions",         CONF_TEXT,   AT(old_versions),         "", 0, 0 },
	{ "filter_with_fields",   CONF_BOOL,   AT(filter_with_fields),   "off", 0, 0 },
	{ "add_people_by_id",     CONF_TEXT,   AT(add_people_by_id),     "any", 0, 0 },
	{ "second_factor",        CONF_TEXT,   AT(second_factor),        "optional", 0, 0 },
	{ "new_accounts",         CONF_BOOL,   AT(new_accounts),         "on", 0, 0 },
	{ "max_body_kib",         CONF_INT,    AT(max_body_kib),         "1024", 1, 65536 },
	{ "max_upload_mib",       CONF_INT,    AT(max_upload_mib),       "100", 1, 4096 },
	{ "import_max_mib",       CONF_INT,    AT(import_max_mib),       "512", 1, 65536 },
	{ "import_rows",          CONF_INT,    AT(import_rows),          "1000000", 0, 1000000000 },
	{ "import_seconds",       CONF_INT,    AT(import_seconds),       "600", 0, 86400 },
	{ "importers",            CONF_INT,    AT(importers),            "2", 1, 16 },
	{ "statement_timeout_ms", CONF_INT,    AT(statement_timeout_ms), "5000", 100, 600000 },
	{ "request_timeout_ms",   CONF_INT,    AT(request_timeout_ms),   "20000", 1000, 600000 },
	{ "max_rows_mib",         CONF_INT,    AT(max_rows_mib),         "192", 1, 65536 },
	{ "account_quota_mib",    CONF_INT,    AT(account_quota_mib),    "0", 0, 1073741824 },
	{ "disk_floor_mib",       CONF_INT,    AT(disk_floor_mib),       "1024", 0, 1048576 },
	{ "workers",              CONF_INT,    AT(workers),              "0", 0, 200 },
	{ "files",                CONF_TEXT,   AT(files),                "/var/lib/planwright/files",
	  0, 0 },
	{ "files_spool",          CONF_TEXT,   AT(files_spool),          "/var/lib/planwright/files",
	  0, 0 },
	{ "s3_endpoint",          CONF_TEXT,   AT(s3_endpoint),          "", 0, 0 },
	{ "s3_region",            CONF_TEXT,   AT(s3_region),            "us-east-1", 0, 0 },
	{ "s3_access_key",        CONF_SECRET, AT(s3_access_key),        "", 0, 0 },
	{ "s3_secret_key",        CONF_SECRET, AT(s3_secret_key),        "", 0, 0 },
	{ "send_files",           CONF_TEXT,   AT(send_files),           "", 0, 0 },
	{ "webhook_allow",        CONF_TEXT,   AT(webhook_allow),        "", 0, 0 },
	{ "webhook_http",         CONF_BOOL,   AT(webhook_http),         "off", 0, 0 },
	{ "smtp_url",             CONF_TEXT,   AT(smtp_url),             "", 0, 0 },
	{ "smtp_user",            CONF_TEXT,   AT(smtp_user),            "", 0, 0 },
	{ "smtp_password",        CONF_SECRET, AT(smtp_password),        "", 0, 0 },
	{ "mail_from",            CONF_TEXT,   AT(mail_from),            "", 0, 0 },
	{ "audit_log",            CONF_BOOL,   AT(audit_log),            "off", 0, 0 },
	{ "audit_months",         CONF_INT,    AT(audit_months),         "24", 0, 1200 },
	{ "delivery_days",        CONF_INT,    AT(delivery_days),        "14", 1, 3650 },
	{ "mail_days",            CONF_INT,    AT(mail_days),            "14", 2, 3650 },
	{ "notification_days",    CONF_INT,    AT(notification_days),    "0", 0, 3650 },
	{ "password_sign_in",     CONF_BOOL,   AT(password_sign_in),     "on", 0, 0 },
	{ "trust_remote_user",    CONF_BOOL,   AT(trust_remote_user),    "off", 0, 0 },
	{ "remote_user_sign_out", CONF_TEXT,   AT(remote_user_sign_out), "", 0, 0 },
	{ "session_max_hours",    CONF_INT,    AT(session_max_hours),    "2160", 1, 2160 },
	{ "oidc_providers",       CONF_TEXT,   AT(oidc_providers),       "", 0, 0 },
	{ "live",                 CONF_TEXT,   AT(live),                 "/run/planwright-live/hints.sock",
	  0, 0 },
	{ "live_per_person",      CONF_INT,    AT(live_per_person),      "20", 1, 100000 },
	{ "live_per_address",     CONF_INT,    AT(live_per_address),     "200", 1, 100000 },
	{ "mails_a_day",          CONF_INT,    AT(mails_a_day),          "200", 0, 1000000 },
};
/* clang-format on */

enum { ITEMS = sizeof(conf_items) / sizeof(conf_items[0]) };
_Static_assert((int)ITEMS <= CONF_ITEMS_MAX, "each setting has its source");

const size_t conf_items_count = ITEMS;
