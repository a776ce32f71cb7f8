#include "store/raise_ids.h"

/*
 * The position is read under a lock that whoever moves a sequence takes. What happens to a sequence
 * stays when the savepoint is rolled back, and the lock does not: nobody waits for the end of an
 * import.
 */
enum rc raise_ids(struct db *db, struct arena *a, struct str sequence, int64_t highest)
{
	const struct db_param params[] = { db_text(a, sequence), db_int(a, highest) };
	struct rows *rows;
	enum rc rc = db_script(db, "savepoint raise_ids; " RAISE_IDS_LOCK);
	if (!rc)
		rc = db_run(db, STMT_RAISE_IDS, 2, params, &rows);
	db_end(db);
	return rc ? rc : db_script(db, "rollback to raise_ids; release raise_ids");
}
