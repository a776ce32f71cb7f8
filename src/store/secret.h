/*
 * Check value of the setting secret: tokens in the database are encrypted with one secret; with
 * another one, none would be found or could be decrypted.
 */
#ifndef SECRET_H
#define SECRET_H

#include "db/db.h"
#include "service/crypt.h"

/*
 * Whether the secret is that of the database. One that has no check value yet gets that of this
 * secret, unless a token in it was sealed with another one. Outside of transactions.
 */
enum rc secret_compare(
	struct db *db, const struct crypt *crypt, struct arena *a, bool *right) MUST_CHECK;

/*
 * The same for a program that runs on while the secret is changed: when it is another one by now,
 * and the database has it sealed with ours, ours becomes that one. Outside of transactions.
 */
enum rc secret_follow(struct db *db, struct crypt *crypt, struct arena *a, bool *right) MUST_CHECK;

/* What is sealed with a secret for those who follow, bound to this instead of to a person. */
enum { SECRET_HANDOVER = 0 };

/* The check value of a secret. */
struct str secret_value(const struct crypt *crypt, struct arena *a);

/* The message for a different secret. */
#define SECRET_IS_ANOTHER                                                                          \
	"the secret does not belong to this database: set the one that its tokens were encrypted with"

#endif
