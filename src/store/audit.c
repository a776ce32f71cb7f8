#include "store/audit.h"

#include "lib/log.h"
#include "lib/quote.h"
#include "model/object.h"

void audit_params(struct arena *a, const struct audit_who *who, const struct audit_entry *e,
	struct db_param params[AUDIT_PARAMS])
{
	/* If the web server has authenticated somebody, any request may sign them in. */
	if (who->acts && !(who->acts & UINT64_C(1) << e->act) && e->act != AUDIT_SIGN_IN)
		log_error(
			"a route does not name the act %s, which it records", audit_words[e->act]);
	const struct db_param all[AUDIT_PARAMS] = {
		db_ids(a, e->accounts.v, e->accounts.n),
		db_int_or_null(a, e->member, NIL),
		db_text(a, str_of(audit_words[e->act])),
		db_text(a, who->means),
		db_int_or_null(a, who->token, NIL),
		db_int_or_null(a, who->person, NIL),
		db_text(a, who->address),
		db_text(a, who->request),
		db_int_or_null(a, e->project_id, NIL),
		db_text(a, str_of(e->kind)),
		db_int_or_null(a, e->id, NIL),
		db_text(a, e->name),
		db_text(a, e->old),
		db_text(a, e->new),
	};
	for (int i = 0; i < AUDIT_PARAMS; i++)
		params[i] = all[i];
}

/* After one of these, somebody may have lost the right to live updates. */
static void hint(struct db *db, enum audit_act act)
{
	static const uint64_t ending = AUDIT_TELLS(SIGN_OUT) | AUDIT_TELLS(SESSION_END) |
		AUDIT_TELLS(FACTOR_OFF) | AUDIT_TELLS(TOKEN_DELETE) | AUDIT_TELLS(API_TOKEN) |
		AUDIT_TELLS(PASSWORD_CHANGE) | AUDIT_TELLS(PASSWORD_RESET) |
		AUDIT_TELLS(PERSON_DISABLE) | AUDIT_TELLS(PERSON_DELETE) | AUDIT_TELLS(CLAIM) |
		AUDIT_TELLS(ACCOUNT_CHANGE) | AUDIT_TELLS(ROLE_CHANGE) |
		AUDIT_TELLS(MEMBERSHIP_DELETE) | AUDIT_TELLS(PROJECT_CHANGE) |
		AUDIT_TELLS(PROJECT_DELETE);
	if (ending & UINT64_C(1) << act)
		db_hint(db, HINT_LOOK, 0, 0);
}

void audit_send(
	struct arena *a, struct db *db, const struct audit_who *who, const struct audit_entry *e)
{
	struct db_param params[AUDIT_PARAMS];
	audit_params(a, who, e, params);
	db_send(db, STMT_AUDIT_WRITE, AUDIT_PARAMS, params);
	hint(db, e->act);
}

void audit_log_lines(struct arena *a, const struct rows *rows)
{
	int line = db_column(rows, "line"), brief = db_column(rows, "brief");
	for (int i = 0; i < db_count(rows); i++)
		if (!log_object("audit", quote_json(a, db_get_text(rows, i, line))) &&
			!log_object("audit", quote_json(a, db_get_text(rows, i, brief))))
			log_error("an entry of the audit log is too long for the log");
}

static void save_entry(struct save *save, const struct audit_entry *e)
{
	struct db_param params[AUDIT_PARAMS];
	audit_params(save->arena, save->who, e, params);
	save_send(save, STMT_AUDIT_WRITE, AUDIT_PARAMS, params);
	hint(save->db, e->act);
}

void audit_save(struct save *save, const struct outcome *out)
{
	struct audit_entry e;
	if (!save->who)
		return;
	for (const struct batch *b = out->batches; b; b = b->next) {
		for (size_t i = 0; i < b->n; i++)
			if (audit_change(save->arena, &b->changes[i], &e))
				save_entry(save, &e);
		if (save->who->is_agent && audit_tool_use(save->arena, b, &e))
			save_entry(save, &e);
	}
}
