/*
 * Backup file format: a zip of
 *
 *	database.dump     of pg_dump, as statements: an older PostgreSQL takes these of a newer one;
 *	                  secrets in it are sealed (dump_seal.h)
 *	files/0a/10 …     attachments, in the places that service/files.h gives them
 *	secret.sealed     the setting secret under a passphrase (lib/seal.h); may be missing
 *	MANIFEST          what it is, in lines with #; then a line a file, as sha256sum reads them;
 *	                  "# named: 0a/10" is an attachment that was left where it is
 */
#ifndef BACKUP_H
#define BACKUP_H

#include "lib/sink.h"
#include "programs/ctl/ctl.h"

#define BACKUP_DUMP "database.dump"
#define BACKUP_SECRET "secret.sealed"
#define BACKUP_MANIFEST "MANIFEST"
#define BACKUP_MARK "# planwright backup 1"
#define BACKUP_NAMED "# named: "

struct backup_file {
	struct str name, sha256;
};

struct backup {
	struct ctl *c;
	const char *path;
	void *zip;
	struct str made, version, migration; /* of its manifest */
	struct backup_file *files;
	size_t n_files;
	const char **named; /* places of attachments that it does not contain */
	size_t n_named;
};

/* Opens an existing backup; any error in it ends the command, here and below. */
void backup_open(struct ctl *c, struct backup *b, const char *path);
void backup_close(struct backup *b);

/* Compares all that is in it with the manifest. */
void backup_check(struct backup *b);

/* Writes the content of one of its files to the sink; false: the sink failed. */
bool backup_read(struct backup *b, const char *name, struct sink *to);

/* The setting secret in it; absent: none. Asks for the passphrase. */
struct str backup_secret(struct backup *b);

/*
 * The id and, for a thumbnail ("small", "big"), the suffix in a file's name; false: not such a
 * name.
 */
bool backup_file_id(struct str name, int64_t *id, const char **suffix);

#endif
