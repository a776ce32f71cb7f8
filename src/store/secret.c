#include "store/secret.h"

struct str secret_value(const struct crypt *crypt, struct arena *a)
{
	return crypt_mac(crypt, a, STR("check value of the secret"));
}

/* An existing token must be readable; if there is none, there is nothing to check. */
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

/* The successor of our secret; absent: there is none, or it is no longer handed over. */
static enum rc find_next(
	struct db *db, const struct crypt *crypt, struct arena *a, struct str *next)
{
	struct rows *rows;
	struct db_param value = db_bytes(secret_value(crypt, a));
	*next = (struct str){ 0 };
	enum rc rc = db_run(db, STMT_SECRET_SUCCESSOR, 1, &value, &rows);
	if (!rc && db_count(rows))
		*next = crypt_open(crypt, a, SECRET_HANDOVER, db_get_text(rows, 0, 0));
	db_end(db);
	return rc;
}

enum rc secret_follow(struct db *db, struct crypt *crypt, struct arena *a, bool *right)
{
	enum { STEPS = 8 };
	for (int i = 0; i < STEPS; i++) {
		struct str next;
		enum rc rc = secret_compare(db, crypt, a, right);
		if (rc || *right)
			return rc;
		if ((rc = find_next(db, crypt, a, &next)) || !next.p)
			return rc;
		if (!crypt_init(crypt, next))
			return RC_UNAVAILABLE;
	}
	return RC_OK;
}
