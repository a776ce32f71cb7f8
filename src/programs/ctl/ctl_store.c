/* planwrightctl doctor: whether an object store takes, gives and deletes a file. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "programs/ctl/ctl.h"
#include "service/files.h"

enum { PATIENCE_S = 15 };

#define TEST FILES_TEST "-store"

/* What helps, by a word of the problem. */
static const struct {
	const char *word, *help;
} helps[] = {
	{ "NoSuchBucket", "make the bucket, or correct files" },
	{ "InvalidAccessKeyId", "correct s3_access_key" },
	{ "SignatureDoesNotMatch", "correct s3_access_key, s3_secret_key and s3_region" },
	{ "AuthorizationHeaderMalformed", "correct s3_region" },
	{ "RequestTimeTooSkewed", "set this computer's clock by NTP" },
	{ "AccessDenied", "allow the key to write, read, list and delete there" },
	{ " 403", "correct s3_access_key and s3_secret_key" },
	{ " answers ", "see what the store's own log says" },
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

/* Reads it back and deletes it. */
static struct str try_rest(struct ctl *c, struct files *f, struct str code)
{
	int fd = files_read(f, TEST);
	if (fd < 0)
		return say(c, "a test file cannot be read back", f);
	bool is_same = has_same(fd, code);
	close(fd);
	if (!files_drop(f, TEST))
		return say(c, "a test file cannot be deleted", f);
	if (!is_same)
		return arena_printf(&c->arena,
			"%s gives other bytes than it took: something else writes there", f->name);
	return (struct str){ 0 };
}

struct str ctl_find_store(struct ctl *c)
{
	struct files f = files_of(&c->conf);
	struct files_temp t;
	struct str code = crypt_token(&c->arena), problem;

	files_bound(&f, PATIENCE_S);
	if (!files_open_temp(f.folder, &t) || !files_write(t.fd, code.p, code.n))
		problem = arena_printf(&c->arena,
			"cannot write to %s: %s: run doctor as the user of the workers", f.folder,
			strerror(errno));
	else if (!files_put_at(&f, &t, TEST))
		problem = say(c, "no file can be put there", &f);
	else
		return try_rest(c, &f, code);
	files_drop_temp(&t);
	return problem;
}
