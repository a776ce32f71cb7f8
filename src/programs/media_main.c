/*
 * planwright-media: reads an untrusted file from descriptor 0, prints what libmagic takes it for
 * ("image/png 640 480": type, width, height), then writes a small picture to descriptor 3 and a big
 * one to 4 with libgd, and prints whether it did (" 1"). A file that crashes it in between cannot
 * take back what was already printed. The worker starts it (media.h) with an empty environment; it
 * gives up memory, time, privileges and nearly all system calls before it reads.
 */
#include <errno.h>
#include <grp.h>
#include <magic.h>
#include <seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
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

#include "lib/unconst.h"
#endif

enum {
	SMALL_SIDE = 150,
	BIG_SIDE = 1024,
	PIXELS_MAX = 15 * 1000 * 1000, /* 60 MB decoded */
	SECONDS_MAX = 3,               /* wall-clock time, and CPU time */
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

/* Imports may run as root; root never reads untrusted files. */
static void give_up_rights(void)
{
	enum { NOBODY = 65534 };
	if (geteuid() == 0 && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY)))
		_exit(1);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	/* Whoever started this may have ignored it. */
	signal(SIGALRM, SIG_DFL);
	alarm(SECONDS_MAX);
	limit(RLIMIT_CPU, SECONDS_MAX);
	limit(RLIMIT_FSIZE, WRITE_MAX);
	limit(RLIMIT_CORE, 0);
#ifndef ARENA_MALLOC /* the sanitizers map terabytes */
	limit(RLIMIT_AS, (rlim_t)1 << 30);
#endif
}

/*
 * From here on nothing can be opened, started, connected to or made executable. Other calls that
 * libraries try are refused; calls that only injected code would make end the program.
 */
static void give_up_calls(void)
{
#ifndef ARENA_MALLOC /* sanitizers use threads and other calls */
	static const int needed[] = { SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(write),
		SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
		SCMP_SYS(fcntl), SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap),
		SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(getrandom), SCMP_SYS(clock_gettime),
		SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask), SCMP_SYS(exit),
		SCMP_SYS(exit_group) };
	static const int of_others[] = { SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork),
		SCMP_SYS(vfork), SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(ptrace),
		SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev) };
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	const struct scmp_arg_cmp not_executable = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
	int failed = !filter;
	limit(RLIMIT_NOFILE, 0);
	for (size_t i = 0; !failed && i < sizeof needed / sizeof *needed; i++)
		failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, needed[i], 0);
	for (size_t i = 0; !failed && i < sizeof of_others / sizeof *of_others; i++)
		failed = seccomp_rule_add(filter, SCMP_ACT_KILL, of_others[i], 0);
	if (failed || seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, not_executable) ||
		seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, not_executable) ||
		seccomp_load(filter))
		_exit(1);
	seccomp_release(filter);
#endif
}

/*
 * Types that libmagic derives from two bytes or fewer, so that it finds them in one of some
 * thousand random files: a guess. Of pictures, only those with a real signature count.
 */
static bool is_guess(const char *type)
{
	static const char *const pictures[] = { "png", "jpeg", "gif", "webp", "bmp", "tiff",
		"svg+xml", "x-icon", "vnd.microsoft.icon", "heic", "heif", "avif", "jp2",
		"vnd.adobe.photoshop", "x-xcf", "vnd.djvu", NULL };
	static const char *const guesses[] = { "application/x-tex-tfm", "application/vnd.hp-HPGL",
		"application/x-compress-ttcomp", "application/x-ibm-dsk", "application/zlib",
		"application/x-dbf", "video/x-dv", "audio/x-mp4a-latm", "audio/x-syx",
		"audio/x-hx-aac-adts", "audio/vnd.dolby.dd-raw", "application/x-commodore-basic",
		"application/x-arc", "application/x-dzip", "application/x-lanalyzer",
		"application/x-terminfo", "application/x-terminfo2", "application/x-object",
		"application/x-compress", "application/x-cpio", "application/x-floppy-image-tc",
		"application/x-ibm-rom", "application/marc", "font/x-amiga-font", "text/PGP",
		NULL };
	bool is_picture = !strncmp(type, "image/", 6);
	for (const char *const *z = is_picture ? pictures : guesses; *z; z++)
		if (!strcmp(*z, is_picture ? type + 6 : type))
			return !is_picture;
	return is_picture;
}

