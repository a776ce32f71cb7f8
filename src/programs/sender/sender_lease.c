/* The leases of webhooks that are being sent to. */
#include "lib/log.h"
#include "lib/when.h"
#include "programs/sender/sender.h"
#include "service/lease.h"

/* The leases of all transfers, in order. */
static size_t collect(const struct sender *s, struct str leases[SENDER_JOBS_MAX])
{
	size_t n = 0;
	for (int i = 0; i < SENDER_JOBS_MAX; i++)
		if (s->jobs[i].kind && s->jobs[i].lease.p)
			leases[n++] = s->jobs[i].lease;
	return n;
}

static bool is_kept(const struct rows *rows, struct str lease)
{
	for (int i = 0; i < db_count(rows); i++)
		if (str_equal(db_get_text(rows, i, 0), lease))
			return true;
	return false;
}

void sender_keep(struct sender *s, void (*drop)(struct sender *, struct sender_job *))
{
	struct str leases[SENDER_JOBS_MAX];
	struct rows *rows;
	if (when_now() < s->next_keep_us)
		return;
	s->next_keep_us = when_now() + lease_renewal_us(SENDER_LEASE_S);
	size_t n = collect(s, leases);
	const struct db_param params[] = { db_texts(&s->arena, leases, n),
		db_text(&s->arena, lease_length(&s->arena, SENDER_LEASE_S)) };
	/*
	 * While the database is away, nobody else can take them, and no transfer outlasts a lease.
	 */
	if (n == 0 || sender_ask(s, STMT_LEASE_KEEP, 2, params, &rows))
		return;
	for (int i = 0; i < SENDER_JOBS_MAX; i++) {
		struct sender_job *job = &s->jobs[i];
		if (!job->kind || !job->lease.p || is_kept(rows, job->lease))
			continue;
		log_warn("webhook %lld: this sender hung, and another one has taken over delivery "
			 "%lld",
			(long long)job->webhook_id, (long long)job->id);
		drop(s, job);
	}
	sender_end(s);
}
