/* planwrightctl: accounts, people, passwords and tokens. */
#include <stdio.h>
#include <string.h>

#include "programs/ctl/ctl.h"

struct person {
	int64_t id;
	struct str username;
	struct str sealed; /* the token; absent: none */
};

/* The person of an e-mail address or user name; an address counts first. */
static struct person find_person(struct ctl *c, const char *login)
{
	struct rows *rows = ctl_query(c,
		"select id, username, token_sealed from person "
		"where lower(email) = lower($1) or lower(username) = lower($1) "
		"order by lower(email) = lower($1) desc limit 1",
		1, (struct db_param[]){ ctl_param(c, login) });

	if (db_count(rows) == 0) {
		ctl_commit(c);
		ctl_fail(c,
			"nobody has the e-mail address or user name %s: add that person with "
			"planwrightctl person add",
			login);
	}
	return (struct person){
		.id = db_get_int(rows, 0, 0),
		.username = arena_str(&c->arena, db_get_text(rows, 0, 1)),
		.sealed = db_is_null(rows, 0, 2) ? (struct str){ 0 }
						 : arena_str(&c->arena, db_get_text(rows, 0, 2)),
	};
}

struct str ctl_new_token(struct ctl *c, int64_t person)
{
	struct str token = crypt_token(&c->arena);

	ctl_query(c,
		"update person set token_mac = $2, token_sealed = $3, updated_at = clock() where id = $1",
		3,
		(struct db_param[]){ db_int(&c->arena, person),
			db_bytes(crypt_mac(&c->crypt, &c->arena, token)),
			db_bytes(crypt_seal(&c->crypt, &c->arena, person, token)) });
	return token;
}

void ctl_set_password(struct ctl *c, int64_t person, struct str password)
{
	ctl_query(c, "update person set password_hash = $2, updated_at = clock() where id = $1", 2,
		(struct db_param[]){ db_int(&c->arena, person),
			db_text(&c->arena, crypt_hash_password(&c->arena, password)) });
}

/* ------------------------------------------------------------------------- */

void ctl_account_add(struct ctl *c)
{
	struct person owner = find_person(c, c->options[CTL_OWNER]);

	if (str_is_blank(str_of(c->word)))
		ctl_fail(c, "the name of an account cannot be blank: give it one");
	struct rows *rows = ctl_query(c, "select account_create($1, $2)", 2,
		(struct db_param[]){ ctl_param(c, c->word), db_int(&c->arena, owner.id) });
	int64_t id = db_get_int(rows, 0, 0);
	ctl_commit(c);
	printf("account %lld is added; it belongs to %s\n", (long long)id, owner.username.p);
}

static bool is_word_without(const char *z, char forbidden)
{
	for (; *z; z++) {
		if (*z <= ' ' || *z == 0x7f || *z == forbidden)
			return false;
	}
	return true;
}

/* What the schema leaves to the programs. */
static void check_person(struct ctl *c)
{
	const char *email = c->options[CTL_EMAIL];
	const char *at = strchr(email, '@');
	const char *username = c->options[CTL_USERNAME];

	if (!at || at == email || !at[1] || strchr(at + 1, '@') || !is_word_without(email, ','))
		ctl_fail(c, "%s is not a valid e-mail address: give one like ada@example.com",
			email);
	if (username && !is_word_without(username, '@'))
		ctl_fail(c, "a user name holds no spaces and no @: give another one");
	if (str_is_blank(str_of(c->options[CTL_NAME])))
		ctl_fail(c, "the name of a person cannot be blank: give it one");
}

void ctl_person_add(struct ctl *c)
{
	const char *zone = c->options[CTL_TIME_ZONE];
	struct str password = { 0 };

	check_person(c);
	if (c->options[CTL_PASSWORD_FILE])
		password = ctl_read_password(c);
	struct rows *rows = ctl_query(c, "select person_create($1, $2, $3, $4)", 4,
		(struct db_param[]){ ctl_param(c, c->options[CTL_NAME]),
			ctl_param(c, c->options[CTL_INITIALS]),
			ctl_param(c, c->options[CTL_USERNAME]),
			ctl_param(c, c->options[CTL_EMAIL]) });
	int64_t id = db_get_int(rows, 0, 0);
	if (zone)
		ctl_query(c,
			"update person set time_zone = zone_of(to_jsonb($2::text)) where id = $1",
			2, (struct db_param[]){ db_int(&c->arena, id), ctl_param(c, zone) });
	if (password.p)
		ctl_set_password(c, id, password);
	ctl_new_token(c, id);
	rows = ctl_query(c, "select username from person where id = $1", 1,
		(struct db_param[]){ db_int(&c->arena, id) });
	struct str username = arena_str(&c->arena, db_get_text(rows, 0, 0));
	ctl_commit(c);
	printf("person %lld is added: planwrightctl token show %s prints the API token\n",
		(long long)id, username.p);
}

void ctl_passwd(struct ctl *c)
{
	struct person person = find_person(c, c->word);

	ctl_commit(c);
	ctl_set_password(c, person.id, ctl_read_password(c));
	ctl_commit(c);
	printf("the password of %s is changed\n", person.username.p);
}

void ctl_token_show(struct ctl *c)
{
	struct person person = find_person(c, c->word);
	struct str token = person.sealed.p
		? crypt_open(&c->crypt, &c->arena, person.id, person.sealed)
		: ctl_new_token(c, person.id);

	ctl_commit(c);
	if (!token.p)
		ctl_fail(c,
			"the token of %s was made with another secret: set that secret again, or "
			"make a new token with planwrightctl token rotate",
			person.username.p);
	printf("%.*s\n", (int)token.n, token.p);
}

void ctl_token_rotate(struct ctl *c)
{
	struct person person = find_person(c, c->word);

	ctl_new_token(c, person.id);
	ctl_commit(c);
	printf("%s has a new token: planwrightctl token show prints it\n", person.username.p);
}
