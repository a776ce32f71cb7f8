#include "programs/ctl/backup.h"

#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "lib/log.h"
#include "lib/seal.h"
#include "service/files.h"

enum { MANIFEST_MAX = 256 << 20, SECRET_MAX = 1 << 20, PIECE = 64 * 1024, SHA256_CHARS = 64 };

static void refuse(const struct backup *b, const char *name, const char *why)
	__attribute__((noreturn));

static void refuse(const struct backup *b, const char *name, const char *why)
{
	ctl_fail(b->c, "%s: %s%s%s: %s", b->c->command, b->path, name ? ", " : "", name ? name : "",
		why);
}

bool backup_read(struct backup *b, const char *name, struct sink *to)
{
	static char piece[PIECE];
	zip_file_t *f = zip_fopen(b->zip, name, 0);
	zip_int64_t n;
	bool ok = true;

	if (!f)
		refuse(b, name, "it is missing: use another backup");
	while (ok && (n = zip_fread(f, piece, sizeof(piece))) != 0) {
		if (n < 0)
			refuse(b, name, "it cannot be read: use another backup");
		ok = to->put(to, (struct str){ piece, (size_t)n });
	}
	zip_fclose(f);
	return ok;
}

/* Small files, whole ------------------------------------------------------- */

struct memory {
	struct sink sink;
	struct buf buf;
	size_t most;
};

static bool put_memory(struct sink *sink, struct str bytes)
{
	struct memory *m = (struct memory *)sink;

	buf_put_str(&m->buf, bytes);
	return m->buf.n <= m->most;
}

static struct str read_small(struct backup *b, const char *name, size_t most)
{
	struct memory m = { .sink = { put_memory }, .most = most };

	if (!backup_read(b, name, &m.sink))
		refuse(b, name, "it is too long: this is not a planwright backup");
	struct str text = arena_str(&b->c->arena, m.buf.p ? buf_str(&m.buf) : STR(""));
	buf_free(&m.buf);
	return text;
}

/* The manifest ------------------------------------------------------------- */

static void take_fact(struct backup *b, struct str line)
{
	struct str name = str_trim(str_cut(&line, ':'));

	if (str_equal_z(name, "# made at"))
		b->made = str_trim(line);
	else if (str_equal_z(name, "# version"))
		b->version = str_trim(line);
	else if (str_equal_z(name, "# migration"))
		b->migration = str_trim(line);
	else if (str_equal_z(name, "# named"))
		b->named[b->n_named++] = arena_str(&b->c->arena, str_trim(line)).p;
}

static void take_file(struct backup *b, struct str line)
{
	if (line.n < SHA256_CHARS + 3 || memcmp(line.p + SHA256_CHARS, "  ", 2) != 0)
		refuse(b, BACKUP_MANIFEST, "one of its lines is malformed: use another backup");
	b->files[b->n_files++] = (struct backup_file){
		.sha256 = { line.p, SHA256_CHARS },
		.name = arena_str(&b->c->arena,
			(struct str){ line.p + SHA256_CHARS + 2, line.n - SHA256_CHARS - 2 }),
	};
}

static void take_manifest(struct backup *b)
{
	struct str rest = read_small(b, BACKUP_MANIFEST, MANIFEST_MAX);
	zip_int64_t n = zip_get_num_entries(b->zip, 0);
	size_t lines = 0;

	if (!str_is_text(rest) || !str_equal_z(str_cut(&rest, '\n'), BACKUP_MARK))
		refuse(b, BACKUP_MANIFEST,
			"its format is unknown: this is not a backup, or it comes from a newer "
			"planwright");
	for (size_t i = 0; i < rest.n; i++)
		lines += rest.p[i] == '\n';
	b->files = arena_array(&b->c->arena, lines + 1, sizeof(*b->files));
	b->named = arena_array(&b->c->arena, lines + 1, sizeof(*b->named));
	while (rest.p) {
		struct str line = str_cut(&rest, '\n');
		if (line.n > 0 && line.p[0] == '#')
			take_fact(b, line);
		else if (line.n > 0)
			take_file(b, line);
	}
	if (n < 0 || (size_t)n != b->n_files + 1)
		refuse(b, BACKUP_MANIFEST,
			"its list of files does not match its content: use another backup");
	if (!b->version.p || !b->migration.p)
		refuse(b, BACKUP_MANIFEST, "it does not say which version of planwright made it");
}

