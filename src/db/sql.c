#include "db/sql.h"

#include <string.h>

#include "lib/log.h"

void sql_init(struct sql *q, struct arena *a)
{
	/* Most statements have few parameters: the rest of the array is not cleared. */
	q->arena = a;
	q->text = (struct buf){ 0 };
	q->n_params = 0;
	q->names = (struct db_names){ 0 };
	q->for_values = q->once = false;
}

void sql_reserve(struct sql *q, struct db_param p)
{
	if (q->n_params == DB_PARAMS_MAX)
		log_die("more than %d parameters in one statement", DB_PARAMS_MAX);
	q->params[q->n_params++] = p;
}

void sql_put_part(struct sql *q, const char *constant, size_t n)
{
	q->names.n = q->n_params;
	db_names_put(&q->names, &q->text, constant, n);
	while (q->n_params < q->names.n) /* until sql_send knows them */
		sql_reserve(q, db_null());
}

void sql_put(struct sql *q, const char *constant)
{
	sql_put_part(q, constant, strlen(constant));
}

void sql_param(struct sql *q, struct db_param p)
{
	sql_reserve(q, p);
	buf_printf(&q->text, "$%d", q->n_params);
}

void sql_put_with(struct sql *q, const char *constant, struct db_param p)
{
	const char *at;
	sql_reserve(q, p);
	int number = q->n_params;
	while ((at = strstr(constant, "%s"))) {
		sql_put_part(q, constant, (size_t)(at - constant));
		buf_printf(&q->text, "$%d", number);
		constant = at + 2;
	}
	sql_put(q, constant);
}

void sql_send(struct sql *q, struct db *db)
{
	buf_put_char(&q->text, '\0');
	struct str text = { q->text.p, q->text.n - 1 };
	db_names_fill(&q->names, db_caller(db), q->params);
	if (q->for_values)
		db_send_values(db, text, q->once, q->n_params, q->params);
	else
		db_send_text(db, text, q->n_params, q->params);
	buf_free(&q->text);
}
