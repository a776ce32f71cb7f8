/* libarchive, because libzip can only write where it can seek. */
#include "transfer/out/zip_write.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <openssl/evp.h>
#include <stdlib.h>

#include "lib/buf.h"
#include "lib/log.h"

enum { BLOCK = 64 * 1024 };

/*
 * The library is loaded by the first zip: with its dependencies (ICU, libxml2, libstdc++) it is a
 * quarter of a worker, and few workers ever make a zip.
 */
#define LIBRARY "libarchive.so.13"
#define FUNCTIONS(X)                                                                               \
	X(archive_entry_free)                                                                      \
	X(archive_entry_new)                                                                       \
	X(archive_entry_set_filetype)                                                              \
	X(archive_entry_set_mtime)                                                                 \
	X(archive_entry_set_pathname_utf8)                                                         \
	X(archive_entry_set_perm)                                                                  \
	X(archive_error_string)                                                                    \
	X(archive_write_close)                                                                     \
	X(archive_write_data)                                                                      \
	X(archive_write_fail)                                                                      \
	X(archive_write_finish_entry)                                                              \
	X(archive_write_free)                                                                      \
	X(archive_write_header)                                                                    \
	X(archive_write_new)                                                                       \
	X(archive_write_open)                                                                      \
	X(archive_write_set_bytes_in_last_block)                                                   \
	X(archive_write_set_bytes_per_block)                                                       \
	X(archive_write_set_format_zip)                                                            \
	X(archive_write_set_options)                                                               \
	X(archive_write_zip_set_compression_deflate)                                               \
	X(archive_write_zip_set_compression_store)

static struct {
#define MEMBER(name) __typeof__(name) *(name);
	FUNCTIONS(MEMBER)
} la;

static void load_library(void)
{
	if (la.archive_write_new)
		return;
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		log_die("%s; install the package libarchive13", dlerror());
#define FIND(name)                                                                                 \
	*(void **)&la.name = dlsym(library, #name);                                                \
	if (!la.name)                                                                              \
		log_die("%s", dlerror());
	FUNCTIONS(FIND)
}

struct zip_write {
	struct sink sink; /* of the content; first, so that it leads back here */
	struct sink *to;
	struct archive *archive;
	struct buf held; /* until it is a block, or an entry ends */
	EVP_MD_CTX *digest;
	int64_t size;
	bool failed;
};

static void flush(struct zip_write *z)
{
	z->failed |= z->held.n && !z->failed && !z->to->put(z->to, buf_str(&z->held));
	z->held.n = 0;
}

static la_ssize_t write_some(struct archive *a, void *arg, const void *p, size_t n)
{
	struct zip_write *z = arg;
	(void)a;
	buf_put_str(&z->held, (struct str){ p, n });
	if (z->held.n >= BLOCK)
		flush(z);
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
		la_ssize_t n = la.archive_write_data(z->archive, bytes.p, bytes.n);
		z->failed |= n <= 0;
		bytes.p += n > 0 ? n : 0;
		bytes.n -= n > 0 ? (size_t)n : 0;
	}
	return !z->failed;
}

struct zip_write *zip_write_open(struct sink *to)
{
	load_library();
	struct zip_write *z = calloc(1, sizeof *z);
	if (!z || !(z->archive = la.archive_write_new()) || !(z->digest = EVP_MD_CTX_new()))
		log_die("out of memory");
	z->sink.put = put_content;
	z->to = to;
	if (la.archive_write_set_format_zip(z->archive) ||
		la.archive_write_set_options(z->archive, "hdrcharset=UTF-8") ||
		la.archive_write_set_bytes_per_block(z->archive, 0) ||
		la.archive_write_set_bytes_in_last_block(z->archive, 1) ||
		la.archive_write_open(z->archive, z, NULL, write_some, NULL))
		log_die("libarchive cannot write a zip: %s", la.archive_error_string(z->archive));
	return z;
}

void zip_write_begin(struct zip_write *z, const char *path, int64_t time_s, bool packed)
{
	struct archive_entry *e = la.archive_entry_new();
	if (!e)
		log_die("out of memory");
	la.archive_entry_set_pathname_utf8(e, path);
	la.archive_entry_set_filetype(e, AE_IFREG);
	la.archive_entry_set_perm(e, 0644);
	la.archive_entry_set_mtime(e, time_s, 0);
	if (packed)
		la.archive_write_zip_set_compression_store(z->archive);
	else
		la.archive_write_zip_set_compression_deflate(z->archive);
	if (!z->failed && la.archive_write_header(z->archive, e) != ARCHIVE_OK) {
		log_error("an entry of a zip cannot be written: %s",
			la.archive_error_string(z->archive));
		z->failed = true;
	}
	la.archive_entry_free(e);
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
	z->failed |= !z->failed && la.archive_write_finish_entry(z->archive) != ARCHIVE_OK;
	flush(z);
	return !z->failed;
}

bool zip_write_close(struct zip_write *z, bool whole)
{
	if (!whole)
		la.archive_write_fail(z->archive);
	bool ok = la.archive_write_close(z->archive) == ARCHIVE_OK && whole;
	if (ok)
		flush(z);
	ok &= !z->failed;
	la.archive_write_free(z->archive);
	EVP_MD_CTX_free(z->digest);
	buf_free(&z->held);
	free(z);
	return ok;
}
