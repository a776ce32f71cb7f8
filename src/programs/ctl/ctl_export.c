/* planwrightctl export: projects as zips. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "model/value.h"
#include "programs/ctl/ctl_out.h"
#include "programs/ctl/ctl_audit_entry.h"
#include "transfer/out/export_zip.h"

static void fail_export(struct ctl *c, struct export *x, enum rc rc, int64_t project)
{
	struct str line = ctl_db_problem(c);

	if (rc == RC_UNFOUND_RESOURCE)
		ctl_fail(c, "export: there is no project %lld", (long long)project);
	ctl_fail(c, "export: project %lld: %.*s", (long long)x->project, (int)line.n, line.p);
}

/*
 * Where to write a zip: to the given name, or to its own name in the folder. Two projects with
 * nearly the same name get the same file name within a second.
 */
static const char *place_of(struct ctl *c, const struct export *x, const char *folder)
{
	struct stat st;

	if (!folder && c->options[CTL_OUT])
		return c->options[CTL_OUT];
	const char *name = arena_printf(
		&c->arena, "%s%s%s-export.zip", folder ? folder : "", folder ? "/" : "", x->stem.p)
				   .p;
	if (!folder || lstat(name, &st) != 0)
		return name;
	return arena_printf(
		&c->arena, "%s/%s-%lld-export.zip", folder, x->stem.p, (long long)x->project)
		.p;
}

static void write_zip(struct ctl *c, struct export *x, const char *name)
{
	struct ctl_out out;

	ctl_out_open(c, &out, name);
	enum rc rc = export_zip(x, c->options[CTL_PLAIN] != NULL, &out.sink);
	if (rc && out.failed)
		ctl_out_fail(c, out.name, out.failed);
	if (rc)
		fail_export(c, x, rc, x->project);
	ctl_out_close(c, &out);
	if (out.temporary)
		printf("%s: project %lld, version %lld, %lld bytes\n", name, (long long)x->project,
			(long long)x->version, (long long)out.size);
}

static void tell(struct ctl *c, int64_t project)
{
	struct audit_entry e = audit_entry(AUDIT_PROJECT_EXPORT);

	e.kind = "project";
	e.id = e.project_id = project;
	e.new = audit_text(&c->arena, "form", STR("zip"));
	ctl_audit_entry(c, &e);
	ctl_commit(c);
}

static void export_project(struct ctl *c, int64_t project, const char *folder)
{
	struct export x;
	enum rc rc = export_begin(&x, c->db, &c->conf, project, NIL);

	if (rc)
		fail_export(c, &x, rc, project);
	write_zip(c, &x, place_of(c, &x, folder));
	if (x.files_missing > 0)
		fprintf(stderr,
			"planwrightctl: project %lld: %lld attached files are missing below %s, or cannot be read: the zip does not contain them\n",
			(long long)project, (long long)x.files_missing, c->conf.files);
	export_end(&x);
	tell(c, project);
}

/* Projects of an account, or all. */
static void export_many(struct ctl *c)
{
	const char *folder = c->options[CTL_OUT];
	int64_t account = 0;

	if (!folder)
		ctl_fail_usage(c, "export: name a folder with --out");
	if (c->options[CTL_ACCOUNT] && !str_to_int(str_of(c->options[CTL_ACCOUNT]), &account))
		ctl_fail(c, "export: %s is not the number of an account", c->options[CTL_ACCOUNT]);
	if (mkdir(folder, 0700) && errno != EEXIST)
		ctl_out_fail(c, folder, errno);
	struct db_param param = c->options[CTL_ACCOUNT] ? db_int(&c->arena, account) : db_null();
	struct rows *rows = ctl_query(c,
		"select id from project where account_id = coalesce($1::bigint, account_id) "
		"order by id",
		1, &param);
	int n = db_count(rows);
	int64_t *ids = arena_array(&c->arena, (size_t)n, sizeof(*ids));
	for (int i = 0; i < n; i++)
		ids[i] = db_get_int(rows, i, 0);
	ctl_commit(c);
	if (n == 0)
		ctl_fail(c, "export: there is no project%s",
			c->options[CTL_ACCOUNT] ? " in this account" : "");
	for (int i = 0; i < n; i++)
		export_project(c, ids[i], folder);
}

void ctl_export(struct ctl *c)
{
	int ways = !!c->word + !!c->options[CTL_ACCOUNT] + !!c->options[CTL_ALL];
	struct str problem;
	int64_t project = 0;

	if (ways != 1)
		ctl_fail_usage(c, "export: give one of PROJECT, --account and --all");
	if (c->word && (!str_to_int(str_of(c->word), &project) || project < 1))
		ctl_fail(c, "export: %s is not the number of a project", c->word);
	if (ctl_schema_pending(c, &problem) != 0 || !ctl_schema_is_fresh(c))
		ctl_fail(c,
			"export: the schema belongs to another version: run planwrightctl migrate");
	ctl_commit(c);
	db_free(c->db);
	c->db = db_new(&c->conf, true);
	ctl_connect(c);
	if (c->word)
		export_project(c, project, NULL);
	else
		export_many(c);
}
