/* planwrightctl: arguments and help, by the table of commands. */
#include "programs/ctl/ctl.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/buf.h"

_Static_assert((int)CTL_OPTION__MAX <= 64, "a set of options has 64 bits");

/* How it is called --------------------------------------------------------- */

static void print_usage(FILE *to, const struct ctl_command *command)
{
	fprintf(to, "planwrightctl %s", command->name);
	if (command->word)
		fprintf(to, " %s", command->word);
	for (int i = 0; i < CTL_OPTION__MAX; i++) {
		if (command->needs & TAKES(i))
			fprintf(to, " %s %s", ctl_options[i].name, ctl_options[i].value);
	}
	for (int i = 0; i < CTL_OPTION__MAX; i++) {
		const char *value = ctl_options[i].value;
		if (command->takes & TAKES(i))
			fprintf(to, " [%s%s%s]", ctl_options[i].name, value ? " " : "",
				value ? value : "");
	}
}

static void usage_fail(const struct ctl_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

static void usage_fail(const struct ctl_command *command, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "planwrightctl: ");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	if (command) {
		fprintf(stderr, "; usage: ");
		print_usage(stderr, command);
	} else {
		fprintf(stderr, "; planwrightctl help lists the commands");
	}
	fputc('\n', stderr);
	exit(CTL_USAGE);
}

static void print_short(const struct ctl_command *command)
{
	print_usage(stdout, command);
	printf("\n    %s\n", command->help);
}

void ctl_print_help(const struct ctl_command *command)
{
	print_short(command);
	for (int i = 0; i < CTL_OPTION__MAX; i++) {
		if ((command->needs | command->takes) & TAKES(i))
			printf("  %s%s%s\n      %s\n", ctl_options[i].name,
				ctl_options[i].value ? " " : "",
				ctl_options[i].value ? ctl_options[i].value : "",
				ctl_options[i].help);
	}
}

static void print_all(void)
{
	printf("Administration of planwright; see planwrightctl(8).\n\n");
	for (size_t i = 0; i < ctl_commands_count; i++)
		print_short(&ctl_commands[i]);
	printf("planwrightctl help [COMMAND]\nplanwrightctl --version\n\nLOGIN is an email address or a user name; FILE - is standard input.\n");
}

/* Commands ----------------------------------------------------------------- */

/* How many of the arguments make up the command's name; 0 if they do not. */
static int match(const struct ctl_command *command, int argc, char **argv)
{
	struct str rest = str_of(command->name);
	int n = 0;

	while (rest.p) {
		if (n == argc || !str_equal_z(str_cut(&rest, ' '), argv[n]))
			return 0;
		n++;
	}
	return n;
}

static bool is_of_group(const struct ctl_command *command, const char *group)
{
	size_t n = strlen(group);

	return strncmp(command->name, group, n) == 0 && command->name[n] == ' ';
}

/* Fails with the names of the group's commands, in one line. */
static void fail_in_group(const char *group, const char *word) __attribute__((noreturn));

static void fail_in_group(const char *group, const char *word)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < ctl_commands_count; i++) {
		if (is_of_group(&ctl_commands[i], group))
			buf_printf(&names, "%s%s", names.n ? ", " : "",
				ctl_commands[i].name + strlen(group) + 1);
	}
	usage_fail(NULL, "%s has no command %s: it has %s", group, word, names.p);
}

/* Whether there is such a group; prints its commands. */
static bool print_group(const char *group)
{
	bool any = false;

	for (size_t i = 0; i < ctl_commands_count; i++) {
		if (!is_of_group(&ctl_commands[i], group))
			continue;
		print_short(&ctl_commands[i]);
		any = true;
	}
	return any;
}

static bool is_group(const char *word)
{
	for (size_t i = 0; i < ctl_commands_count; i++) {
		if (is_of_group(&ctl_commands[i], word))
			return true;
	}
	return false;
}

