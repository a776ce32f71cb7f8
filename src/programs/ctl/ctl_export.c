/*
 * planwrightctl export: projects as zips. A zip has its name only when it is whole; what is
 * written meanwhile stands beside it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/value.h"
#include "programs/ctl/ctl.h"
#include "transfer/export_zip.h"

/* A file that is written; failed: errno then. */
struct file {
	struct sink sink; /* first, so that it is found from there */
	int fd, failed;
	int64_t size;
};

static bool put(struct sink *sink, struct str bytes)
{
	struct file *f = (struct file *)sink;

	while (bytes.n > 0 && !f->failed) {
		ssize_t n = write(f->fd, bytes.p, bytes.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			f->failed = n < 0 ? errno : ENOSPC;
			break;
		}
		bytes.p += n;
		bytes.n -= (size_t)n;
		f->size += n;
	}
	return !f->failed;
}

static void fail_file(struct ctl *c, const char *name, int why)
{
	ctl_fail(c, "export: %s cannot be written: %s: name another place with --out", name,
		strerror(why));
}

static void fail_export(struct ctl *c, struct export *x, enum rc rc, int64_t project)
{
	struct str line = ctl_db_problem(c);

	if (rc == RC_UNFOUND_RESOURCE)
		ctl_fail(c, "export: there is no project %lld", (long long)project);
	ctl_fail(c, "export: project %lld: %.*s", (long long)x->project, (int)line.n, line.p);
}

/*
 * Where a zip goes: the name that was asked for, or its own in the folder. Two projects of nearly
 * one name have one in the same second.
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

static void write_zip(struct ctl *c, struct export *x, const char *name, struct file *f)
{
	enum rc rc = export_zip(x, c->options[CTL_PLAIN] != NULL, &f->sink);

	if (rc && f->failed)
		fail_file(c, name, f->failed);
	if (rc)
		fail_export(c, x, rc, x->project);
}

/* Readable by its owner only: it holds addresses, and what a team says to itself. */
static void write_file(struct ctl *c, struct export *x, const char *name)
{
	const char *temporary = arena_printf(&c->arena, "%s.part", name).p;
	struct file f = { .sink = { put } };
	struct stat st;

	if (lstat(name, &st) == 0 && !S_ISREG(st.st_mode))
		ctl_fail(c, "export: %s is no file: name another one with --out", name);
	f.fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (f.fd < 0)
		fail_file(c, temporary, errno);
	c->unfinished = temporary;
	write_zip(c, x, name, &f);
	if (fsync(f.fd) || close(f.fd) || rename(temporary, name))
		fail_file(c, name, errno);
	c->unfinished = NULL;
	printf("%s: project %lld, version %lld, %lld bytes\n", name, (long long)x->project,
		(long long)x->version, (long long)f.size);
}

static void export_project(struct ctl *c, int64_t project, const char *folder)
{
	struct export x;
	enum rc rc = export_begin(&x, c->db, &c->conf, project, NIL);

	if (rc)
		fail_export(c, &x, rc, project);
	const char *name = place_of(c, &x, folder);
	if (strcmp(name, "-") == 0) {
		struct file f = { .sink = { put }, .fd = STDOUT_FILENO };
		write_zip(c, &x, "standard output", &f);
	} else {
		write_file(c, &x, name);
	}
	if (x.files_missing > 0)
		fprintf(stderr,
			"planwrightctl: project %lld: %lld attached files are not below %s, or cannot be "
			"read: the zip is without them\n",
			(long long)project, (long long)x.files_missing, c->conf.files);
	export_end(&x);
}

/* Projects of an account, or all. */
static void export_many(struct ctl *c)
{
	const char *folder = c->options[CTL_OUT];
	int64_t account = 0;

	if (!folder)
		ctl_fail(c, "export: name a folder with --out");
	if (c->options[CTL_ACCOUNT] && !str_to_int(str_of(c->options[CTL_ACCOUNT]), &account))
		ctl_fail(c, "export: %s is no number of an account", c->options[CTL_ACCOUNT]);
	if (mkdir(folder, 0700) && errno != EEXIST)
		fail_file(c, folder, errno);
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
		ctl_fail(c, "export: name one of PROJECT, --account and --all");
	if (c->word && (!str_to_int(str_of(c->word), &project) || project < 1))
		ctl_fail(c, "export: %s is no number of a project", c->word);
	if (ctl_schema_pending(c, &problem) != 0 || !ctl_schema_is_fresh(c))
		ctl_fail(c,
			"export: the schema is not that of this version: run planwrightctl migrate");
	ctl_commit(c);
	db_free(c->db);
	c->db = db_new(&c->conf, true);
	ctl_connect(c);
	if (c->word)
		export_project(c, project, NULL);
	else
		export_many(c);
}
