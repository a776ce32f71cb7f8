#include "transfer/common/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/log.h"
#include "service/files.h"
#include "service/media.h"

enum { PIECE = 64 * 1024, DIGEST_CHARS = 64 };

/* A file's content that is already in its place. */
struct spool_place {
	int64_t id;
	bool has_pictures;
};

/* Makes room for one more in a growing list. */
static void *grow(void *list, size_t n, size_t size)
{
	bool is_full = n == 0 || (n >= 64 && (n & (n - 1)) == 0);
	void *grown = is_full ? realloc(list, (n < 64 ? 64 : 2 * n) * size) : list;
	if (!grown)
		log_die("out of memory");
	return grown;
}

static void path_of(const struct spool *s, const char *word, char to[FILES_PATH_MAX])
{
	str_print(to, FILES_PATH_MAX, "%s/%s", s->own.path, word);
}

/* Reading ------------------------------------------------------------------------------ */

struct pass {
	EVP_MD_CTX *digest;
	int fd; /* -1: it is only read */
	int64_t size;
};

static enum spool_end read_all(struct spool *s, struct intake_bytes *bytes, struct pass *p)
{
	char piece[PIECE];
	for (int64_t n; (n = bytes->read(bytes, piece, sizeof piece)) != 0;) {
		if (n < 0)
			return SPOOL_UNREADABLE;
		p->size += n;
		if (p->size > s->max)
			return SPOOL_TOO_LARGE;
		EVP_DigestUpdate(p->digest, piece, (size_t)n);
		if (p->fd >= 0 && !files_put(&s->room, p->fd, piece, (size_t)n))
			return s->room.full == FILES_QUOTA_FULL ? SPOOL_NO_QUOTA
				: s->room.full                  ? SPOOL_NO_DISK
								: SPOOL_FAILED;
	}
	return SPOOL_KEPT;
}

/* The digest in hexadecimal. */
static void end_digest(EVP_MD_CTX *digest, char to[DIGEST_CHARS + 1])
{
	unsigned char bytes[EVP_MAX_MD_SIZE] = { 0 };
	EVP_DigestFinal_ex(digest, bytes, NULL);
	for (int i = 0; i < DIGEST_CHARS / 2; i++)
		str_print(to + 2 * i, 3, "%02x", bytes[i]);
}

static enum spool_end pass_over(struct spool *s, struct intake_bytes *bytes, int fd,
	char word[DIGEST_CHARS + 1], int64_t *size)
{
	struct pass p = { EVP_MD_CTX_new(), fd, 0 };
	if (!p.digest || !EVP_DigestInit_ex(p.digest, EVP_sha256(), NULL))
		log_die("there is no SHA-256");
	enum spool_end end = read_all(s, bytes, &p);
	end_digest(p.digest, word);
	*size = p.size;
	EVP_MD_CTX_free(p.digest);
	return end;
}

static bool is_there(const struct spool *s, const char *word, int64_t size)
{
	char path[FILES_PATH_MAX];
	struct stat st;
	path_of(s, word, path);
	return *s->own.path && !stat(path, &st) && st.st_size == size;
}

/* Creates the folder once there is something for it. */
static bool has_folder(struct spool *s)
{
	char tmp[FILES_PATH_MAX];
	struct files_temp first;
	if (*s->own.path)
		return true;
	if (!files_open_temp(s->room.folder, &first)) /* it creates tmp, too */
		return false;
	files_drop_temp(&first);
	return str_print(tmp, sizeof tmp, "%s/tmp", s->room.folder).n < sizeof tmp &&
		temp_open_folder(&s->own, tmp);
}

static enum spool_end write_down(struct spool *s, struct intake_bytes *bytes, const char *word)
{
	char path[FILES_PATH_MAX], again[DIGEST_CHARS + 1];
	int64_t size;
	if (!has_folder(s))
		return SPOOL_FAILED;
	path_of(s, word, path);
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (fd < 0)
		return SPOOL_FAILED;
	enum spool_end end = files_give_away(s->room.folder, fd)
		? pass_over(s, bytes, fd, again, &size)
		: SPOOL_FAILED;
	if (end == SPOOL_KEPT && strcmp(word, again) != 0)
		end = SPOOL_UNREADABLE;
	if (end == SPOOL_KEPT && (fchmod(fd, 0640) || fsync(fd)))
		end = SPOOL_FAILED;
	close(fd);
	if (end != SPOOL_KEPT)
		unlink(path);
	return end;
}