static const struct ctl_command *find_command(int *argc, char ***argv)
{
	for (size_t i = 0; i < ctl_commands_count; i++) {
		int n = match(&ctl_commands[i], *argc, *argv);
		*argc -= n;
		*argv += n;
		if (n > 0)
			return &ctl_commands[i];
	}
	return NULL;
}

static bool asks_for_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static void fail_unknown(int argc, char **argv) __attribute__((noreturn));

static void fail_unknown(int argc, char **argv)
{
	if (argc > 1 && is_group(argv[0]))
		fail_in_group(argv[0], argv[1]);
	usage_fail(NULL, "there is no command %s", argv[0]);
}

const struct ctl_command *ctl_take_command(int *argc, char ***argv)
{
	if (*argc == 0)
		usage_fail(NULL, "a command is missing");
	bool helps = strcmp((*argv)[0], "help") == 0 || asks_for_help((*argv)[0]);
	*argc -= helps;
	*argv += helps;
	if (*argc == 0) {
		print_all();
		return NULL;
	}
	const struct ctl_command *command = find_command(argc, argv);
	if (command && !helps)
		return command;
	if (command && *argc > 0)
		usage_fail(command, "there is one argument too many");
	if (command)
		ctl_print_help(command);
	else if ((*argc > 1 && !asks_for_help((*argv)[1])) || !print_group((*argv)[0]))
		fail_unknown(*argc, *argv);
	return NULL;
}

/* Options ------------------------------------------------------------------ */

static bool take_option(struct ctl *c, const struct ctl_command *command, int *argc, char ***argv)
{
	struct str value = str_of((*argv)[0]);
	struct str name = str_cut(&value, '=');
	int i = 0;

	while (i < CTL_OPTION__MAX && !str_equal_z(name, ctl_options[i].name))
		i++;
	if (i == CTL_OPTION__MAX || !((command->needs | command->takes) & TAKES(i)))
		return false;
	if (c->options[i])
		usage_fail(command, "%s is given twice", ctl_options[i].name);
	bool is_flag = !ctl_options[i].value;
	if (is_flag && value.p)
		usage_fail(command, "%s takes no value", ctl_options[i].name);
	if (!is_flag && !value.p && *argc < 2)
		usage_fail(command, "%s is missing its value", ctl_options[i].name);
	c->options[i] = is_flag ? ctl_options[i].name : value.p ? value.p : (*argv)[1];
	if (!*c->options[i])
		usage_fail(command, "the value of %s is empty", ctl_options[i].name);
	*argc -= is_flag || value.p ? 1 : 2;
	*argv += is_flag || value.p ? 1 : 2;
	return true;
}

/* What can be checked of a value by itself: numbers, and words of a choice. */

static bool is_choice(const char *choices, const char *value)
{
	struct str rest = str_of(choices);

	while (rest.p) {
		if (str_equal_z(str_cut(&rest, '|'), value))
			return true;
	}
	return false;
}

/* "a|b|c" as "a, b or c"; never freed, since the process ends. */
static const char *name_choices(const char *choices)
{
	struct buf b = { 0 };

	for (const char *p = choices; *p; p++) {
		if (*p == '|')
			buf_put_z(&b, strchr(p + 1, '|') ? ", " : " or ");
		else
			buf_put_char(&b, *p);
	}
	buf_put_char(&b, '\0');
	return b.p;
}

static bool is_number(const char *value)
{
	int64_t number;

	return str_to_int(str_of(value), &number) && number > 0;
}

int64_t ctl_number(const char *z)
{
	int64_t number = 0;

	return z && str_to_int(str_of(z), &number) ? number : 0;
}

