/*
 * Test file of planwrightctl doctor, which checks with it that attached files can be stored, read
 * and deleted, and that the web server sends them. Its name is new each time, so that nothing else
 * is touched; files sweep deletes one that a killed doctor left behind.
 *
 * Workers send it without a token, but only it, and only for a request signed with the setting
 * `secret`.
 */
#ifndef PROBE_H
#define PROBE_H

#include "service/crypt.h"

struct probe {
	struct str place; /* where it is put (files.h) */
	struct str
		name; /* how workers are asked for it: PROBE_ADDRESS and this, which no log has */
	struct str content; /* to be recognized by */
};

#define PROBE_PARAMETER "name"
#define PROBE_ADDRESS "/file_attachments/doctor?" PROBE_PARAMETER "="

struct probe probe_new(const struct crypt *crypt, struct arena *a);

/* The place of the one that is asked for by this name; absent: none, or the signature is wrong. */
struct str probe_place(const struct crypt *crypt, struct arena *a, struct str name);

#endif
