/*
 * Uploads of an import: the body of its request, multipart/form-data with files, which are
 * written to their own folder as they arrive (transfer/run/import_files.h), and a few words.
 */
#ifndef IMPORT_FORM_H
#define IMPORT_FORM_H

#include "http/req.h"
#include "lib/multipart.h"
#include "transfer/run/import_files.h"

enum { IMPORT_FILES_MAX = 200, IMPORT_VALUE_MAX = 32 };

enum import_option {
	IMPORT_DRY_RUN,
	IMPORT_OVERWRITE,
	IMPORT_RENUMBER,
	IMPORT_DATE_ORDER,
	IMPORT_ENCODING,
	IMPORT_OPTIONS
};

struct import_form {
	struct req *r;
	struct import_files folder;

	/* What came. */
	int n;
	struct str names[IMPORT_FILES_MAX];
	int64_t sizes[IMPORT_FILES_MAX];
	int64_t total; /* bytes of all files */
	bool has_people;
	const char *values[IMPORT_OPTIONS]; /* one of its words; null: not given */

	/* On the way. */
	struct multipart multipart;
	enum rc rc; /* the error, if any; the rest is then not read */
	enum { IMPORT_PART_NONE, IMPORT_PART_FILE, IMPORT_PART_PEOPLE, IMPORT_PART_OPTION } part;
	int option;
	char value[IMPORT_VALUE_MAX];
	size_t n_value;
};

/* Looks at the request's headers; faults are noted by req_refuse. The struct is large: an arena's. */
void import_form_begin(struct import_form *f, struct req *r);

/*
 * Reads the body. Afterwards, import_files_keep keeps what is in the folder, or import_files_drop
 * deletes it, even after a failure.
 */
enum rc import_form_read(struct import_form *f) MUST_CHECK;

/* Whether a switch is on. */
bool import_form_has(const struct import_form *f, enum import_option option);

#endif