static void check_options(const struct ctl *c, const struct ctl_command *command)
{
	for (int i = 0; i < CTL_OPTION__MAX; i++) {
		const struct ctl_option_name *option = &ctl_options[i];
		const char *value = c->options[i];
		if ((command->needs & TAKES(i)) && !value)
			usage_fail(command, "%s is missing", option->name);
		if (!value || !option->value)
			continue;
		if (strcmp(option->value, "ID") == 0 && !is_number(value))
			usage_fail(command,
				"%s: %s is not a valid value of %s: give a number from 1",
				command->name, value, option->name);
		if (strchr(option->value, '|') && !is_choice(option->value, value))
			usage_fail(command, "%s: %s is not a valid value of %s: give %s",
				command->name, value, option->name, name_choices(option->value));
	}
}

static void check_choices(const struct ctl *c, const struct ctl_command *command)
{
	for (const struct ctl_choice *choice = ctl_choices; choice->command; choice++) {
		const char *first = NULL;
		for (int i = 0; i < CTL_OPTION__MAX; i++) {
			if (strcmp(choice->command, command->name) != 0 ||
				!(choice->options & TAKES(i)) || !c->options[i])
				continue;
			if (first)
				usage_fail(command, "%s and %s cannot be combined", first,
					ctl_options[i].name);
			first = ctl_options[i].name;
		}
	}
}

/* "FROM TO" */
static bool is_pair(const char *word)
{
	return strchr(word, ' ') && !strchr(word, '|');
}

static int words_max(const char *word)
{
	return strstr(word, "...") ? INT_MAX : is_pair(word) ? 2 : 1;
}

static void check_words(const struct ctl *c, const struct ctl_command *command)
{
	static const struct {
		const char *word, *what;
	} numbers[] = { { "ID", NULL }, { "PROJECT", "project" }, { "[PROJECT]", "project" },
		{ "DELIVERY", "delivery" } };

	if (command->word && *command->word != '[' &&
		(!c->word || (is_pair(command->word) && c->n_words < 2)))
		usage_fail(command, "%s is missing", command->word);
	if (!command->word || !c->word)
		return;
	if (strchr(command->word, '|') && !is_choice(command->word, c->word))
		usage_fail(command, "%s is not %s", c->word, name_choices(command->word));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		int group = (int)strcspn(command->name, " ");
		if (strcmp(command->word, numbers[i].word) != 0 || is_number(c->word))
			continue;
		if (numbers[i].what)
			usage_fail(
				command, "%s is not the number of a %s", c->word, numbers[i].what);
		usage_fail(command, "%s is not the number of %s %.*s: see planwrightctl %.*s list",
			c->word, strchr("ai", *command->name) ? "an" : "a",
			group - (command->name[group - 1] == 's'), command->name, group,
			command->name);
	}
}

/* An argument that is not an option. */
static void take_word(struct ctl *c, const struct ctl_command *command, const char *word)
{
	if (!command->word || c->n_words == words_max(command->word))
		usage_fail(command, "there is one argument too many");
	if (!*word)
		usage_fail(command, "%s is empty", command->word);
	c->words[c->n_words++] = word;
	c->word = c->words[0];
}

void ctl_take_arguments(struct ctl *c, const struct ctl_command *command, int argc, char **argv)
{
	bool options_ended = false;

	c->words = arena_array(&c->arena, (size_t)argc + 1, sizeof(*c->words));
	for (int i = 0; i < argc; i++) {
		if (!str_is_text(str_of(argv[i])))
			usage_fail(command, "argument %d is not UTF-8 text", i + 1);
	}
	while (argc > 0) {
		if (!options_ended && strncmp(argv[0], "-", 1) == 0 && argv[0][1]) {
			options_ended = strcmp(argv[0], "--") == 0;
			if (!options_ended && take_option(c, command, &argc, &argv))
				continue;
			if (!options_ended)
				usage_fail(
					command, "%s takes no option %s", command->name, argv[0]);
		} else {
			take_word(c, command, argv[0]);
		}
		argc--;
		argv++;
	}
	check_words(c, command);
	check_options(c, command);
	check_choices(c, command);
}
