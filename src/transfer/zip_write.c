/* libarchive, for libzip asks of where it writes to that it can seek there. */
#include "transfer/zip_write.h"

#include <archive.h>
#include <archive_entry.h>
#include <openssl/evp.h>
#include <stdlib.h>

#include "lib/log.h"

enum { BLOCK = 64 * 1024 };

struct zip_write {
	struct sink sink; /* of the content; first, so that it is found from there */
	struct sink *to;
	struct archive *archive;
	EVP_MD_CTX *digest;
	int64_t size;
	bool failed;
};

static la_ssize_t write_block(struct archive *a, void *arg, const void *p, size_t n)
{
	struct zip_write *z = arg;
	(void)a;
	z->failed |= !z->to->put(z->to, (struct str){ p, n });
	return z->failed ? -1 : (la_ssize_t)n;
}

static bool put_content(struct sink *sink, struct str bytes)
{
	struct zip_write *z = (struct zip_write *)sink;
	if (z->failed)
		return false;
	EVP_DigestUpdate(z->digest, bytes.p, bytes.n);
	z->size += (int64_t)bytes.n;
	while (bytes.n && !z->failed) {
		la_ssize_t n = archive_write_data(z->archive, bytes.p, bytes.n);
		z->failed |= n <= 0;
		bytes.p += n > 0 ? n : 0;
		bytes.n -= n > 0 ? (size_t)n : 0;
	}
	return !z->failed;
}

struct zip_write *zip_write_open(struct sink *to)
{
	struct zip_write *z = calloc(1, sizeof *z);
	if (!z || !(z->archive = archive_write_new()) || !(z->digest = EVP_MD_CTX_new()))
		log_die("out of memory");
	z->sink.put = put_content;
	z->to = to;
	if (archive_write_set_format_zip(z->archive) ||
		archive_write_set_options(z->archive, "hdrcharset=UTF-8") ||
		archive_write_set_bytes_per_block(z->archive, BLOCK) ||
		archive_write_set_bytes_in_last_block(z->archive, 1) ||
		archive_write_open(z->archive, z, NULL, write_block, NULL))
		log_die("libarchive writes no zip: %s", archive_error_string(z->archive));
	return z;
}

void zip_write_begin(struct zip_write *z, const char *path, int64_t time_s, bool packed)
{
	struct archive_entry *e = archive_entry_new();
	if (!e)
		log_die("out of memory");
	archive_entry_set_pathname_utf8(e, path);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_mtime(e, time_s, 0);
	if (packed)
		archive_write_zip_set_compression_store(z->archive);
	else
		archive_write_zip_set_compression_deflate(z->archive);
	if (!z->failed && archive_write_header(z->archive, e) != ARCHIVE_OK) {
		log_error("a zip takes no entry: %s", archive_error_string(z->archive));
		z->failed = true;
	}
	archive_entry_free(e);
	EVP_DigestInit_ex(z->digest, EVP_sha256(), NULL);
	z->size = 0;
}

struct sink *zip_write_sink(struct zip_write *z)
{
	return &z->sink;
}

bool zip_write_end(struct zip_write *z, struct zip_made *made)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char hash[EVP_MAX_MD_SIZE];
	EVP_DigestFinal_ex(z->digest, hash, NULL);
	for (int i = 0; i < 32; i++) {
		made->sha256[2 * i] = digits[hash[i] >> 4];
		made->sha256[2 * i + 1] = digits[hash[i] & 15];
	}
	made->sha256[64] = '\0';
	made->size = z->size;
	z->failed |= !z->failed && archive_write_finish_entry(z->archive) != ARCHIVE_OK;
	return !z->failed;
}

bool zip_write_close(struct zip_write *z, bool whole)
{
	if (!whole)
		archive_write_fail(z->archive);
	bool ok = archive_write_close(z->archive) == ARCHIVE_OK && whole && !z->failed;
	archive_write_free(z->archive);
	EVP_MD_CTX_free(z->digest);
	free(z);
	return ok;
}
