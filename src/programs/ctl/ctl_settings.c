/* planwrightctl settings: the settings in force, and where each comes from. */
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "programs/ctl/ctl.h"

/* A secret is never shown, only that it is missing; a default connection string contains none. */
static struct str value_of(struct ctl *c, size_t i)
{
	const struct conf_item *item = &c->conf.rows[i];
	const void *at = (const char *)&c->conf + item->offset;

	if (item->type == CONF_BOOL)
		return *(const bool *)at ? STR("on") : STR("off");
	if (item->type == CONF_INT)
		return arena_printf(&c->arena, "%lld", (long long)*(const int64_t *)at);
	const char *text = *(char *const *)at;
	if (item->type == CONF_SECRET && c->conf.sources[i])
		return STR("(not shown)");
	return text ? str_of(text) : STR("");
}

static void print_line(const char *name, struct str value, const char *source)
{
	printf("%s = %.*s  # %s\n", name, (int)value.n, value.p ? value.p : "", source);
}

static void put_json(struct json *j, const char *name, struct str value, const char *source)
{
	json_object(j);
	json_key(j, "name");
	json_z(j, name);
	json_key(j, "value");
	json_str(j, value);
	json_key(j, "source");
	json_z(j, source);
	json_object_end(j);
}

void ctl_settings(struct ctl *c)
{
	static const char *const not_needed[] = { "secret", NULL };
	char error[600];
	struct buf out = { 0 };
	struct json j;

	if (!conf_load(&c->conf, not_needed, error, sizeof(error)))
		ctl_fail(c, "%s", error);
	json_init(&j, &out);
	json_array(&j);
	for (size_t i = 0; i < c->conf.n_rows; i++) {
		const char *source = c->conf.sources[i] ? c->conf.sources[i] : "default";
		struct str value = value_of(c, i);
		if (c->options[CTL_JSON])
			put_json(&j, c->conf.rows[i].name, value, source);
		else
			print_line(c->conf.rows[i].name, value, source);
	}
	json_array_end(&j);
	if (c->options[CTL_JSON])
		printf("%.*s\n", (int)out.n, out.p);
	buf_free(&out);
}
