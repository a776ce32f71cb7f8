/*
 * Encryption by a passphrase, for a secret that leaves the server: AES-256-GCM with a key that
 * scrypt (RFC 7914) derives from it, in 128 MiB and about half a second.
 *
 *	"pwseal1\n", 16 bytes of salt, 12 of nonce, what was sealed, 16 of tag
 */
#ifndef SEAL_H
#define SEAL_H

#include "lib/arena.h"
#include "lib/str.h"

/* The sealed bytes. Ends the program when OpenSSL does not work. */
struct str seal_close(struct arena *a, struct str passphrase, struct str secret);

/* What was sealed, or absent: another passphrase, or no such bytes. */
struct str seal_open(struct arena *a, struct str passphrase, struct str sealed);

#endif
