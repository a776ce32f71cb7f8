#include "domain/person.h"

#include <string.h>

#include "domain/naming.h"
#include "model/model.h"

/* Words ------------------------------------------------------------------------------ */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Visible characters only, without one that would end the word in a list or a credential. */
static bool is_word(struct str s, char forbidden)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f || s.p[i] == forbidden)
			return false;
	return s.n > 0;
}

/* İ (U+0130) and the Kelvin sign (U+212A). */
static bool has_letter_like_ascii(struct str s)
{
	return s.n > 0 && (memmem(s.p, s.n, "\xc4\xb0", 2) || memmem(s.p, s.n, "\xe2\x84\xaa", 3));
}

bool person_is_address(struct str s)
{
	const char *at = s.n ? memchr(s.p, '@', s.n) : NULL;
	size_t before = at ? (size_t)(at - s.p) : 0;
	return before > 0 && before + 1 < s.n && !memchr(at + 1, '@', s.n - before - 1) &&
		is_word(s, ',') && !has_letter_like_ascii(s);
}

bool person_is_username(struct str s)
{
	return is_word(s, '@') && !memchr(s.p, ':', s.n);
}

/* Names of a new person -------------------------------------------------------------- */

struct str person_base(struct arena *a, struct str email)
{
	enum { LONGEST = 80 };
	char text[LONGEST];
	size_t n = 0;
	for (size_t i = 0; i < email.n && email.p[i] != '@' && n < LONGEST; i++) {
		char c = email.p[i];
		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
			c == '-')
			text[n++] = c;
	}
	return n ? arena_str(a, (struct str){ text, n }) : STR("user");
}

struct str person_letters(struct arena *a, struct str name)
{
	enum { WORDS = 3, BYTES = 4 };
	char text[WORDS * BYTES];
	size_t n = 0;
	int words = 0;
	for (size_t i = 0; i < name.n && words < WORDS; i++) {
		if (is_space(name.p[i]) || (i > 0 && !is_space(name.p[i - 1])))
			continue;
		words++;
		do /* one character */
			text[n++] = name.p[i];
		while (n < sizeof text && i + 1 < name.n &&
			((unsigned char)name.p[i + 1] & 0xc0) == 0x80 && ++i);
	}
	return arena_str(a, (struct str){ text, n });
}

static bool is_taken(const struct scene *s, struct str username)
{
	for (size_t i = 0; i < s->usernames.n; i++)
		if (str_equal_nocase(s->usernames.v[i], username))
			return true;
	return false;
}

static struct str free_username(const struct scene *s, struct str email, int64_t id)
{
	struct str base = person_base(s->arena, email), name = base;
	for (int i = 2; is_taken(s, name) && i <= PERSON_NUMBERS; i++)
		name = arena_printf(s->arena, "%.*s%d", (int)base.n, base.p, i);
	return is_taken(s, name)
		? arena_printf(s->arena, "%.*s%lld", (int)base.n, base.p, (long long)id)
		: name;
}

const struct person *person_make(
	struct outcome *out, const struct person_ref *ref, struct str username)
{
	const struct scene *s = out->scene;
	struct person *n = outcome_new(out, &res_person);
	struct str initials = str_trim(ref->initials);
	n->name = str_trim(ref->name);
	n->initials = initials.n ? initials : s->initials;
	n->email = ref->email;
	n->username = username.p ? username : free_username(s, ref->email, n->id);
	n->receives_in_app_notifications = true;
	outcome_create(out, &res_person, n);
	outcome_silence(out);
	return n;
}

/* Whom a wish names -------------------------------------------------------------------- */

static enum rc refuse_id(struct outcome *out, int64_t id)
{
	if (id < INT32_MIN || id > INT32_MAX)
		return outcome_refuse(
			out, "Couldn't find Person with an out of range value for 'id'");
	(void)outcome_refuse(out, "Couldn't find Person with 'id'=%lld", (long long)id);
	return RC_UNFOUND_RESOURCE;
}

static enum rc refuse_address(struct outcome *out, struct str email)
{
	out->error = STR("One or more consistency checks failed on the supplied Person.");
	out->general_problem = out->error;
	return outcome_require(out,
		arena_printf(out->scene->arena, "%.*s is not a valid email address.", (int)email.n,
			email.p)
			.p,
		NULL);
}

static bool may_add(const struct scene *s, enum naming_by by, const struct person *person)
{
	const struct namer who = naming_actor(s);
	const struct named whom = { .seen = person->seen,
		.in_project = person->in_project,
		.in_account = person->in_account,
		.claims = person->email_claimed };
	return naming_may(&who, NAMING_ADD, by, &whom);
}

/* Nothing of the one who has it is told. */
static enum rc refuse_claimed(struct outcome *out)
{
	out->possible_fix =
		STR("They confirm it with a link that is sent there: they ask for one at "
		    "/choose_password. Programs add people whom you know by person_id.");
	return outcome_refuse_field(out, "email",
		"Somebody here says that this address is theirs, but nobody has confirmed it.");
}

enum rc person_named(
	struct outcome *out, const struct person_ref *ref, const struct person **person)
{
	const struct scene *s = out->scene;
	bool no_name = str_is_blank(ref->name);
	*person = s->people.n ? s->people.v[0] : NULL;
	if (ref->id != NIL) {
		if (ref->email.p || ref->name.p || ref->initials.p)
			return outcome_refuse(out,
				"Do not send person_id with email, initials, or name in the same "
				"request.");
		return *person && may_add(s, NAMING_BY_ID, *person) ? RC_OK
								    : refuse_id(out, ref->id);
	}
	if (str_is_blank(ref->email)) {
		outcome_problem(out, "email", "Email can't be blank.");
		if (no_name)
			outcome_problem(out, "name", "Name can't be blank");
		return RC_INVALID_PARAMETER;
	}
	if (!person_is_address(ref->email))
		return refuse_address(out, ref->email);
	if (*person && may_add(s, NAMING_BY_ADDRESS, *person))
		return RC_OK;
	if (*person)
		return (*person)->email_claimed ? refuse_claimed(out) : RC_UNAUTHORIZED_OPERATION;
	if (no_name)
		return outcome_refuse_field(out, "name", "Name can't be blank");
	*person = person_make(out, ref, (struct str){ 0 });
	return RC_OK;
}
