/* planwrightctl: accounts, people, passwords and tokens. */
#include <stdio.h>
#include <string.h>

#include "domain/account.h"
#include "domain/person.h"
#include "lib/when.h"
#include "model/model.h"
#include "programs/ctl/ctl_audit_entry.h"
#include "store/load.h"
#include "store/save.h"

struct ctl_person ctl_find_person(struct ctl *c, const char *login)
{
	struct rows *rows = ctl_query(c,
		"select id, username, token_sealed, name, disabled_at is not null, "
		"coalesce(email_claimed and lower(email) = lower($1), false) from person "
		"where lower(email) = lower($1) or lower(username) = lower($1) "
		"order by lower(email) = lower($1) desc limit 1",
		1, (struct db_param[]){ ctl_param(c, login) });

	if (db_count(rows) == 0)
		ctl_fail(c,
			"nobody has the email address or user name %s: add that person with planwrightctl person add",
			login);
	return (struct ctl_person){
		.id = db_get_int(rows, 0, 0),
		.username = arena_str(&c->arena, db_get_text(rows, 0, 1)),
		.sealed = db_is_null(rows, 0, 2) ? (struct str){ 0 }
						 : arena_str(&c->arena, db_get_text(rows, 0, 2)),
		.name = arena_str(&c->arena, db_get_text(rows, 0, 3)),
		.disabled = db_get_bool(rows, 0, 4),
		.is_claim = db_get_bool(rows, 0, 5),
	};
}

void ctl_fail_claim(struct ctl *c, const char *address, struct str name)
{
	ctl_fail(c,
		"%.*s gave the address %s to themselves, and nobody has confirmed it: name them by their user name or id, or confirm it with planwrightctl person rename --email",
		(int)name.n, name.p, address);
}

struct ctl_person ctl_find_recipient(struct ctl *c, const char *login)
{
	struct ctl_person person = ctl_find_person(c, login);

	if (person.is_claim)
		ctl_fail_claim(c, login, person.username);
	return person;
}

struct str ctl_new_token(struct ctl *c, int64_t person)
{
	struct str token = crypt_token(&c->arena);
	struct crypt_stored stored = crypt_store(&c->crypt, &c->arena, person, token);

	ctl_query(c,
		"update person set token_mac = $2, token_sealed = $3, updated_at = now() where id = $1",
		3,
		(struct db_param[]){
			db_int(&c->arena, person), db_bytes(stored.mac), db_bytes(stored.sealed) });
	return token;
}

void ctl_end_sessions(struct ctl *c, int64_t person)
{
	struct db_param id = db_int(&c->arena, person);
	ctl_query(c, stmt_texts[STMT_SESSIONS_OF_PERSON_END].sql, 1, &id);
}

/* A new password or address ends links that wait to be used. */
static void end_letters(struct ctl *c, int64_t person)
{
	const struct db_param params[] = { db_int(&c->arena, person),
		db_text(&c->arena, STR("now")) };

	ctl_query(c, stmt_texts[STMT_LETTERS_EXPIRE].sql, 2, params);
}

void ctl_set_password(struct ctl *c, int64_t person, struct str password)
{
	ctl_query(c, "update person set password_hash = $2, updated_at = now() where id = $1", 2,
		(struct db_param[]){ db_int(&c->arena, person),
			db_text(&c->arena, crypt_hash_password(&c->arena, password)) });
	ctl_end_sessions(c, person);
	end_letters(c, person);
	ctl_query(c, stmt_texts[STMT_SIGN_IN_PLACES_DELETE].sql, 1,
		(struct db_param[]){ db_int(&c->arena, person) });
	ctl_audit_entry_person(c, AUDIT_PASSWORD_CHANGE, person);
}

/* The same rules decide here as for requests, but in no project. */
struct work {
	struct ctl *c;
	struct scene scene;
	struct id_pool pools[ID_POOLS_MAX];
	struct member me;
	struct outcome out;
};

static struct rows *ask(struct ctl *c, enum stmt stmt, int n, const struct db_param *params)
{
	return ctl_query(c, stmt_texts[stmt].sql, n, params);
}

static void begin(struct work *w, struct ctl *c)
{
	struct rows *rows = ctl_query(c, "select now() as now", 0, NULL);

	*w = (struct work){ .c = c, .scene = { .arena = &c->arena } };
	w->scene.me = &w->me;
	w->scene.pools = w->pools;
	w->scene.now = c->at ? c->at : db_get_time(rows, 0, 0);
	outcome_init(&w->out, &w->scene, NULL);
}

/* An id for a new object. */
static void take_id(struct work *w, int at, const struct resource *of)
{
	struct arena *a = &w->c->arena;
	int64_t *id = arena_alloc(a, sizeof(*id));
	struct rows *rows = ask(w->c, STMT_NEW_IDS, 2,
		(struct db_param[]){ db_text(a, arena_printf(a, "%s_id_seq", of->table)),
			db_text(a, STR("1")) });

	*id = db_get_int(rows, 0, 0);
	w->scene.pools[at] = (struct id_pool){ .of = of, .ids = { id, 1 } };
}

