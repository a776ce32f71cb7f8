#include "api/import_form.h"

#include <string.h>

#include "api/upload_permission.h"
#include "lib/log.h"
#include "lib/multipart.h"
#include "service/files.h"

enum {
	FORM_MAX = 256 * 1024, /* what a form needs in addition to the files */
	NAME_MAX_CHARS = 255,
};

static const char *const switch_words[] = { "true", "false", NULL };
static const char *const order_words[] = { "mdy", "dmy", NULL };
static const char *const encoding_words[] = { "windows-1252", NULL };

static const struct {
	const char *name;
	const char *const *words;
} options[IMPORT_OPTIONS] = { { "dry_run", switch_words }, { "overwrite", switch_words },
	{ "renumber", switch_words }, { "date_order", order_words },
	{ "encoding", encoding_words } };

static enum rc fail_disk(struct req *r, const char *what)
{
	log_error("%s below %s: %m", what, files_folder(r->conf));
	return RC_UNAVAILABLE;
}

static enum rc fail_write(struct import_form *f)
{
	return f->folder.room.full ? upload_permission_refuse_disk(f->r)
				   : fail_disk(f->r, "an import cannot be written");
}

static int64_t size_max(const struct req *r)
{
	return r->conf->import_max_mib << 20;
}

static enum rc take_value(struct import_form *f)
{
	const char *const *words = options[f->option].words;
	for (int i = 0; words[i]; i++)
		if (str_equal_z((struct str){ f->value, f->n_value }, words[i])) {
			f->values[f->option] = words[i];
			return RC_OK;
		}
	return req_fail(f->r, RC_INVALID_PARAMETER, "'%s' must be one of: %s%s%s",
		options[f->option].name, words[0], words[1] ? ", " : "", words[1] ? words[1] : "");
}

/* Handles the end of a part. */
static void end_part(struct import_form *f)
{
	if (f->rc)
		return;
	if (f->part == IMPORT_PART_OPTION)
		f->rc = take_value(f);
	else if (f->part == IMPORT_PART_FILE)
		f->sizes[f->n - 1] = f->folder.size;
	f->part = IMPORT_PART_NONE;
}

static enum rc begin_file(struct import_form *f, const char *filename)
{
	char name[IMPORT_FILES_NAME_MAX];
	if (f->n == IMPORT_FILES_MAX)
		return req_fail(f->r, RC_INVALID_PARAMETER,
			"an import can have at most %d files: put them into a zip",
			IMPORT_FILES_MAX);
	f->part = IMPORT_PART_FILE;
	struct str shown = str_of(*filename ? filename : "file");
	while (str_count_chars(shown) > NAME_MAX_CHARS)
		shown.n--;
	f->names[f->n++] = arena_str(f->r->arena, shown);
	import_files_name(name, f->n, filename);
	return import_files_begin(&f->folder, name)
		? RC_OK
		: fail_disk(f->r, "an import cannot be written");
}

static enum rc begin_people(struct import_form *f)
{
	if (f->has_people)
		return req_fail(f->r, RC_INVALID_PARAMETER, "there are two parts named people");
	f->has_people = true;
	f->part = IMPORT_PART_PEOPLE;
	return import_files_begin(&f->folder, "people.csv")
		? RC_OK
		: fail_disk(f->r, "an import cannot be written");
}

static enum rc begin_part(struct import_form *f, const char *name, const char *filename)
{
	if (!strcmp(name, "file"))
		return begin_file(f, filename);
	if (!strcmp(name, "people"))
		return begin_people(f);
	for (int i = 0; i < IMPORT_OPTIONS; i++)
		if (!strcmp(name, options[i].name)) {
			f->part = IMPORT_PART_OPTION;
			f->option = i;
			f->n_value = 0;
			return RC_OK;
		}
	return req_fail(f->r, RC_INVALID_PARAMETER, "this endpoint cannot accept the parameter: %s",
		str_is_text(str_of(name)) ? name : "a name that is not text");
}

static bool take_part(void *to, const char *name, const char *filename)
{
	struct import_form *f = to;
	end_part(f);
	if (!f->rc)
		f->rc = begin_part(f, name, filename);
	return true;
}

static bool take_content(void *to, const char *p, size_t n)
{
	struct import_form *f = to;
	if (f->rc)
		return false;
	if (f->part != IMPORT_PART_OPTION) {
		f->total += (int64_t)n;
		if (f->total > size_max(f->r))
			f->rc = RC_BODY_TOO_LARGE;
		else if (!import_files_write(&f->folder, p, n))
			f->rc = fail_write(f);
		return !f->rc;
	}
	/* Text that is too long is not a valid option. */
	n = n < IMPORT_VALUE_MAX - f->n_value ? n : IMPORT_VALUE_MAX - f->n_value;
	memcpy(f->value + f->n_value, p, n);
	f->n_value += n;
	return true;
}

void import_form_begin(struct import_form *f, struct req *r)
{
	*f = (struct import_form){ .r = r, .folder = { .fd = -1, .folder.lock = -1 } };
	if (!multipart_begin_parts(&f->multipart, r->content_type, take_part, take_content, f))
		req_refuse(r,
			req_fail(r, RC_INVALID_PARAMETER,
				"send multipart/form-data with a part named file"));
	else if (r->upload.length > size_max(r) + FORM_MAX)
		req_refuse(r, RC_BODY_TOO_LARGE);
}

static enum rc read_pieces(struct import_form *f)
{
	char piece[8192];
	struct req *r = f->r;
	for (int64_t left = r->upload.length; left > 0;) {
		int want = left < (int64_t)sizeof piece ? (int)left : (int)sizeof piece;
		int got = r->upload.read(r->upload.stream, piece, want);
		if (got <= 0)
			return req_fail(r, RC_COULD_NOT_PARSE_BODY, "the body ended too early");
		left -= got;
		bool ok = multipart_feed(&f->multipart, piece, (size_t)got);
		if (f->rc)
			return f->rc;
		if (!ok)
			return req_fail(r, RC_COULD_NOT_PARSE_BODY,
				"the body is not well-formed multipart/form-data");
	}
	end_part(f);
	return f->rc;
}

enum rc import_form_read(struct import_form *f)
{
	struct req *r = f->r;
	if (!import_files_open(&f->folder, files_folder(r->conf), r->conf->disk_floor_mib << 20))
		return fail_disk(r, "no folder can be created");
	enum rc rc = read_pieces(f);
	if (rc)
		return rc;
	if (!multipart_is_complete(&f->multipart))
		return req_fail(r, RC_COULD_NOT_PARSE_BODY, "the last boundary is missing");
	if (f->n == 0)
		return req_fail(
			r, RC_INVALID_PARAMETER, "this endpoint requires the parameter: file");
	return RC_OK;
}

bool import_form_has(const struct import_form *f, enum import_option option)
{
	return f->values[option] && !strcmp(f->values[option], switch_words[0]);
}