/* Types that libmagic also guesses: their files must begin like this. */
static bool begins_otherwise(const char *type)
{
	static const struct {
		const char *type, *begin;
	} known[] = { { "application/x-dosexec", "MZ" }, { "application/gzip", "\x1f\x8b\x08" } };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char begin[8];
		size_t n = strlen(known[i].begin);
		if (!strcmp(type, known[i].type))
			return pread(0, begin, n, 0) != (ssize_t)n ||
				memcmp(begin, known[i].begin, n) != 0;
	}
	return false;
}

static const char *find_type(magic_t magic)
{
	static char found[100] = "application/octet-stream";
	const char *type = NULL;
	/* The worker wrote the file, so the offset is at its end. */
	if (lseek(0, 0, SEEK_SET) == 0 && magic)
		type = magic_descriptor(magic, 0);
	if (type && strlen(type) < sizeof found && !is_guess(type) && !begins_otherwise(type))
		strcpy(found, type);
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

/* Finds the frame header among the segments of a JPEG (ITU T.81, B.2). */
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
/*
 * libgd shows what there is of a truncated file. A whole JPEG has an end marker after its first
 * scan, whose data cannot contain those bytes (ITU T.81, B.1.1); a whole GIF ends with ';'.
 */
static int is_whole_jpeg(const struct picture *x)
{
	size_t i = 2;
	while (i + 4 <= x->n && x->p[i] == 0xff && x->p[i + 1] != 0xda)
		i += x->p[i + 1] == 0xff ? 1 : 2 + (size_t)big_endian(x->p + i + 2, 2);
	return i < x->n && memmem(x->p + i, x->n - i, "\xff\xd9", 2) != NULL;
}

static int is_whole_gif(const struct picture *x)
{
	size_t n = x->n;
	while (n > 0 && x->p[n - 1] == 0)
		n--;
	return n > 0 && x->p[n - 1] == ';';
}

/* Log nothing: what is wrong with the file concerns only the person who sent it. */
static void say_nothing(int level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
}

static gdImagePtr decode(const struct picture *x)
{
	void *p = unconst(x->p);
	int n = (int)x->n;
	if (!strcmp(x->type, "image/png"))
		return gdImageCreateFromPngPtr(n, p);
	if (!strcmp(x->type, "image/gif"))
		return is_whole_gif(x) ? gdImageCreateFromGifPtr(n, p) : NULL;
	if (!strcmp(x->type, "image/jpeg"))
		return is_whole_jpeg(x) ? gdImageCreateFromJpegPtr(n, p) : NULL;
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
	gdSetErrorMethod(say_nothing);
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
	magic_t magic = magic_open(MAGIC_MIME_TYPE | MAGIC_ERROR);
	if (magic && magic_load(magic, NULL)) {
		magic_close(magic);
		magic = NULL;
	}
	give_up_calls();
	x.type = find_type(magic);
	x.n = (size_t)s.st_size;
	if (x.n && !strncmp(x.type, "image/", 6)) {
		void *p = mmap(NULL, x.n, PROT_READ, MAP_PRIVATE, 0, 0);
		if (p != MAP_FAILED) {
			x.p = p;
			find_size(&x);
		}
	}
	printf("%s %d %d", x.type, x.width, x.height);
	fflush(stdout);
	int made = x.p ? make_pictures(&x) : 0;
	printf(" %d\n", made);
	if (magic)
		magic_close(magic);
	return EXIT_SUCCESS;
}