static void save(struct work *w)
{
	struct save save = { .arena = &w->c->arena, .db = w->c->db };

	save_outcome(&save, &w->out);
	db_flush(w->c->db);
	if (save_take(&save))
		ctl_fail_db(w->c);
	ctl_audit_entry_outcome(w->c, &w->out);
}

/* Default user name and initials. */
static void look_for_names(struct work *w, const struct person_ref *ref)
{
	struct arena *a = &w->c->arena;
	struct rows *rows = ask(w->c, STMT_LOAD_USERNAMES, 3,
		(struct db_param[]){ db_text(a, person_base(a, ref->email)),
			db_text(a, person_letters(a, ref->name)), db_text(a, ref->email) });

	struct load l = { .arena = a, .scene = &w->scene };
	if (db_get_bool(rows, 0, db_column(rows, "known")))
		ctl_fail(w->c,
			"person add: another person has this email address: give another one");
	load_take_names(&l, rows);
}

const struct person *ctl_new_person(
	struct ctl *c, const struct person_ref *ref, const char *username)
{
	struct work w;

	begin(&w, c);
	look_for_names(&w, ref);
	take_id(&w, 0, &res_person);
	const struct person *person =
		person_make(&w.out, ref, username ? str_of(username) : (struct str){ 0 });
	save(&w);
	ctl_query(c, "update person set username_claimed = false where id = $1", 1,
		(struct db_param[]){ db_int(&c->arena, person->id) });
	return person;
}

const struct account *ctl_new_account(struct ctl *c, const char *name, int64_t owner)
{
	struct work w;

	begin(&w, c);
	take_id(&w, 0, &res_account);
	take_id(&w, 1, &res_account_membership);
	const struct account *account = account_make(&w.out, str_of(name), owner);
	save(&w);
	return account;
}

/* ------------------------------------------------------------------------- */

void ctl_account_add(struct ctl *c)
{
	struct ctl_person owner = ctl_find_recipient(c, c->options[CTL_OWNER]);

	if (str_is_blank(str_of(c->word)))
		ctl_fail_usage(c, "the name of an account cannot be blank: give it one");
	const struct account *account = ctl_new_account(c, c->word, owner.id);
	ctl_commit(c);
	printf("added account %lld, which belongs to %s\n", (long long)account->id,
		owner.username.p);
}

/* Checks that the schema leaves to the programs. */
static void check_person(struct ctl *c)
{
	const char *email = c->options[CTL_EMAIL], *username = c->options[CTL_USERNAME],
		   *name = c->options[CTL_NAME];

	if (email && !person_is_address(str_of(email)))
		ctl_fail_usage(
			c, "%s is not a valid email address: give one like ada@example.com", email);
	if (username && !person_is_username(str_of(username)))
		ctl_fail_usage(
			c, "a user name cannot contain spaces, @ or colons: give another one");
	if (name && str_is_blank(str_of(name)))
		ctl_fail_usage(c, "the name of a person cannot be blank: give it one");
}

bool ctl_is_zone(struct ctl *c, const char *zone)
{
	struct db_param param = ctl_param(c, zone);

	return when_is_zone_name(str_of(zone)) &&
		db_get_bool(ask(c, STMT_ZONE_EXISTS, 1, &param), 0, 0);
}

static const struct person *add_person(struct ctl *c)
{
	const char *initials = c->options[CTL_INITIALS];
	const struct person_ref ref = { .id = NIL,
		.email = str_of(c->options[CTL_EMAIL]),
		.name = str_of(c->options[CTL_NAME]),
		.initials = initials ? str_of(initials) : (struct str){ 0 } };

	return ctl_new_person(c, &ref, c->options[CTL_USERNAME]);
}

static void invite(struct ctl *c, int64_t person)
{
	const struct db_param params[] = { db_int(&c->arena, person), db_null() };

	ask(c, STMT_LETTER_INVITE, 2, params);
}

void ctl_person_add(struct ctl *c)
{
	const char *zone = c->options[CTL_TIME_ZONE];
	struct str password = { 0 };

	check_person(c);
	if (c->options[CTL_INVITE] && !conf_has_mail(&c->conf))
		ctl_fail(c,
			"person add: email is off: set smtp_url and mail_from, or leave out "
			"--invite");
	if (c->options[CTL_PASSWORD_FILE])
		password = ctl_read_password(c);
	if (zone && !ctl_is_zone(c, zone))
		ctl_fail_usage(c,
			"%s is not a time zone of the tz database: give one like Europe/Vienna",
			zone);
	const struct person *person = add_person(c);
	if (zone)
		ctl_query(c, "update person set time_zone = $2 where id = $1", 2,
			(struct db_param[]){ db_int(&c->arena, person->id), ctl_param(c, zone) });
	if (password.p)
		ctl_set_password(c, person->id, password);
	ctl_new_token(c, person->id);
	if (c->options[CTL_INVITE])
		invite(c, person->id);
	ctl_commit(c);
	printf("added person %lld: planwrightctl token show %.*s prints the API token\n",
		(long long)person->id, (int)person->username.n, person->username.p);
}

