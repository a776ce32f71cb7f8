#include "transfer/read/digest.h"

#include <openssl/evp.h>

#include "lib/log.h"

static void begin(struct digest *d)
{
	d->size = 0;
	if (EVP_DigestInit_ex(d->context, EVP_sha256(), NULL) != 1)
		log_die("OpenSSL gives no SHA-256");
}

static int64_t digest_read(struct intake_bytes *b, void *to, size_t n)
{
	struct digest *d = (struct digest *)b;
	int64_t got = d->from->read(d->from, to, n);

	if (got > 0) {
		EVP_DigestUpdate(d->context, to, (size_t)got);
		d->size += got;
	}
	return got;
}

static bool digest_rewind(struct intake_bytes *b)
{
	struct digest *d = (struct digest *)b;

	begin(d);
	return d->from->rewind(d->from);
}

void digest_init(struct digest *d, struct intake_bytes *from)
{
	*d = (struct digest){ { digest_read, digest_rewind }, from, EVP_MD_CTX_new(), 0 };
	if (!d->context)
		log_die("out of memory: SHA-256");
	begin(d);
}

void digest_free(struct digest *d)
{
	EVP_MD_CTX_free(d->context);
	d->context = NULL;
}

bool digest_is(struct digest *d, int64_t size, struct str hex)
{
	unsigned char sum[EVP_MAX_MD_SIZE];
	char text[2 * EVP_MAX_MD_SIZE + 1], rest[16 * 1024];
	unsigned n = 0;
	int64_t got;

	while ((got = d->bytes.read(&d->bytes, rest, sizeof(rest))) > 0)
		if (d->size > size)
			return false;
	if (got < 0 || d->size != size || EVP_DigestFinal_ex(d->context, sum, &n) != 1)
		return false;
	for (unsigned i = 0; i < n; i++)
		str_print(text + (size_t)2 * i, 3, "%02x", sum[i]);
	return str_equal_nocase(hex, (struct str){ text, (size_t)2 * n });
}