void backup_open(struct ctl *c, struct backup *b, const char *path)
{
	int code = 0;

	*b = (struct backup){ .c = c, .path = path };
	b->zip = zip_open(path, ZIP_RDONLY, &code);
	if (!b->zip) {
		zip_error_t error;
		zip_error_init_with_code(&error, code);
		ctl_fail(c, "%s: %s: %s: name a file that planwrightctl backup wrote", c->command,
			path, zip_error_strerror(&error));
	}
	take_manifest(b);
}

void backup_close(struct backup *b)
{
	zip_discard(b->zip);
}

/* Checking ----------------------------------------------------------------- */

struct digest {
	struct sink sink;
	EVP_MD_CTX *context;
};

static bool put_digest(struct sink *sink, struct str bytes)
{
	struct digest *d = (struct digest *)sink;

	return EVP_DigestUpdate(d->context, bytes.p, bytes.n) == 1;
}

static bool is_known(struct str name)
{
	const char *suffix;
	int64_t id;

	return str_equal_z(name, BACKUP_DUMP) || str_equal_z(name, BACKUP_SECRET) ||
		backup_file_id(name, &id, &suffix);
}

static void check_file(struct backup *b, struct digest *d, const struct backup_file *f)
{
	unsigned char sum[EVP_MAX_MD_SIZE] = { 0 };
	char hex[SHA256_CHARS + 1];

	if (!is_known(f->name))
		refuse(b, f->name.p, "a backup contains no such file");
	if (EVP_DigestInit_ex(d->context, EVP_sha256(), NULL) != 1 ||
		!backup_read(b, f->name.p, &d->sink) ||
		EVP_DigestFinal_ex(d->context, sum, NULL) != 1)
		ctl_fail(b->c,
			"OpenSSL cannot compute SHA-256: check the installation of libcrypto");
	for (int i = 0; i < SHA256_CHARS / 2; i++)
		str_print(hex + 2 * i, 3, "%02x", sum[i]);
	if (!str_equal_z(f->sha256, hex))
		refuse(b, f->name.p, "it is damaged: use another backup");
}

void backup_check(struct backup *b)
{
	struct digest d = { { put_digest }, EVP_MD_CTX_new() };
	bool has_dump = false;

	if (!d.context)
		log_die("out of memory");
	for (size_t i = 0; i < b->n_files; i++) {
		check_file(b, &d, &b->files[i]);
		has_dump |= str_equal_z(b->files[i].name, BACKUP_DUMP);
	}
	EVP_MD_CTX_free(d.context);
	if (!has_dump)
		refuse(b, BACKUP_DUMP, "it is missing: use another backup");
}

/* What is in it ------------------------------------------------------------ */

struct str backup_secret(struct backup *b)
{
	if (zip_name_locate(b->zip, BACKUP_SECRET, 0) < 0)
		return (struct str){ 0 };
	struct str sealed = read_small(b, BACKUP_SECRET, SECRET_MAX);
	struct str secret = seal_open(&b->c->arena, ctl_read_passphrase(b->c, false), sealed);
	if (!secret.p)
		refuse(b, NULL, "wrong passphrase: give the one that it was made with");
	return secret;
}

bool backup_file_id(struct str name, int64_t *id, const char **suffix)
{
	static const struct str folder = { "files/", 6 };
	char place[64];
	struct str rest = name, number;

	if (name.n <= folder.n || memcmp(name.p, folder.p, folder.n) != 0)
		return false;
	rest = (struct str){ name.p + folder.n, name.n - folder.n };
	str_cut(&rest, '/');
	if (!rest.p)
		return false;
	number = str_cut(&rest, '.');
	*suffix = !rest.p ? NULL : str_equal_z(rest, "small") ? "small" : "big";
	if (!str_to_int(number, id) || *id < 1)
		return false;
	files_place(place, *id, *suffix);
	return str_equal_z((struct str){ name.p + folder.n, name.n - folder.n }, place);
}
