#include "transfer/form/own_read.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "transfer/read/digest.h"
#include "transfer/form/json_read.h"
#include "transfer/read/json_walk.h"
#include "transfer/form/v5_value.h"

/* A file as described by the manifest, or by a line of files.jsonl. */
struct listed {
	int64_t id; /* of the attached file; else NIL */
	const char *path;
	int64_t size;
	struct str sum;
};

struct own {
	struct intake *in;
	int file;
	struct tree *tree;
	const char *top;
	struct arena arena; /* of what is listed */
	struct listed *listed;
	size_t n, room;
	int64_t format; /* NIL: the manifest does not say */
	bool refused;
};

/* In this order: what is referred to comes before what refers to it. */
static const struct {
	const char *path;
	int kind;
} lines[] = {
	{ "planwright/project.jsonl", INTAKE_PROJECT },
	{ "planwright/people.jsonl", INTAKE_PERSON },
	{ "planwright/memberships.jsonl", INTAKE_MEMBERSHIP },
	{ "planwright/labels.jsonl", INTAKE_LABEL },
	{ "planwright/review_types.jsonl", INTAKE_REVIEW_TYPE },
	{ "planwright/integrations.jsonl", INTAKE_INTEGRATION },
	{ "planwright/iteration_overrides.jsonl", INTAKE_OVERRIDE },
	{ "planwright/epics.jsonl", INTAKE_EPIC },
	{ "planwright/stories.jsonl", INTAKE_STORY },
	{ "planwright/activity.jsonl", INTAKE_ACTIVITY },
	{ "planwright/saved_searches.jsonl", INTAKE_SAVED_SEARCH },
	{ "planwright/webhooks.jsonl", INTAKE_WEBHOOK },
};

static const char attached[] = "planwright/files.jsonl";

static void refuse(struct own *o, const char *code, const char *path, const char *why)
{
	o->refused = true;
	intake_say(o->in, INTAKE_ERROR, (struct intake_place){ .file = o->file }, NIL, NULL, code,
		"%s, %s: %s", o->tree->where, path, why);
}

static const struct tree_entry *find(struct own *o, const char *path)
{
	const struct str whole = arena_printf(&o->arena, "%s%s", o->top, path);

	return tree_find(o->tree, whole.p);
}

static void list(struct own *o, int64_t id, const struct body *file)
{
	const struct str path = v5_text(file, "path"), sum = v5_text(file, "sha256");
	const int64_t size = v5_int(body_get(file, "size"));

	if (!path.n || size < 0 || sum.n != DIGEST_HEX) {
		refuse(o, "bad_manifest", "planwright",
			"a file is listed without path, size or sha256");
		return;
	}
	if (o->n == o->room) {
		o->room = o->room ? 2 * o->room : 64;
		o->listed = realloc(o->listed, o->room * sizeof(*o->listed));
		if (!o->listed)
			log_die("out of memory: %zu files", o->room);
	}
	o->listed[o->n++] = (struct listed){ id, arena_str(&o->arena, path).p, size,
		arena_str(&o->arena, sum) };
}

/* Takes the manifest, or one of its files at a time if there are very many. */
static enum rc take_manifest(
	struct json_walk *w, const struct json_place *place, int64_t line, const struct body *value)
{
	struct own *o = w->arg;
	const struct body *files = body_get(value, "files");

	(void)line;
	if (place) {
		list(o, NIL, value);
		return RC_OK;
	}
	if (str_equal_z(v5_text(value, "kind"), "planwright_export"))
		o->format = v5_int(body_get(value, "format"));
	for (const struct body *e = files && files->type == BODY_ARRAY ? files->first : NULL; e;
		e = e->next)
		list(o, NIL, e);
	return RC_OK;
}

static enum rc take_attached(
	struct json_walk *w, const struct json_place *place, int64_t line, const struct body *value)
{
	struct own *o = w->arg;
	const int64_t id = v5_int(body_get(value, "id"));

	(void)place;
	(void)line;
	if (id == NIL)
		refuse(o, "bad_manifest", attached, "a line without an id");
	else
		list(o, id, value);
	return RC_OK;
}

static enum rc walk(struct own *o, const char *path,
	enum rc (*take)(
		struct json_walk *, const struct json_place *, int64_t, const struct body *))
{
	const struct tree_entry *entry = find(o, path);
	struct tree_bytes *bytes = entry ? tree_read(o->tree, entry) : NULL;
	struct arena arena = { 0 };
	enum rc rc;

	if (!bytes) {
		refuse(o, "missing_file", path, "it is missing");
		return RC_OK;
	}
	struct json_walk w = { .in = o->in,
		.file = o->file,
		.where = path,
		.bytes = &bytes->bytes,
		.record = take,
		.arg = o,
		.arena = &arena };
	rc = json_walk(&w);
	o->refused = o->refused || w.refused;
	bytes->close(bytes);
	arena_free(&arena);
	return rc;
}

