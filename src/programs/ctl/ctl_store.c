/* planwrightctl doctor: whether an object store takes, gives and deletes a file. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "programs/ctl/ctl.h"
#include "service/files.h"
#include "service/probe.h"

enum { PATIENCE_S = 15, PATIENCE_TO_TIDY_S = 5 };

/* What helps, by a word in the problem. */
static const struct {
	const char *word, *help;
} helps[] = {
	{ "NoSuchBucket", "create the bucket, or correct files" },
	{ "InvalidAccessKeyId", "correct s3_access_key" },
	{ "SignatureDoesNotMatch", "correct s3_access_key, s3_secret_key and s3_region" },
	{ "AuthorizationHeaderMalformed", "correct s3_region" },
	{ "RequestTimeTooSkewed", "set this computer's clock by NTP" },
	{ "AccessDenied", "allow the key to write, read, list and delete there" },
	{ " 403", "correct s3_access_key and s3_secret_key" },
	{ " answers ", "look at the store's own log" },
	{ "", "start the store, or correct s3_endpoint" },
};

static struct str say(struct ctl *c, const char *what, const struct files *f)
{
	size_t i = 0;
	while (!strstr(f->problem.text, helps[i].word))
		i++;
	return arena_printf(&c->arena, "%s: %s: %s", what, f->problem.text, helps[i].help);
}

static bool has_same(int fd, struct str code)
{
	char text[64];
	ssize_t n = read(fd, text, sizeof text);
	return n >= 0 && str_equal((struct str){ text, (size_t)n }, code);
}

/* Null if the file is read back as it was stored. */
static struct str read_back(struct ctl *c, struct files *f, const struct probe *probe)
{
	int fd = files_read(f, probe->place.p);
	if (fd < 0)
		return say(c, "a test file cannot be read back", f);
	bool is_same = has_same(fd, probe->content);
	close(fd);
	return is_same
		? (struct str){ 0 }
		: arena_printf(&c->arena,
			  "%s does not return the bytes that it stored: look at the store's own "
			  "log",
			  f->name);
}

struct str ctl_find_store(struct ctl *c)
{
	struct files f = files_of(&c->conf);
	struct files_temp t;
	const struct probe probe = probe_new(&c->crypt, &c->arena);
	struct str problem = { 0 };

	files_bound(&f, PATIENCE_S);
	if (!files_open_temp(f.folder, &t) ||
		!files_write(t.fd, probe.content.p, probe.content.n)) {
		problem = arena_printf(&c->arena,
			"cannot write to %s: %s: run doctor as the user of the workers", f.folder,
			strerror(errno));
		files_drop_temp(&t);
		return problem;
	}
	problem = files_put_at(&f, &t, probe.place.p) ? read_back(c, &f, &probe)
						      : say(c, "no file can be stored there", &f);
	files_drop_temp(&t);
	/*
	 * A file that could not be stored may be there all the same, if only the answer was lost.
	 */
	if (problem.p)
		files_bound(&f, PATIENCE_TO_TIDY_S);
	if (!files_drop(&f, probe.place.p) && !problem.p)
		return say(c, "a test file cannot be deleted", &f);
	return problem;
}
