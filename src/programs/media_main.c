/*
 * planwright-media: reads a file that a stranger sent on descriptor 0, says
 * what it is by libmagic ("image/png 640 480 1": type, width, height, whether
 * pictures were made), and with libgd writes a small picture to descriptor 3
 * and a big one to 4. It is started by the worker (media.h) with an empty
 * environment, and gives up memory, time and privileges before it reads.
 */
#include <grp.h>
#include <magic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_GD
#include <gd.h>
#endif

enum {
	SMALL_SIDE = 150,
	BIG_SIDE = 1024,
	PIXELS_MAX = 40 * 1000 * 1000, /* 160 MB decoded */
	SECONDS_MAX = 10,
	WRITE_MAX = 32 * 1024 * 1024,
};

struct picture {
	const unsigned char *p;
	size_t n;
	const char *type;
	int width, height;
};

static void limit(int what, rlim_t most)
{
	const struct rlimit r = { most, most };
	if (setrlimit(what, &r))
		_exit(1);
}

/* Who imports files may be root; what strangers made is never read by root. */
static void give_up_rights(void)
{
	enum { NOBODY = 65534 };
	if (geteuid() == 0 && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)))
		_exit(1);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	limit(RLIMIT_CPU, SECONDS_MAX);
	limit(RLIMIT_FSIZE, WRITE_MAX);
	limit(RLIMIT_CORE, 0);
#ifndef ARENA_MALLOC /* the sanitizers map terabytes */
	limit(RLIMIT_AS, (rlim_t)1 << 30);
#endif
}

static const char *find_type(void)
{
	static char found[100] = "application/octet-stream";
	magic_t magic = magic_open(MAGIC_MIME_TYPE | MAGIC_ERROR);
	const char *type = NULL;
	/* The worker has written the file and stands at its end. */
	if (lseek(0, 0, SEEK_SET) == 0 && magic && !magic_load(magic, NULL))
		type = magic_descriptor(magic, 0);
	if (type && strlen(type) < sizeof found)
		strcpy(found, type);
	if (magic)
		magic_close(magic);
	return found;
}

/* Sizes, from the first bytes ---------------------------------------------- */

static int big_endian(const unsigned char *p, int n)
{
	int v = 0;
	while (n--)
		v = v << 8 | *p++;
	return v;
}

static int little_endian(const unsigned char *p, int n)
{
	int v = 0;
	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* The frame header among the segments of a JPEG (ITU T.81, B.2). */
static void size_of_jpeg(struct picture *x)
{
	for (size_t i = 2; i + 9 < x->n && x->p[i] == 0xff;) {
		int marker = x->p[i + 1];
		if (marker == 0xff) {
			i++;
			continue;
		}
		if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 &&
			marker != 0xcc) {
			x->height = big_endian(x->p + i + 5, 2);
			x->width = big_endian(x->p + i + 7, 2);
			return;
		}
		i += 2 + (size_t)big_endian(x->p + i + 2, 2);
	}
}

static void size_of_webp(struct picture *x)
{
	if (x->n < 30)
		return;
	if (!memcmp(x->p + 12, "VP8X", 4)) {
		x->width = 1 + little_endian(x->p + 24, 3);
		x->height = 1 + little_endian(x->p + 27, 3);
	} else if (!memcmp(x->p + 12, "VP8L", 4)) {
		uint32_t bits = (uint32_t)little_endian(x->p + 21, 3) | (uint32_t)x->p[24] << 24;
		x->width = 1 + (int)(bits & 0x3fff);
		x->height = 1 + (int)(bits >> 14 & 0x3fff);
	} else if (!memcmp(x->p + 12, "VP8 ", 4)) {
		x->width = little_endian(x->p + 26, 2) & 0x3fff;
		x->height = little_endian(x->p + 28, 2) & 0x3fff;
	}
}

static void find_size(struct picture *x)
{
	if (!strcmp(x->type, "image/png") && x->n >= 24 && !(x->p[16] | x->p[20]) &&
		!memcmp(x->p + 12, "IHDR", 4)) {
		x->width = big_endian(x->p + 16, 4);
		x->height = big_endian(x->p + 20, 4);
	} else if (!strcmp(x->type, "image/gif") && x->n >= 10) {
		x->width = little_endian(x->p + 6, 2);
		x->height = little_endian(x->p + 8, 2);
	} else if (!strcmp(x->type, "image/jpeg")) {
		size_of_jpeg(x);
	} else if (!strcmp(x->type, "image/webp")) {
		size_of_webp(x);
	}
}

/* Pictures ----------------------------------------------------------------- */

#ifdef HAVE_GD
static gdImagePtr decode(const struct picture *x)
{
	void *p = (void *)(uintptr_t)x->p;
	int n = (int)x->n;
	if (!strcmp(x->type, "image/png"))
		return gdImageCreateFromPngPtr(n, p);
	if (!strcmp(x->type, "image/gif"))
		return gdImageCreateFromGifPtr(n, p);
	if (!strcmp(x->type, "image/jpeg"))
		return gdImageCreateFromJpegPtr(n, p);
	if (!strcmp(x->type, "image/webp"))
		return gdImageCreateFromWebpPtr(n, p);
	return NULL;
}

static int scaled(int side, int longest, int most)
{
	int v = longest > most ? (int)((int64_t)side * most / longest) : side;
	return v > 0 ? v : 1;
}

static int write_picture(const struct picture *x, gdImagePtr image, int most, int fd)
{
	int w = gdImageSX(image), h = gdImageSY(image), longest = w > h ? w : h;
	gdImagePtr to = gdImageCreateTrueColor(scaled(w, longest, most), scaled(h, longest, most));
	FILE *f = fdopen(fd, "wb");
	int written = 0;
	if (to && f) {
		gdImageAlphaBlending(to, 0);
		gdImageSaveAlpha(to, 1);
		gdImageCopyResampled(to, image, 0, 0, 0, 0, gdImageSX(to), gdImageSY(to), w, h);
		if (!strcmp(x->type, "image/jpeg"))
			gdImageJpeg(to, f, 85);
		else
			gdImagePng(to, f);
		written = fflush(f) == 0 && lseek(fd, 0, SEEK_CUR) > 0;
	}
	if (f)
		fclose(f);
	if (to)
		gdImageDestroy(to);
	return written;
}

static int make_pictures(const struct picture *x)
{
	if (x->width <= 0 || x->height <= 0 || x->n > INT32_MAX ||
		(int64_t)x->width * x->height > PIXELS_MAX)
		return 0;
	gdImagePtr image = decode(x);
	if (!image)
		return 0;
	int made = gdImagePaletteToTrueColor(image) && write_picture(x, image, SMALL_SIDE, 3) &&
		write_picture(x, image, BIG_SIDE, 4);
	gdImageDestroy(image);
	return made;
}
#else
static int make_pictures(const struct picture *x)
{
	(void)x;
	return 0;
}
#endif

int main(void)
{
	struct stat s;
	struct picture x = { 0 };
	give_up_rights();
	if (fstat(0, &s))
		return EXIT_FAILURE;
	x.type = find_type();
	x.n = (size_t)s.st_size;
	if (x.n && !strncmp(x.type, "image/", 6)) {
		void *p = mmap(NULL, x.n, PROT_READ, MAP_PRIVATE, 0, 0);
		if (p != MAP_FAILED) {
			x.p = p;
			find_size(&x);
		}
	}
	int made = x.p ? make_pictures(&x) : 0;
	printf("%s %d %d %d\n", x.type, x.width, x.height, made);
	return EXIT_SUCCESS;
}
