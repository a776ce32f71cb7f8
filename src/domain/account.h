/* Rules of accounts and account memberships (contract 1.4, 2.4). */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "domain/outcome.h"

/* A new account, which belongs to that person. */
const struct account *account_make(struct outcome *out, struct str name, int64_t owner);

/* What its owner changes. */
enum rc account_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

enum rc account_member_add(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc account_member_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc account_member_remove(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
