#include "service/s3.h"

#include <errno.h>
#include <openssl/evp.h>
#include <string.h>
#include <unistd.h>

#include "lib/log.h"
#include "service/s3_request.h"

enum { PIECE = 64 * 1024, SHA256 = 32 };

/* The digest of a whole file, in hexadecimal, and its size; false and errno on failure. */
static bool digest(int fd, char to[2 * SHA256 + 1], int64_t *size)
{
	static char piece[PIECE];
	unsigned char bytes[EVP_MAX_MD_SIZE] = { 0 };
	ssize_t n;
	EVP_MD_CTX *c = EVP_MD_CTX_new();
	if (!c || !EVP_DigestInit_ex(c, EVP_sha256(), NULL))
		log_die("there is no SHA-256");
	*size = 0;
	while ((n = pread(fd, piece, sizeof piece, *size)) > 0) {
		EVP_DigestUpdate(c, piece, (size_t)n);
		*size += n;
	}
	EVP_DigestFinal_ex(c, bytes, NULL);
	EVP_MD_CTX_free(c);
	for (int i = 0; i < SHA256; i++)
		str_print(to + 2 * i, 3, "%02x", bytes[i]);
	return n == 0;
}

static bool rewind_file(void *to)
{
	return lseek(*(const int *)to, 0, SEEK_SET) == 0;
}

bool s3_put(const struct s3 *s, const char *name, int fd, struct s3_problem *p)
{
	char sha256[2 * SHA256 + 1];
	struct s3_request r = { .store = s,
		.method = "PUT",
		.name = name,
		.from = fd,
		.sha256 = sha256,
		.again = rewind_file,
		.to = &fd };
	if (!digest(fd, sha256, &r.size)) {
		str_print(p->text, sizeof p->text, "a file in transit cannot be read: %m");
		return false;
	}
	return s3_request(&r, p);
}

static bool write_piece(void *to, const char *p, size_t n)
{
	int fd = *(const int *)to;
	while (n) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

static bool empty_file(void *to)
{
	return rewind_file(to) && ftruncate(*(const int *)to, 0) == 0;
}

bool s3_get(const struct s3 *s, const char *name, int fd, struct s3_problem *p)
{
	struct s3_request r = { .store = s,
		.method = "GET",
		.name = name,
		.take = write_piece,
		.again = empty_file,
		.to = &fd };
	return s3_request(&r, p);
}

bool s3_delete(const struct s3 *s, const char *name, struct s3_problem *p)
{
	struct s3_request r = { .store = s, .method = "DELETE", .name = name };
	return s3_request(&r, p);
}

/* As in the header Host: nginx leaves out the default port. */
static struct str host_of(const char *endpoint)
{
	struct str host = str_of(strstr(endpoint, "://") + 3);
	struct str port = str_of(strncmp(endpoint, "https:", 6) ? ":80" : ":443");
	if (host.n > port.n && !memcmp(host.p + host.n - port.n, port.p, port.n))
		host.n -= port.n;
	return host;
}

struct s3_signed s3_sign(const struct s3 *s, struct arena *a, const char *name, int64_t time_s)
{
	const struct sigv4_key signer = { str_of(s->access_key), str_of(s->secret_key),
		str_of(s->region) };
	char key[S3_KEY_MAX];
	struct str path =
		arena_printf(a, "/%.*s/%s", (int)s->bucket.n, s->bucket.p, s3_key(s, name, key).p);
	return (struct s3_signed){ path,
		sigv4_get(a, &signer, host_of(s->endpoint), path, time_s) };
}
