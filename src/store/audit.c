#include "store/audit.h"

#include "lib/log.h"
#include "model/object.h"

static struct db_param id_param(struct arena *a, int64_t id)
{
	return id == NIL ? db_null() : db_int(a, id);
}

void audit_params(struct arena *a, const struct audit_who *who, const struct audit_entry *e,
	struct db_param params[AUDIT_PARAMS])
{
	/* Whom the web server has signed in signs in here with any request. */
	if (who->acts && !(who->acts & UINT64_C(1) << e->act) && e->act != AUDIT_SIGN_IN)
		log_error("a route does not name the act %s, which it tells", audit_words[e->act]);
	const struct db_param all[AUDIT_PARAMS] = {
		db_ids(a, e->accounts.v, e->accounts.n),
		id_param(a, e->member),
		db_text(a, str_of(audit_words[e->act])),
		db_text(a, who->means),
		id_param(a, who->token),
		id_param(a, who->person),
		db_text(a, who->address),
		db_text(a, who->request),
		id_param(a, e->project_id),
		db_text(a, str_of(e->kind)),
		id_param(a, e->id),
		db_text(a, e->name),
		db_text(a, e->old),
		db_text(a, e->new),
	};
	for (int i = 0; i < AUDIT_PARAMS; i++)
		params[i] = all[i];
}

void audit_send(
	struct arena *a, struct db *db, const struct audit_who *who, const struct audit_entry *e)
{
	struct db_param params[AUDIT_PARAMS];
	audit_params(a, who, e, params);
	db_send(db, STMT_AUDIT_WRITE, AUDIT_PARAMS, params);
}

static void save_entry(struct save *save, const struct audit_entry *e)
{
	struct db_param params[AUDIT_PARAMS];
	audit_params(save->arena, save->who, e, params);
	save_send(save, STMT_AUDIT_WRITE, AUDIT_PARAMS, params);
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
