/* Input from people. Passwords never come from the command line, which others can see. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "domain/password.h"
#include "programs/ctl/ctl.h"

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	interrupted = number;
}

/* Strips trailing line ends; fails if it is not a valid password. */
static struct str check(struct ctl *c, struct str s)
{
	if (s.n > 0 && s.p[s.n - 1] == '\n')
		s.n--;
	if (s.n > 0 && s.p[s.n - 1] == '\r')
		s.n--;
	if (s.n > PASSWORD_MAX_BYTES)
		ctl_fail(c, "a password can have at most %d bytes: give a shorter one",
			PASSWORD_MAX_BYTES);
	if (!str_is_text(s))
		ctl_fail(c, "the password is not UTF-8 text: give another one");
	if (memchr(s.p, '\n', s.n))
		ctl_fail(c, "the password has more than one line: give one line");
	if (str_count_chars(s) < PASSWORD_MIN_CHARS)
		ctl_fail(c, "a password must have at least %d characters: give a longer one",
			PASSWORD_MIN_CHARS);
	return s;
}

/* Reads a whole file, up to a length that is too long for a password. */
static struct str read_all(struct ctl *c, int fd, const char *name)
{
	char *text = arena_alloc(&c->arena, PASSWORD_MAX_BYTES + 3);
	size_t n = 0;

	while (n < PASSWORD_MAX_BYTES + 3) {
		ssize_t got = read(fd, text + n, PASSWORD_MAX_BYTES + 3 - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			ctl_fail(c, "%s cannot be read: %m", name);
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return check(c, (struct str){ text, n });
}

static struct str read_file(struct ctl *c, const char *name)
{
	if (strcmp(name, "-") == 0)
		return read_all(c, STDIN_FILENO, "standard input");
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		ctl_fail(c, "%s cannot be opened: %m", name);
	struct str password = read_all(c, fd, name);
	close(fd);
	return password;
}

/* Reads one line from the terminal; -1 if that was interrupted or ended. */
static ssize_t read_line(int tty, const char *prompt, char *to, size_t size)
{
	ssize_t n = -1;

	if (write(tty, prompt, strlen(prompt)) > 0 && !interrupted)
		n = read(tty, to, size);
	if (write(tty, "\n", 1) != 1)
		return -1;
	return interrupted || n == 0 ? -1 : n;
}

/* Asks twice, or once without a second prompt. A signal does not leave the terminal without echo. */
static struct str ask(struct ctl *c, int tty, const char *prompt, const char *again)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	enum { SIGNALS = sizeof(signals) / sizeof(signals[0]) };
	struct sigaction act = { .sa_handler = interrupt }, old[SIGNALS];
	char *first = arena_alloc(&c->arena, PASSWORD_MAX_BYTES + 3);
	char *second = arena_alloc(&c->arena, PASSWORD_MAX_BYTES + 3);
	struct termios shown, hidden;

	if (tcgetattr(tty, &shown) != 0)
		ctl_fail(c, "the terminal cannot be used: %m; name a file");
	hidden = shown;
	hidden.c_lflag &= (tcflag_t)~ECHO;
	hidden.c_cc[VSUSP] = _POSIX_VDISABLE;
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &act, &old[i]);
	tcsetattr(tty, TCSAFLUSH, &hidden);
	ssize_t n = read_line(tty, prompt, first, PASSWORD_MAX_BYTES + 3), m = n;
	if (!again)
		second = first;
	else if (n >= 0)
		m = read_line(tty, again, second, PASSWORD_MAX_BYTES + 3);
	tcsetattr(tty, TCSAFLUSH, &shown);
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &old[i], NULL);
	if (n < 0 || m < 0)
		ctl_fail(c, "interrupted: nothing was changed");
	if (n != m || memcmp(first, second, (size_t)n) != 0)
		ctl_fail(c, "the two passwords differ: nothing was changed");
	return check(c, (struct str){ first, (size_t)n });
}

struct str ctl_read_password(struct ctl *c)
{
	const char *file = c->options[CTL_PASSWORD_FILE];

	if (file)
		return read_file(c, file);
	if (!isatty(STDIN_FILENO))
		return read_file(c, "-");
	return ask(c, STDIN_FILENO, "New password: ", "The same again: ");
}

struct str ctl_read_passphrase(struct ctl *c, bool is_new)
{
	const char *file = c->options[CTL_PASSPHRASE_FILE];

	if (file)
		return read_file(c, file);
	if (!isatty(STDIN_FILENO))
		ctl_fail(c,
			"%s: there is no terminal to ask for a passphrase: use --passphrase-file%s",
			c->command, is_new ? ", or --without-secret" : "");
	return ask(
		c, STDIN_FILENO, "Passphrase of the backup: ", is_new ? "The same again: " : NULL);
}

void ctl_confirm(struct ctl *c, const char *question)
{
	char answer[16] = "";

	if (c->options[CTL_YES])
		return;
	if (!isatty(STDIN_FILENO))
		ctl_fail(c, "%s: there is no terminal to ask on: use --yes", c->command);
	printf("%s Type yes: ", question);
	fflush(stdout);
	if (!fgets(answer, sizeof(answer), stdin) || strcmp(answer, "yes\n") != 0)
		ctl_fail(c, "nothing was changed");
}
