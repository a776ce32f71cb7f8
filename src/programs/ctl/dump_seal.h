/*
 * Encryption of secrets in a dump, those that must stand in the database as they are: the secrets
 * that sign webhooks' deliveries, which the sender knows and nothing else. In a backup each is
 * sealed with a key of the setting secret, as tokens are; a backup from before has them as they
 * are.
 */
#ifndef DUMP_SEAL_H
#define DUMP_SEAL_H

#include "lib/buf.h"
#include "service/crypt.h"

struct dump_seal {
	const struct crypt *crypt; /* null: none is at hand */
	bool opens;                /* else it seals */
	bool in_rows;              /* of a table; of webhooks when there is a column: */
	int id, secret;            /* the columns; -1: none */
	int n;                     /* of secrets met */
	int lost;                  /* of these, sealed with another key: they are left out */
	struct arena arena;
};

/* A line of the dump; what is to stand instead of it, if it holds a secret. */
void dump_seal_line(struct dump_seal *s, struct str line, struct buf *instead);

#endif
