#include "store/sweep.h"

#include <stddef.h>

#define SETTING(member) offsetof(struct conf, member)

/* For rows that are kept as long as the statement says: struct conf begins with a different
   setting. */
enum { FIXED };

/* clang-format off */
const struct sweep sweeps[] = {
	{ "webhook delivery", "webhook deliveries", STMT_DELIVERY_SWEEP, SETTING(delivery_days) },
	{ "email", "emails", STMT_MAIL_SWEEP, SETTING(mail_days) },
	{ "email about signing in", "emails about signing in", STMT_LETTER_SWEEP, SETTING(mail_days) },
	{ "read notification", "read notifications", STMT_NOTIFICATION_SWEEP, SETTING(notification_days) },
	{ "ended session", "ended sessions", STMT_SESSION_SWEEP, FIXED },
	{ "answer to a repeated request", "answers to repeated requests", STMT_ONCE_SWEEP, FIXED },
	{ "failed sign-in", "failed sign-ins", STMT_SIGN_IN_FAILURE_SWEEP, FIXED },
	{ "unfinished sign-in", "unfinished sign-ins", STMT_SIGN_IN_FLOW_SWEEP, FIXED },
	{ "lease", "leases", STMT_LEASE_SWEEP, FIXED },
};
/* clang-format on */

const size_t sweeps_count = sizeof sweeps / sizeof *sweeps;

int sweep_params(const struct sweep *s, struct arena *a, const struct conf *conf, bool deletes,
	struct db_param params[static SWEEP_PARAMS])
{
	int n = 0;
	params[n++] = deletes ? db_int(a, SWEEP_BATCH) : db_null();
	params[n++] = db_bool(a, deletes);
	if (s->days == FIXED)
		return n;
	int64_t days = *(const int64_t *)((const char *)conf + s->days);
	params[n++] = db_int(a, days);
	return days ? n : 0;
}
