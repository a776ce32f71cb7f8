/* planwrightctl completion: scripts for shells, generated from the table of commands. */
#include <stdio.h>
#include <string.h>

#include "programs/ctl/ctl.h"

/* The part of a command's name before the space; the whole name if there is none. */
static int first_length(const struct ctl_command *command)
{
	return (int)strcspn(command->name, " ");
}

/* Its name within its group; null if it is in none. */
static const char *second_word(const struct ctl_command *command)
{
	const char *blank = strchr(command->name, ' ');

	return blank ? blank + 1 : NULL;
}

/* Whether an earlier row has the same first word. */
static bool is_repeated(const struct ctl_command *command)
{
	int n = first_length(command);

	for (const struct ctl_command *c = ctl_commands; c < command; c++) {
		if (first_length(c) == n && memcmp(c->name, command->name, (size_t)n) == 0)
			return true;
	}
	return false;
}

static bool is_same_group(const struct ctl_command *a, const struct ctl_command *b)
{
	int n = first_length(a);

	return first_length(b) == n && memcmp(a->name, b->name, (size_t)n) == 0;
}

/* What may follow a group's name: its commands, separated by spaces. */
static void print_seconds(const struct ctl_command *of)
{
	for (size_t i = 0; i < ctl_commands_count; i++) {
		if (is_same_group(of, &ctl_commands[i]))
			printf("%s ", second_word(&ctl_commands[i]));
	}
}

static void print_firsts(void)
{
	for (size_t i = 0; i < ctl_commands_count; i++) {
		if (!is_repeated(&ctl_commands[i]))
			printf("%.*s ", first_length(&ctl_commands[i]), ctl_commands[i].name);
	}
	printf("help");
}

/* Prints "a|b|c" as words; other arguments complete as file names. */
static void print_choices(const struct ctl_command *command)
{
	if (!command->word || !strchr(command->word, '|'))
		return;
	for (const char *p = command->word; *p; p++)
		putchar(*p == '|' ? ' ' : *p);
	putchar(' ');
}

static void print_options(const struct ctl_command *command)
{
	print_choices(command);
	for (int i = 0; i < CTL_OPTION__MAX; i++) {
		if ((command->needs | command->takes) & TAKES(i))
			printf("%s ", ctl_options[i].name);
	}
	printf("--help");
}

/* bash and zsh: what to offer after which words; the caller sets $first and $second. */
static void print_cases(void)
{
	printf("\tcase \"$first $second\" in\n");
	for (size_t i = 0; i < ctl_commands_count; i++) {
		const struct ctl_command *c = &ctl_commands[i];
		printf(second_word(c) ? "\t\"%s\")" : "\t\"%s \"*)", c->name);
		printf(" offer='");
		print_options(c);
		printf("' ;;\n");
	}
	printf("\tesac\n");
	printf("\tif [ \"$place\" -eq 2 ]; then\n\t\tcase $first in\n");
	for (size_t i = 0; i < ctl_commands_count; i++) {
		const struct ctl_command *c = &ctl_commands[i];
		if (is_repeated(c) || !second_word(c))
			continue;
		printf("\t\t%.*s) offer='", first_length(c), c->name);
		print_seconds(c);
		printf("' ;;\n");
	}
	printf("\t\thelp) offer='");
	print_firsts();
	printf("' ;;\n\t\tesac\n\tfi\n\tif [ \"$place\" -eq 1 ]; then offer='");
	print_firsts();
	printf(" --version'; fi\n");
}

static void print_bash(void)
{
	printf("# bash completion of planwrightctl: source it, or put it into the folder\n"
	       "# /usr/share/bash-completion/completions as planwrightctl.\n"
	       "_planwrightctl() {\n"
	       "\tlocal place=$COMP_CWORD first=${COMP_WORDS[1]} second=${COMP_WORDS[2]} offer=\n");
	print_cases();
	printf("\tmapfile -t COMPREPLY < <(compgen -W \"$offer\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
	       "}\n"
	       "complete -o default -F _planwrightctl planwrightctl\n");
}

static void print_zsh(void)
{
	printf("#compdef planwrightctl\n"
	       "# zsh completion of planwrightctl: put it into a folder of $fpath as _planwrightctl.\n"
	       "_planwrightctl() {\n"
	       "\tlocal place=$((CURRENT - 1)) first=${words[2]} second=${words[3]} offer=\n");
	print_cases();
	printf("\tcompadd -- ${=offer}\n"
	       "\tcase $offer in '' | --*) _files ;; esac\n"
	       "}\n"
	       "if [ \"$funcstack[1]\" = _planwrightctl ]; then\n"
	       "\t_planwrightctl \"$@\"\nelse\n\tcompdef _planwrightctl planwrightctl\nfi\n");
}

/* A text between single quotes. */
static void print_quoted(const char *z)
{
	putchar('\'');
	for (; *z; z++) {
		if (*z == '\'' || *z == '\\')
			putchar('\\');
		putchar(*z);
	}
	putchar('\'');
}

/* The condition under which a command's options are offered. */
static void print_fish_condition(const struct ctl_command *c)
{
	printf("complete -c planwrightctl -n '__fish_seen_subcommand_from %.*s", first_length(c),
		c->name);
	if (second_word(c))
		printf("; and __fish_seen_subcommand_from %s", second_word(c));
	printf("'");
}

static void print_fish_command(const struct ctl_command *c)
{
	if (second_word(c)) {
		printf("complete -c planwrightctl -f -n '__fish_seen_subcommand_from %.*s; "
		       "and not __fish_seen_subcommand_from ",
			first_length(c), c->name);
		print_seconds(c);
		printf("' -a %s -d ", second_word(c));
		print_quoted(c->help);
		putchar('\n');
	}
	if (c->word && strchr(c->word, '|')) {
		print_fish_condition(c);
		printf(" -f -a '");
		print_choices(c);
		printf("'\n");
	}
	for (int i = 0; i < CTL_OPTION__MAX; i++) {
		if (!((c->needs | c->takes) & TAKES(i)))
			continue;
		print_fish_condition(c);
		printf(" -l %s%s\n", ctl_options[i].name + 2, ctl_options[i].value ? " -r" : "");
	}
}

static void print_fish(void)
{
	printf("# fish completion of planwrightctl: put it into ~/.config/fish/completions as\n"
	       "# planwrightctl.fish.\n");
	for (size_t i = 0; i < ctl_commands_count; i++) {
		const struct ctl_command *c = &ctl_commands[i];
		if (!is_repeated(c)) {
			printf("complete -c planwrightctl -f -n __fish_use_subcommand -a %.*s",
				first_length(c), c->name);
			if (!second_word(c)) {
				printf(" -d ");
				print_quoted(c->help);
			}
			putchar('\n');
		}
		print_fish_command(c);
	}
	printf("complete -c planwrightctl -f -n __fish_use_subcommand -a help\n"
	       "complete -c planwrightctl -f -n '__fish_seen_subcommand_from help' -a '");
	print_firsts();
	printf("'\n");
}

void ctl_completion(struct ctl *c)
{
	static const struct {
		const char *shell;
		void (*print)(void);
	} shells[] = { { "bash", print_bash }, { "zsh", print_zsh }, { "fish", print_fish } };

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(c->word, shells[i].shell) == 0) {
			shells[i].print();
			return;
		}
	}
	ctl_fail(c, "completion: %s is not bash, zsh or fish", c->word);
}
