#include "http/status.h"

#include <stddef.h>

#include "db/schema.h"
#include "service/files.h"

#define MIB INT64_C(1048576)
#define AT(member) offsetof(struct status, member)

enum { OF_DATABASE = 1, IS_COUNTER = 2, IS_MILLISECONDS = 4 };

/* The name is also that of the statement's column. */
static const struct number {
	const char *name;
	size_t at;
	unsigned flags;
	const char *doc;
} numbers[] = {
	{ "workers", AT(workers), 0, "Workers running on this host." },
	{ "workers_busy", AT(workers_busy), 0, "Workers busy with a request." },
	{ "busiest_worker_seconds", AT(busiest_ms), IS_MILLISECONDS,
		"Age of the longest current request." },
	{ "sign_ins_refused_total", AT(sign_ins_refused), IS_COUNTER,
		"Refused names and passwords." },
	{ "shares_refused_total", AT(shares_refused), IS_COUNTER,
		"Requests answered 429 because one person used too many workers." },
	{ "standby_reads_total", AT(standby_used), IS_COUNTER,
		"Reads answered by a standby (database_reads)." },
	{ "standby_behind_total", AT(standby_behind), IS_COUNTER,
		"Reads repeated on the leader because the standby was behind." },
	{ "standby_failed_total", AT(standby_failed), IS_COUNTER,
		"Reads repeated on the leader because the standby failed or did not answer." },
	{ "live_up", AT(live_up), 0, "1 if planwright-live is notified of changes on this host." },
	{ "disk_bytes", AT(disk_bytes), 0, "Size of the disk with the attached files." },
	{ "disk_free_bytes", AT(disk_free_bytes), 0, "Free space on it." },
	{ "disk_low", AT(disk_low), 0, "1 if that is less than the setting disk_floor_mib." },
	{ "schema_expected", AT(schema_expected), 0, "Newest migration known to this program." },
	{ "database_up", AT(database_up), 0, "1 if the database answers." },
	{ "schema_version", AT(schema_version), OF_DATABASE, "Newest migration in the database." },
	{ "database_bytes", AT(database_bytes), OF_DATABASE, "Size of the database." },
	{ "deliveries_waiting", AT(deliveries_waiting), OF_DATABASE,
		"Webhook deliveries waiting to be sent." },
	{ "deliveries_oldest_seconds", AT(deliveries_oldest_s), OF_DATABASE,
		"Age of the oldest of them." },
	{ "mails_waiting", AT(mails_waiting), OF_DATABASE, "Emails waiting to be sent." },
	{ "mails_oldest_seconds", AT(mails_oldest_s), OF_DATABASE, "Age of the oldest of them." },
	{ "mails_withheld", AT(mails_withheld), OF_DATABASE,
		"Emails withheld in the last mail_days days, as one person caused more than mails_a_day." },
	{ "webhooks_off", AT(webhooks_off), OF_DATABASE, "Webhooks that are switched off." },
	{ "webhooks_failing", AT(webhooks_failing), OF_DATABASE,
		"Webhooks whose latest deliveries have all failed." },
	{ "imports_queued", AT(imports_queued), OF_DATABASE, "Waiting imports." },
	{ "imports_running", AT(imports_running), OF_DATABASE, "Running imports." },
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static const char *const accesses[METRICS__ACCESS] = { "read", "write" };

static int64_t *member(struct status *s, const struct number *n)
{
	return (int64_t *)((char *)s + n->at);
}

static int64_t value(const struct status *s, const struct number *n)
{
	return *(const int64_t *)((const char *)s + n->at);
}

static bool is_known(const struct status *s, const struct number *n)
{
	return s->has_database || !(n->flags & OF_DATABASE);
}

/* Taking ------------------------------------------------------------------------------- */

void status_look(
	struct status *s, const struct conf *conf, const struct crypt *crypt, struct arena *a)
{
	struct files_disk disk;
	const struct hint_target live = hint_target(conf_live(conf));
	*s = (struct status){ .schema_expected = schema_newest() };
	metrics_look(metrics_name(crypt, conf->database, a), &s->sight);
	s->live_up = hint_has_listener(&live);
	s->workers = s->sight.workers;
	s->workers_busy = s->sight.busy;
	s->busiest_ms = s->sight.busiest_ms;
	s->sign_ins_refused = (int64_t)s->sight.counts.events[METRICS_SIGN_IN_REFUSED];
	s->shares_refused = (int64_t)s->sight.counts.events[METRICS_SHARE_REFUSED];
	s->standby_used = (int64_t)s->sight.counts.events[METRICS_STANDBY_USED];
	s->standby_behind = (int64_t)s->sight.counts.events[METRICS_STANDBY_BEHIND];
	s->standby_failed = (int64_t)s->sight.counts.events[METRICS_STANDBY_FAILED];
	if (!files_look_at_disk(files_folder(conf), &disk))
		return;
	s->disk_bytes = disk.size;
	s->disk_free_bytes = disk.free;
	s->disk_low = s->disk_free_bytes < conf->disk_floor_mib * MIB;
}

void status_take(struct status *s, const struct rows *rows)
{
	s->has_database = true;
	s->database_up = 1;
	for (int i = 0; i < NUMBERS; i++)
		if (numbers[i].flags & OF_DATABASE)
			*member(s, &numbers[i]) =
				db_int_or_0(rows, 0, db_column(rows, numbers[i].name));
}

/* For people ----------------------------------------------------------------------------- */

static uint64_t all_of(const uint64_t *counts, int n)
{
	uint64_t sum = 0;
	for (int i = 0; i < n; i++)
		sum += counts[i];
	return sum;
}

/* The bound below which that fraction of the requests stayed, in milliseconds; -1: above all
   bounds. */
static double bound_of(const uint64_t *times, double part)
{
	uint64_t all = all_of(times, METRICS_BOUNDS + 1), sum = 0;
	for (int i = 0; i < METRICS_BOUNDS; i++)
		if ((double)(sum += times[i]) >= part * (double)all)
			return (double)metrics_bounds_us[i] / 1000;
	return -1;
}

static void put_times(const struct metrics_counts *c, int access, struct buf *out)
{
	uint64_t n = all_of(c->times[access], METRICS_BOUNDS + 1);
	double p50 = bound_of(c->times[access], 0.5), p99 = bound_of(c->times[access], 0.99);
	if (n == 0)
		return;
	buf_printf(out, "%-26s %.1f ms on average", access ? "write_times" : "read_times",
		(double)c->us[access] / (double)n / 1000);
	if (p50 > 0)
		buf_printf(out, ", half of them within %g ms", p50);
	if (p99 > 0)
		buf_printf(out, ", 99 %% within %g ms", p99);
	buf_put_char(out, '\n');
}

void status_put_text(const struct status *s, struct buf *out)
{
	const struct metrics_counts *c = &s->sight.counts;
	buf_printf(out, "%-26s %s\n", "version", PACKAGE_VERSION);
	for (int i = 0; i < NUMBERS; i++) {
		if (!is_known(s, &numbers[i]))
			buf_printf(out, "%-26s unknown\n", numbers[i].name);
		else if (numbers[i].flags & IS_MILLISECONDS)
			buf_printf(out, "%-26s %.3f\n", numbers[i].name,
				(double)value(s, &numbers[i]) / 1000);
		else
			buf_printf(out, "%-26s %lld\n", numbers[i].name,
				(long long)value(s, &numbers[i]));
	}
	for (int access = 0; access < METRICS__ACCESS; access++) {
		buf_printf(out, "%-26s", access ? "writes" : "reads");
		for (int i = 1; i < METRICS_CLASSES; i++)
			buf_printf(out, " %dxx=%llu", i + 1,
				(unsigned long long)c->requests[access][i]);
		buf_put_char(out, '\n');
		put_times(c, access, out);
	}
}

/* JSON --------------------------------------------------------------------------------------- */

static void put_access(const struct metrics_counts *c, int access, struct json *out)
{
	char name[16];
	uint64_t sum = 0;
	json_key(out, accesses[access]);
	json_object(out);
	for (int i = 0; i < METRICS_CLASSES; i++) {
		str_print(name, sizeof name, "%dxx", i + 1);
		json_key(out, name);
		json_int(out, (int64_t)c->requests[access][i]);
	}
	json_key(out, "seconds");
	json_float(out, (double)c->us[access] / 1e6);
	json_key(out, "within_seconds");
	json_object(out);
	for (int i = 0; i < METRICS_BOUNDS; i++) {
		str_print(name, sizeof name, "%g", (double)metrics_bounds_us[i] / 1e6);
		json_key(out, name);
		json_int(out, (int64_t)(sum += c->times[access][i]));
	}
	json_object_end(out);
	json_object_end(out);
}

void status_put_json(const struct status *s, struct json *out)
{
	json_object(out);
	json_key(out, "version");
	json_z(out, PACKAGE_VERSION);
	for (int i = 0; i < NUMBERS; i++) {
		json_key(out, numbers[i].name);
		if (!is_known(s, &numbers[i]))
			json_null(out);
		else if (numbers[i].flags & IS_MILLISECONDS)
			json_float(out, (double)value(s, &numbers[i]) / 1000);
		else
			json_int(out, value(s, &numbers[i]));
	}
	json_key(out, "requests");
	json_object(out);
	for (int access = 0; access < METRICS__ACCESS; access++)
		put_access(&s->sight.counts, access, out);
	json_object_end(out);
	json_object_end(out);
}

/* Prometheus ---------------------------------------------------------------------------------- */

static void put_head(struct buf *out, const char *name, const char *type, const char *doc)
{
	buf_printf(
		out, "# HELP planwright_%s %s\n# TYPE planwright_%s %s\n", name, doc, name, type);
}

static void put_histogram(const struct metrics_counts *c, int access, struct buf *out)
{
	uint64_t sum = 0;
	for (int i = 0; i < METRICS_BOUNDS; i++)
		buf_printf(out, "planwright_request_seconds_bucket{access=\"%s\",le=\"%g\"} %llu\n",
			accesses[access], (double)metrics_bounds_us[i] / 1e6,
			(unsigned long long)(sum += c->times[access][i]));
	sum += c->times[access][METRICS_BOUNDS];
	buf_printf(out,
		"planwright_request_seconds_bucket{access=\"%s\",le=\"+Inf\"} %llu\n"
		"planwright_request_seconds_sum{access=\"%s\"} %.6f\n"
		"planwright_request_seconds_count{access=\"%s\"} %llu\n",
		accesses[access], (unsigned long long)sum, accesses[access],
		(double)c->us[access] / 1e6, accesses[access], (unsigned long long)sum);
}

void status_put_prometheus(const struct status *s, struct buf *out)
{
	const struct metrics_counts *c = &s->sight.counts;
	put_head(out, "info", "gauge", "Version of the program.");
	buf_printf(out, "planwright_info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	for (int i = 0; i < NUMBERS; i++) {
		const struct number *n = &numbers[i];
		if (!is_known(s, n))
			continue;
		put_head(out, n->name, n->flags & IS_COUNTER ? "counter" : "gauge", n->doc);
		if (n->flags & IS_MILLISECONDS)
			buf_printf(
				out, "planwright_%s %.3f\n", n->name, (double)value(s, n) / 1000);
		else
			buf_printf(out, "planwright_%s %lld\n", n->name, (long long)value(s, n));
	}
	put_head(out, "requests_total", "counter", "Answered requests.");
	for (int access = 0; access < METRICS__ACCESS; access++)
		for (int i = 0; i < METRICS_CLASSES; i++)
			buf_printf(out,
				"planwright_requests_total{access=\"%s\",status=\"%dxx\"} %llu\n",
				accesses[access], i + 1,
				(unsigned long long)c->requests[access][i]);
	put_head(out, "request_seconds", "histogram", "How long the workers took for them.");
	for (int access = 0; access < METRICS__ACCESS; access++)
		put_histogram(c, access, out);
}