enum spool_end spool_keep(
	struct spool *s, struct intake_bytes *bytes, struct arena *a, struct str *word)
{
	char name[DIGEST_CHARS + 1];
	int64_t size;
	*word = (struct str){ 0 };
	enum spool_end end = pass_over(s, bytes, -1, name, &size);
	if (end == SPOOL_KEPT && !s->dry_run && !is_there(s, name, size))
		end = bytes->rewind(bytes) ? write_down(s, bytes, name) : SPOOL_UNREADABLE;
	if (end != SPOOL_KEPT)
		return end;
	*word = arena_str(a, str_of(name));
	return end;
}

/* Places ------------------------------------------------------------------------------- */

static void note_place(struct spool *s, int64_t id, bool has_pictures)
{
	s->places = grow(s->places, s->n_places, sizeof *s->places);
	s->places[s->n_places++] = (struct spool_place){ id, has_pictures };
}

const char *spool_problem(const struct spool *s)
{
	return *s->files.problem.text ? s->files.problem.text : strerror(errno);
}

/* Gives the content a second name, which files_keep() moves. */
static bool open_link(struct spool *s, struct str word, int64_t id, struct files_temp *t)
{
	char path[FILES_PATH_MAX], name[DIGEST_CHARS + 1];
	str_print(name, sizeof name, "%.*s", (int)word.n, word.p);
	path_of(s, name, path);
	str_print(t->path, sizeof t->path, "%s/place-%lld", s->own.path, (long long)id);
	unlink(t->path);
	t->fd = link(path, t->path) ? -1 : open(t->path, O_RDONLY | O_CLOEXEC);
	return t->fd >= 0;
}

bool spool_place(struct spool *s, struct str word, int64_t id, struct spool_look *look)
{
	struct files_temp file = { .fd = -1 }, small = { .fd = -1 }, big = { .fd = -1 };
	struct media media = { 0 };
	struct stat st;
	bool ok = open_link(s, word, id, &file) && files_open_temp(s->room.folder, &small) &&
		files_open_temp(s->room.folder, &big) && !fstat(file.fd, &st);
	if (ok) {
		media_look(file.fd, small.fd, big.fd, &media);
		*look = (struct spool_look){ .width = media.width,
			.height = media.height,
			.thumbnailable = media.thumbnailable,
			.size = st.st_size };
		str_print(look->type, sizeof look->type, "%s", media.type);
		note_place(s, id, media.thumbnailable);
		ok = files_keep(&s->files, &file, id, NULL) &&
			(!media.thumbnailable ||
				(files_keep(&s->files, &small, id, "small") &&
					files_keep(&s->files, &big, id, "big")));
	}
	files_drop_temp(&file);
	files_drop_temp(&small);
	files_drop_temp(&big);
	return ok;
}

/* What cannot be deleted here is deleted by planwrightctl files sweep. */
static void drop_place(struct spool *s, int64_t id, const char *suffix)
{
	char place[FILES_PLACE_MAX];
	files_place(place, id, suffix);
	if (!files_drop(&s->files, place))
		log_warn("%s", s->files.problem.text);
}

static void drop_places(struct spool *s)
{
	for (size_t i = 0; i < s->n_places; i++) {
		const struct spool_place *p = &s->places[i];
		drop_place(s, p->id, NULL);
		if (p->has_pictures) {
			drop_place(s, p->id, "small");
			drop_place(s, p->id, "big");
		}
	}
}

void spool_end(struct spool *s, bool may_be_made)
{
	if (!may_be_made)
		drop_places(s);
	temp_drop_folder(&s->own);
	free(s->places);
	s->places = NULL;
	s->n_places = 0;
}
