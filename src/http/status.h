/*
 * Metrics and status for operators: as text, as JSON, and for Prometheus (text format 0.0.4).
 * Each number is a row of one table.
 */
#ifndef STATUS_H
#define STATUS_H

#include "db/db.h"
#include "lib/json.h"
#include "service/conf.h"
#include "service/crypt.h"
#include "service/metrics.h"

struct status {
	struct metrics_sight sight;
	int64_t workers, workers_busy, busiest_ms, sign_ins_refused, shares_refused;
	int64_t standby_used, standby_behind, standby_failed;
	bool has_database; /* otherwise the following values are unknown */
	int64_t database_up, schema_version, database_bytes;
	int64_t deliveries_waiting, deliveries_oldest_s, mails_waiting, mails_oldest_s;
	int64_t mails_withheld;
	int64_t webhooks_off, webhooks_failing, imports_queued, imports_running;
	int64_t live_up;
	int64_t schema_expected, disk_bytes, disk_free_bytes, disk_low;
};

/* What this host knows by itself: its workers, and the disk of the setting `files`. */
void status_look(
	struct status *s, const struct conf *conf, const struct crypt *crypt, struct arena *a);

/* The values in the row of STMT_STATUS_QUEUES. */
void status_take(struct status *s, const struct rows *rows);

void status_put_text(const struct status *s, struct buf *out);
void status_put_json(const struct status *s, struct json *out);
void status_put_prometheus(const struct status *s, struct buf *out);

#endif