/* Checks all that the manifest lists, before any of it is read. */
static void check_sums(struct own *o)
{
	for (size_t i = 0; i < o->n && !o->refused; i++) {
		if (!intake_goes_on(o->in)) {
			o->refused = true;
			return;
		}
		const struct tree_entry *entry = find(o, o->listed[i].path);
		struct tree_bytes *bytes = entry ? tree_read(o->tree, entry) : NULL;
		struct digest d;

		if (!bytes) {
			refuse(o, "missing_file", o->listed[i].path, "it is missing");
			continue;
		}
		digest_init(&d, &bytes->bytes);
		if (!digest_is(&d, o->listed[i].size, o->listed[i].sum))
			refuse(o, "bad_sum", o->listed[i].path,
				"it differs from what was exported: export again");
		digest_free(&d);
		bytes->close(bytes);
	}
}

static bool is_listed(const struct own *o, const char *path)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(o->listed[i].path, path) == 0)
			return true;
	return false;
}

static void check_manifest(struct own *o)
{
	static const char manifest[] = "planwright/manifest.json";
	const struct str why = arena_printf(&o->arena,
		"its format %lld is newer than %d, the newest that this server reads: update it",
		(long long)o->format, OWN_FORMAT);

	if (o->refused)
		return;
	if (o->format == NIL || o->format < 1)
		refuse(o, "bad_manifest", manifest, "it does not name its format");
	else if (o->format > OWN_FORMAT)
		refuse(o, "newer_format", manifest, why.p);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]) && !o->refused; i++)
		if (!is_listed(o, lines[i].path))
			refuse(o, "missing_file", lines[i].path, "the manifest does not list it");
	if (!o->refused && !is_listed(o, attached))
		refuse(o, "missing_file", attached, "the manifest does not list it");
}

static int by_id(const void *a, const void *b)
{
	const int64_t x = ((const struct listed *)a)->id, y = ((const struct listed *)b)->id;

	return (x > y) - (x < y);
}

static void lose(struct own *o, const char *code, const char *path, const char *text)
{
	const struct intake_why why = { code, str_of(text) };

	intake_lose_file(o->in, (struct intake_place){ .file = o->file }, NIL, &why, "%s%s",
		o->tree->where, path);
}

static enum rc content(struct v5 *v, const struct body *file, struct str *word, bool *told)
{
	struct own *o = v->content_of;
	const struct listed wanted = { .id = v5_int(body_get(file, "id")) };
	const struct listed *found =
		o->n ? bsearch(&wanted, o->listed, o->n, sizeof(wanted), by_id) : NULL;
	const struct tree_entry *entry = found ? find(o, found->path) : NULL;
	struct tree_bytes *bytes = entry ? tree_read(o->tree, entry) : NULL;
	const char *path = found ? arena_printf(&v->arena, ", %s", found->path).p : "";
	struct intake_why why = { "broken_file", STR("is broken, its content is lost") };
	struct digest d;

	*told = !bytes;
	if (!found)
		lose(o, "no_content", ":",
			arena_printf(&v->arena, "the export has no content of the file %lld",
				(long long)wanted.id)
				.p);
	else if (!bytes)
		lose(o, "no_content", path, "is missing");
	if (!bytes)
		return RC_OK;
	digest_init(&d, &bytes->bytes);
	enum rc rc = o->in->body(o->in, &d.bytes, &v->arena, word, &why);
	*told = rc == RC_OK && (!word->p || !digest_is(&d, found->size, found->sum));
	if (*told && word->p)
		why.text = STR("differs from what was exported, its content is lost");
	if (*told)
		lose(o, why.code, path, why.text.p);
	if (*told)
		*word = (struct str){ 0 };
	digest_free(&d);
	bytes->close(bytes);
	return rc;
}

static enum rc read_lines(struct own *o)
{
	struct v5 v;
	enum rc rc = RC_OK;

	v5_init(&v, o->in, o->file, "");
	v.whole = true;
	v.content = content;
	v.content_of = o;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]) && rc == RC_OK && !o->refused;
		i++) {
		struct tree_bytes *bytes = tree_read(o->tree, find(o, lines[i].path));
		bool refused = false;

		v.where = lines[i].path;
		if (!bytes) {
			refuse(o, "unreadable", lines[i].path, "it cannot be read");
			break;
		}
		rc = json_read(&v, &bytes->bytes, (enum v5_kind)lines[i].kind, &refused);
		o->refused = o->refused || refused;
		bytes->close(bytes);
	}
	v5_free(&v);
	return rc;
}

enum rc own_read(struct intake *in, int file, struct tree *tree, const char *top)
{
	struct own o = { .in = in, .file = file, .tree = tree, .top = top, .format = NIL };
	enum rc rc = walk(&o, "planwright/manifest.json", take_manifest);

	if (rc == RC_OK)
		check_manifest(&o);
	if (rc == RC_OK && !o.refused)
		check_sums(&o);
	o.n = 0;
	if (rc == RC_OK && !o.refused)
		rc = walk(&o, attached, take_attached);
	if (o.n)
		qsort(o.listed, o.n, sizeof(*o.listed), by_id);
	if (rc == RC_OK && !o.refused)
		rc = read_lines(&o);
	free(o.listed);
	arena_free(&o.arena);
	return rc;
}
