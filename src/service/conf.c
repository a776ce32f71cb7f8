#include "service/conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "lib/str.h"
#include "lib/unconst.h"
#include "service/conf_file.h"

#ifndef SYSCONFDIR
#define SYSCONFDIR "/etc"
#endif

#define ENV_PREFIX "PLANWRIGHT_"

enum { MAX_NAME_BYTES = 40, MAX_WHERE_BYTES = 300 };

/* The value of one item, and where it was set: the last place wins. */
struct found {
	char *value;
	bool in_file; /* it is in the configuration file */
	bool is_path; /* value names the file that contains the value */
	char where[MAX_WHERE_BYTES];
};

struct loader {
	const char *path; /* of the configuration file */
	char *error;
	size_t size;
	int lack; /* errno: what the program ran out of */
	char *secret_file;
	const char *const *optional, *const *unwanted;
	const struct conf_item *rows; /* those of the configuration */
	size_t n_rows;
	struct found found[CONF_ROWS_MAX];
};

static bool fail(struct loader *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(struct loader *l, const char *format, ...)
{
	va_list args;

	if (errno == ENOMEM || errno == EMFILE || errno == ENFILE || errno == EIO)
		l->lack = errno;
	va_start(args, format);
	vsnprintf(l->error, l->size, format, args);
	va_end(args);
	return false;
}

static char *copy(struct loader *l, struct str s)
{
	char *z = strndup(s.p, s.n);

	if (!z)
		fail(l, "out of memory while reading the settings");
	return z;
}

static bool is_path_name(struct str *name)
{
	static const struct str suffix = { "_file", 5 };

	if (name->n <= suffix.n ||
		!str_equal((struct str){ name->p + name->n - suffix.n, suffix.n }, suffix))
		return false;
	name->n -= suffix.n;
	return true;
}

static int find_item(const struct loader *l, struct str name)
{
	for (int i = 0; i < (int)l->n_rows; i++) {
		if (str_equal_z(name, l->rows[i].name))
			return i;
	}
	return -1;
}

/* The index of the item that a name in the file refers to, or -1. */
static int find_name(const struct loader *l, struct str name, bool *is_path)
{
	int i = find_item(l, name);

	*is_path = false;
	if (i < 0 && is_path_name(&name)) {
		*is_path = true;
		i = find_item(l, name);
		if (i >= 0 && l->rows[i].type != CONF_SECRET)
			i = -1;
	}
	return i;
}

/* A line without a setting may be a piece of a secret: only a plain name is shown. */
static bool can_show(struct str name)
{
	if (name.n == 0 || name.n > MAX_NAME_BYTES)
		return false;
	for (size_t i = 0; i < name.n; i++) {
		if (!((name.p[i] >= 'a' && name.p[i] <= 'z') || name.p[i] == '_'))
			return false;
	}
	return true;
}

static bool take_line(struct loader *l, struct str line, int number)
{
	struct str value = line;
	struct str name = str_trim(str_cut(&value, '='));
	bool is_path;

	if (!value.p)
		return fail(l, "%s line %d: write it as `name = value`, or begin a comment with #",
			l->path, number);
	value = str_trim(value);
	int i = find_name(l, name, &is_path);
	if (i < 0 && can_show(name))
		return fail(l, "%s line %d: there is no setting %.*s; see planwright.conf(5)",
			l->path, number, (int)name.n, name.p);
	if (i < 0)
		return fail(l,
			"%s line %d: there is no setting with this name; see planwright.conf(5)",
			l->path, number);
	struct found *f = &l->found[i];
	if (f->value)
		return fail(l, "%s line %d: %s is already set in %s; remove one of them", l->path,
			number, l->rows[i].name, f->where);
	if (value.n == 0)
		return fail(l, "%s line %d: %.*s is empty; give it a value or remove the line",
			l->path, number, (int)name.n, name.p);
	f->is_path = is_path;
	f->in_file = true;
	snprintf(f->where, sizeof(f->where), "%s line %d", l->path, number);
	f->value = copy(l, value);
	return f->value != NULL;
}

const char *conf_path(void)
{
	const char *named = getenv(ENV_PREFIX "CONF");

	return named && *named ? named : SYSCONFDIR "/planwright.conf";
}

struct env_name {
	char text[sizeof(ENV_PREFIX) + MAX_NAME_BYTES];
};

/* PLANWRIGHT_<NAME><suffix> */
static struct env_name env_name_of(const char *name, const char *suffix)
{
	struct env_name env;
	snprintf(env.text, sizeof(env.text), ENV_PREFIX "%s%s", name, suffix);
	for (char *c = env.text; *c; c++) {
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	}
	return env;
}

/* An empty variable counts as none. */
static const char *find_env(struct env_name env)
{
	const char *value = getenv(env.text);

	return value && *value ? value : NULL;
}

/* The rows of providers follow from their names, which may come later in the file. */
static bool add_providers(struct loader *l, struct conf *c, struct str text)
{
	const char *names = find_env(env_name_of("oidc_providers", ""));
	struct str list = str_of(names), value, line;

	while (!names && text.p) {
		value = line = str_cut(&text, '\n');
		if (str_equal_z(str_trim(str_cut(&value, '=')), "oidc_providers") && value.p)
			list = str_trim(value);
	}
	memcpy(c->rows, conf_items, conf_items_count * sizeof *c->rows);
	c->n_rows = conf_items_count;
	const char *problem =
		conf_oidc_rows(&c->oidc, list, offsetof(struct conf, oidc), c->rows, &c->n_rows);
	l->n_rows = c->n_rows;
	return !problem || fail(l, "%s: oidc_providers %s", l->path, problem);
}

static bool take_text(struct loader *l, struct str rest)
{
	bool result = true;
	int number = 0;

	while (result && rest.p) {
		struct str line = str_trim(str_cut(&rest, '\n'));

		number++;
		if (line.n > 0 && line.p[0] != '#')
			result = take_line(l, line, number);
	}
	return result;
}

static bool take_lines(struct loader *l, struct conf *c)
{
	const char *named = getenv(ENV_PREFIX "CONF");

	l->path = conf_path();
	char *text = conf_file_read(l->path);
	if (!text && (errno != ENOENT || l->path == named))
		return fail(l, "%s cannot be read: %s; %s", l->path, conf_file_reason(errno),
			l->path == named ? "correct " ENV_PREFIX "CONF or the file"
					 : "let this user read it, or name another in " ENV_PREFIX
					   "CONF");
	bool result = add_providers(l, c, str_of(text)) && (!text || take_text(l, str_of(text)));
	conf_file_forget(text);
	return result;
}

static bool take_environment(struct loader *l, size_t i)
{
	const struct conf_item *item = &l->rows[i];
	struct found *f = &l->found[i];
	struct env_name env = env_name_of(item->name, ""),
			env_file = env_name_of(item->name, "_FILE");
	const char *value = find_env(env);
	const char *path = item->type == CONF_SECRET ? find_env(env_file) : NULL;

	if (value && path)
		return fail(l, "environment: %s and %s are both set; unset one", env.text,
			env_file.text);
	if (!value && !path)
		return true;
	free(f->value);
	f->is_path = path != NULL;
	f->in_file = false;
	snprintf(f->where, sizeof(f->where), "environment %s", path ? env_file.text : env.text);
	f->value = copy(l, str_of(value ? value : path));
	return f->value != NULL;
}

/* A file that a secret came from; the last slot stays null. */
static bool note_file(struct loader *l, struct conf *c, const char *path)
{
	int i = 0;

	while (c->secret_files[i] && strcmp(c->secret_files[i], path) != 0)
		i++;
	if (c->secret_files[i] || i == CONF_SECRET_FILES_MAX - 1)
		return true;
	c->secret_files[i] = copy(l, str_of(path));
	return c->secret_files[i] != NULL;
}

static bool is_item(const struct loader *l, size_t i, const char *name)
{
	return strcmp(l->rows[i].name, name) == 0;
}

/* A connection string is a secret when it has a password in it. */
static bool tells_secret(const struct loader *l, size_t i, const char *value)
{
	bool connects = is_item(l, i, "database") || is_item(l, i, "database_reads") ||
		is_item(l, i, "direct_database") || is_item(l, i, "owner_database");

	return l->rows[i].type == CONF_SECRET && *value &&
		(!connects || strstr(value, "password") || strstr(value, "://"));
}

static bool is_named(const char *name, const char *const *list)
{
	for (; list && *list; list++) {
		if (strcmp(*list, name) == 0)
			return true;
	}
	return false;
}

/* Replaces the name of a file by the file's content. */
static bool follow_path(struct loader *l, size_t i, struct conf *c)
{
	struct found *f = &l->found[i];

	if (is_named(l->rows[i].name, l->unwanted))
		return true;
	if (!f->is_path)
		return !f->in_file || !tells_secret(l, i, f->value) || note_file(l, c, l->path);
	if (!note_file(l, c, f->value))
		return false;
	char *text = conf_file_read(f->value);
	if (!text)
		/* Without the path: somebody may have put the secret itself there. */
		return fail(l,
			"%s: the file for %s cannot be read: %s; correct the path, or let this user read it",
			f->where, l->rows[i].name, conf_file_reason(errno));
	if (is_item(l, i, "secret"))
		l->secret_file = f->value;
	else
		free(f->value);
	f->value = text;
	size_t n = strlen(text);
	if (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	if (n > 0 && text[n - 1] == '\r')
		text[--n] = '\0';
	return true;
}

static bool store_text(struct loader *l, const struct conf_item *item, struct conf *c,
	const char *value, const char *where)
{
	size_t length = str_count_chars(str_of(value));

	if (item->type == CONF_SECRET && length < (size_t)item->min)
		return fail(l,
			"%s: %s needs at least %lld characters and has %zu; use a longer one",
			where, item->name, (long long)item->min, length);
	const char *problem = conf_check_text(item->name, value);
	if (problem)
		return fail(l, "%s: %s %s", where, item->name, problem);
	char *text = copy(l, str_of(value));
	if (text && strcmp(item->name, "base_url") == 0)
		conf_check_origin(text);
	*(char **)((char *)c + item->offset) = text;
	return text != NULL;
}

static bool store(struct loader *l, size_t i, struct conf *c)
{
	const struct conf_item *item = &l->rows[i];
	const struct found *f = &l->found[i];
	const char *value = f->value ? f->value : item->preset;
	void *to = (char *)c + item->offset;

	if (is_named(item->name, l->unwanted) || (!value && is_named(item->name, l->optional)))
		return true;
	if (!value)
		return fail(l, "%s: %s is not set; add it there, or set %s or %s", l->path,
			item->name, env_name_of(item->name, "").text,
			env_name_of(item->name, "_FILE").text);
	if (item->type == CONF_BOOL) {
		return conf_check_bool(str_of(value), to) ||
			fail(l, "%s: %s must be on or off; correct it", f->where, item->name);
	}
	if (item->type == CONF_INT) {
		int64_t *number = to;
		if (str_to_int(str_of(value), number) && *number >= item->min &&
			*number <= item->max)
			return true;
		return fail(l, "%s: %s must be a whole number from %lld to %lld; correct it",
			f->where, item->name, (long long)item->min, (long long)item->max);
	}
	return store_text(l, item, c, value, f->where);
}

static bool note_source(struct loader *l, size_t i, struct conf *c)
{
	if (l->found[i].value)
		c->sources[i] = copy(l, str_of(l->found[i].where));
	return !l->found[i].value || c->sources[i];
}

/* Checks what an object store needs besides the setting files. */
static bool check_store(struct loader *l, const struct conf *c)
{
	const struct {
		const char *name, *value; /* null: unwanted */
	} needed[] = { { "s3_endpoint", c->s3_endpoint }, { "s3_access_key", c->s3_access_key },
		{ "s3_secret_key", c->s3_secret_key } };

	if (is_named("files", l->unwanted) || !conf_has_store(c))
		return true;
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (needed[i].value && !*needed[i].value)
			return fail(l,
				"%s: files names an object store, and %s is not set; set it, or name a folder",
				l->path, needed[i].name);
	if (*c->send_files && strcmp(c->send_files, "nginx") != 0)
		return fail(l,
			"%s: only nginx can send files from an object store; remove send_files, "
			"or name a folder in files",
			l->path);
	return true;
}

/* An address, or a path of this server's web server. */
static bool check_sign_out(struct loader *l, const struct conf *c)
{
	const char *z = c->remote_user_sign_out;
	bool is_one = !*z || !strncmp(z, "https://", 8) || !strncmp(z, "http://", 7) ||
		(z[0] == '/' && z[1] != '/');

	for (const char *at = z; *at; at++)
		is_one = is_one && *at > ' ' && *at <= '~' && *at != '\\';
	return is_one ||
		fail(l, "%s: remote_user_sign_out is neither an address https://… nor a path /…; correct it",
			l->path);
}

static bool check_providers(struct loader *l, const struct conf *c)
{
	struct conf_oidc_problem p;

	return is_named("oidc_providers", l->unwanted) || !conf_oidc_check(&c->oidc, &p) ||
		fail(l, "%s: oidc_%s_%s %s", l->path, p.provider, p.setting, p.text);
}

static bool load(struct loader *l, struct conf *c)
{
	*c = (struct conf){ 0 };
	l->rows = c->rows;
	errno = 0;
	bool result = take_lines(l, c);
	for (size_t i = 0; result && i < l->n_rows; i++)
		result = take_environment(l, i) && follow_path(l, i, c) && store(l, i, c) &&
			note_source(l, i, c);
	result = result && check_store(l, c) && check_sign_out(l, c) && check_providers(l, c);
	for (size_t i = 0; i < l->n_rows; i++)
		conf_file_forget(l->found[i].value);
	c->secret_file = l->secret_file;
	if (!result)
		conf_free(c);
	errno = l->lack;
	return result;
}

bool conf_load(struct conf *c, const char *const *optional, char *error, size_t size)
{
	struct loader l = { .error = error, .size = size, .optional = optional };

	return load(&l, c);
}

bool conf_load_without(struct conf *c, const char *const *unwanted, char *error, size_t size)
{
	struct loader l = { .error = error, .size = size, .unwanted = unwanted };

	return load(&l, c);
}

void conf_die(const char *problem)
{
	if (errno)
		log_die("%s", problem);
	log_die_config("%s", problem);
}

void conf_free(struct conf *c)
{
	for (size_t i = 0; i < conf_items_count; i++) {
		const struct conf_item *item = &conf_items[i];
		if (item->type == CONF_TEXT || item->type == CONF_SECRET)
			free(*(char **)((char *)c + item->offset));
	}
	free(c->secret_file);
	conf_oidc_free(&c->oidc);
	for (size_t i = conf_items_count; i < c->n_rows; i++)
		free(unconst(c->rows[i].name));
	for (int i = 0; i < CONF_ROWS_MAX; i++)
		free(c->sources[i]);
	for (int i = 0; i < CONF_SECRET_FILES_MAX; i++)
		free(c->secret_files[i]);
	*c = (struct conf){ 0 };
}

bool conf_is_store(const char *files)
{
	return strncmp(files, CONF_STORE_MARK, sizeof CONF_STORE_MARK - 1) == 0;
}

bool conf_has_store(const struct conf *c)
{
	return conf_is_store(c->files);
}

bool conf_has_mail(const struct conf *c)
{
	return *c->smtp_url && *c->mail_from;
}

bool conf_adds_only_seen(const struct conf *c)
{
	return strcmp(c->add_people_by_id, "seen") == 0;
}

const char *conf_live(const struct conf *c)
{
	return !c->live || strcmp(c->live, "off") == 0 ? NULL : c->live;
}

bool conf_requires_factor(const struct conf *c)
{
	return strcmp(c->second_factor, "required") == 0;
}