/* Email address and user name, for the audit log. */
static struct str address_of(struct ctl *c, const struct rows *rows)
{
	struct person *p = object_new(&c->arena, &res_person);

	p->email = db_is_null(rows, 0, 0) ? (struct str){ 0 } : db_get_text(rows, 0, 0);
	p->username = db_get_text(rows, 0, 1);
	return audit_values(&c->arena, &res_person, p);
}

static void tell_rename(struct ctl *c, const struct ctl_person *person, struct str old,
	struct str new, bool confirms)
{
	struct audit_entry e = audit_entry_of_person(AUDIT_ADDRESS_CHANGE, person->id);

	e.old = old;
	e.new = new;
	if (confirms || !str_equal(old, new))
		ctl_audit_entry(c, &e);
}

/* What the person gave to themselves is confirmed by the operator who gives it. */
static bool confirm_names(struct ctl *c, int64_t person)
{
	const struct db_param params[] = { db_int(&c->arena, person),
		db_bool(&c->arena, c->options[CTL_EMAIL] != NULL),
		db_bool(&c->arena, c->options[CTL_USERNAME] != NULL) };

	if (c->options[CTL_EMAIL])
		end_letters(c, person);
	return db_count(ctl_query(c,
		"update person set email_claimed = email_claimed and not $2, "
		"username_claimed = username_claimed and not $3 "
		"where id = $1 and (email_claimed and $2 or username_claimed and $3) returning id",
		3, params));
}

void ctl_person_rename(struct ctl *c)
{
	static const enum ctl_option words[] = { CTL_NAME, CTL_EMAIL, CTL_USERNAME, CTL_INITIALS };
	struct db_param params[5];
	bool any = false;

	check_person(c);
	for (int i = 0; i < 4; i++) {
		const char *word = c->options[words[i]];
		params[i + 1] = word ? ctl_param(c, word) : db_null();
		any = any || word;
	}
	if (!any)
		ctl_fail_usage(c,
			"person rename: say what to change, with --name, --email, --username or "
			"--initials");
	struct ctl_person person = ctl_find_person(c, c->word);
	params[0] = db_int(&c->arena, person.id);
	const char *old = "select email, username from person where id = $1";
	struct str before = address_of(c, ctl_query(c, old, 1, params));
	ctl_query(c,
		"update person set name = coalesce($2, name), email = coalesce($3, email), "
		"username = coalesce($4, username), initials = coalesce($5, initials), "
		"updated_at = now() where id = $1",
		5, params);
	bool confirms = confirm_names(c, person.id);
	tell_rename(c, &person, before, address_of(c, ctl_query(c, old, 1, params)), confirms);
	ctl_commit(c);
	printf("changed %s: see planwrightctl person show\n", person.username.p);
}

void ctl_passwd(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);

	ctl_commit(c);
	ctl_set_password(c, person.id, ctl_read_password(c));
	ctl_commit(c);
	printf("the password of %s is changed\n", person.username.p);
}

/* A disabled person keeps the existing token. */
static struct ctl_person find_enabled(struct ctl *c)
{
	struct ctl_person person = ctl_find_person(c, c->word);

	if (person.disabled)
		ctl_fail(c, "%s is disabled: planwrightctl person enable lets them sign in again",
			person.username.p);
	return person;
}

void ctl_token_show(struct ctl *c)
{
	struct ctl_person person = find_enabled(c);
	struct str token = person.sealed.p
		? crypt_open(&c->crypt, &c->arena, person.id, person.sealed)
		: ctl_new_token(c, person.id);

	if (!person.sealed.p)
		ctl_audit_entry_person(c, AUDIT_API_TOKEN, person.id);
	ctl_commit(c);
	if (!token.p)
		ctl_fail(c,
			"the token of %s was encrypted with another secret: set that secret "
			"again, or create a new token with planwrightctl token rotate",
			person.username.p);
	printf("%.*s\n", (int)token.n, token.p);
}

void ctl_token_rotate(struct ctl *c)
{
	struct ctl_person person = find_enabled(c);

	ctl_new_token(c, person.id);
	ctl_end_sessions(c, person.id);
	ctl_audit_entry_person(c, AUDIT_API_TOKEN, person.id);
	ctl_commit(c);
	printf("%s has a new token, and all sessions were ended: planwrightctl token show prints it\n",
		person.username.p);
}
