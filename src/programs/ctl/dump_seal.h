/*
 * Encryption of secrets in a dump that the database has to store unencrypted: the signing secrets
 * of webhooks, which only the sender uses. In a backup, each is sealed with a key derived from
 * the setting secret, as tokens are; older backups have them unencrypted.
 */
#ifndef DUMP_SEAL_H
#define DUMP_SEAL_H

#include "lib/buf.h"
#include "service/crypt.h"

struct dump_seal {
	const struct crypt *crypt; /* null: none available */
	bool opens;                /* else it seals */
	bool in_rows;              /* of a table; of webhooks when there is a column: */
	int id, secret;            /* the columns; -1: none */
	int n;                     /* of secrets met */
	int lost;                  /* of these, sealed with another key: they are left out */
	struct arena arena;
};

/* A line of the dump; its replacement if it contains a secret. */
void dump_seal_line(struct dump_seal *s, struct str line, struct buf *instead);

#endif
