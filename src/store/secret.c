#include "store/secret.h"

struct str secret_value(const struct crypt *crypt, struct arena *a)
{
	return crypt_mac(crypt, a, STR("check value of the secret"));
}

/* A token that is there must be readable; none is no reason against it. */
static bool reads_token(const struct crypt *crypt, struct arena *a, const struct rows *rows)
{
	return db_is_null(rows, 0, 1) ||
		crypt_open(crypt, a, db_get_int(rows, 0, 1), db_get_text(rows, 0, 2)).p;
}

enum rc secret_compare(struct db *db, const struct crypt *crypt, struct arena *a, bool *right)
{
	struct rows *rows;
	struct str value = secret_value(crypt, a);
	enum rc rc = db_run(db, STMT_SECRET_LOAD, 0, NULL, &rows);
	if (rc)
		return rc;
	bool known = !db_is_null(rows, 0, 0);
	*right = known ? str_equal(db_get_text(rows, 0, 0), value) : reads_token(crypt, a, rows);
	db_end(db);
	if (known || !*right)
		return RC_OK;
	struct db_param param = db_bytes(value);
	rc = db_run(db, STMT_SECRET_STORE, 1, &param, &rows);
	db_end(db);
	return rc;
}
