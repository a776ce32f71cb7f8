/* planwrightctl clean: deletes what has been kept for long enough, and old months of the audit log. */
#include <stdio.h>

#include "programs/ctl/ctl.h"
#include "store/sweep.h"

static int64_t ask(struct ctl *c, enum stmt stmt, int n, const struct db_param *params)
{
	int64_t found = db_get_int(ctl_query(c, stmt_texts[stmt].sql, n, params), 0, 0);

	ctl_commit(c);
	return found;
}

static void tell(
	const struct ctl *c, int64_t n, const char *one, const char *many, const char *gone)
{
	printf("%lld %s %s%s\n", (long long)n, n == 1 ? one : many,
		c->options[CTL_DRY_RUN] ? "would be " : "", gone);
	fflush(stdout);
}

/* Deletes batch by batch: what was deleted stays deleted if the next batch fails. */
static void clean(struct ctl *c, const struct sweep *s)
{
	bool deletes = !c->options[CTL_DRY_RUN];
	struct db_param params[SWEEP_PARAMS];
	int64_t all = 0, found;
	int n = sweep_params(s, &c->arena, &c->conf, deletes, params);

	if (n == 0)
		return;
	do {
		found = ask(c, s->stmt, n, params);
		all += found;
	} while (deletes && found == SWEEP_BATCH);
	if (all)
		tell(c, all, s->one, s->many, "deleted");
}

static void clean_audit(struct ctl *c)
{
	const struct db_param params[] = {
		db_int_or_null(&c->arena, c->conf.audit_months, 0),
		db_bool(&c->arena, !c->options[CTL_DRY_RUN]),
	};

	tell(c, ask(c, STMT_AUDIT_KEEP, 2, params), "month of the audit log",
		"months of the audit log", "dropped");
}

void ctl_clean(struct ctl *c)
{
	for (size_t i = 0; i < sweeps_count; i++)
		clean(c, &sweeps[i]);
	clean_audit(c);
}
