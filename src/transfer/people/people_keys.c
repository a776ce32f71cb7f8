#include "transfer/people/people_keys.h"

#include <stdlib.h>
#include <string.h>

#include "lib/log.h"
#include "transfer/common/copy_text.h"

enum { PEOPLE_MAX = 100000, ATTRIBUTES = RECORD_PERSON__TEXTS };

/* The most characters of each, in the order of the columns after the id. */
static const size_t limits[ATTRIBUTES] = { 255, 255, 100, 10 };

struct keyed_person {
	struct str key;
	int64_t id; /* 0: none */
	struct str of[ATTRIBUTES];
	const char *role;
};

static size_t hash_of(struct str s)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
	return (size_t)(h ^ h >> 32);
}

/* The slot of a key: where it is, or where it goes. */
static struct keyed_person **place_of(const struct people_keys *p, struct str key)
{
	size_t i = hash_of(key) & (p->n_slots - 1);
	while (p->slots[i] && !str_equal(p->slots[i]->key, key))
		i = (i + 1) & (p->n_slots - 1);
	return &p->slots[i];
}

static void make_room(struct people_keys *p)
{
	struct people_keys old = *p;
	if (p->n_slots > 2 * p->n)
		return;
	p->n_slots = old.n_slots ? 2 * old.n_slots : 256;
	p->slots = calloc(p->n_slots, sizeof(struct keyed_person *));
	if (!p->slots)
		log_die("out of memory");
	for (size_t i = 0; i < old.n_slots; i++)
		if (old.slots[i])
			*place_of(p, old.slots[i]->key) = old.slots[i];
	free(old.slots);
}

/* At most `max` characters of a text; null if it is blank. */
static struct str short_text(struct str s, size_t max)
{
	s = str_trim(s);
	if (!s.p || str_is_blank(s))
		return (struct str){ 0 };
	size_t chars = 0, n = 0;
	for (; n < s.n; n++) {
		chars += ((unsigned char)s.p[n] & 0xc0) != 0x80;
		if (chars > max)
			break;
	}
	return (struct str){ s.p, n };
}

static struct str lower(struct str s, char *to, size_t size)
{
	size_t n = s.n < size ? s.n : size;
	for (size_t i = 0; i < n; i++)
		to[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + 32) : s.p[i];
	return (struct str){ to, n };
}

static struct str key_of(const struct keyed_person *of, char *to, size_t size)
{
	char text[1100];
	struct str name = of->of[0], email = lower(of->of[1], text, sizeof text), user = of->of[2];
	if (of->id)
		return str_print(to, size, "id:%lld", (long long)of->id);
	if (email.n)
		return str_print(to, size, "email:%.*s", (int)email.n, email.p);
	if (name.n)
		return str_print(to, size, "name:%.*s", (int)name.n, name.p);
	return user.n ? str_print(to, size, "username:%.*s", (int)user.n, user.p)
		      : (struct str){ 0 };
}

static struct keyed_person *find_or_add(struct people_keys *p, struct str key)
{
	make_room(p);
	struct keyed_person **at = place_of(p, key);
	if (!*at && p->n < PEOPLE_MAX) {
		*at = arena_alloc(&p->arena, sizeof **at);
		(*at)->key = arena_str(&p->arena, key);
		p->n++;
	}
	return *at;
}

struct str people_keys_note(
	struct people_keys *p, const struct record_person *person, const char *role)
{
	struct keyed_person said = { .id = person->id > 0 ? person->id : 0, .role = role };
	char key[1200];
	for (int i = 0; i < ATTRIBUTES; i++)
		said.of[i] = short_text(person->texts[i], limits[i]);
	said.key = key_of(&said, key, sizeof key);
	struct keyed_person *known = said.key.p ? find_or_add(p, said.key) : NULL;
	if (!known)
		return (struct str){ 0 };
	known->id = said.id;
	for (int i = 0; i < ATTRIBUTES; i++)
		if (!known->of[i].p && said.of[i].p)
			known->of[i] = arena_str(&p->arena, said.of[i]);
	if (!known->role)
		known->role = role;
	return known->key;
}

bool people_keys_is_full(const struct people_keys *p)
{
	return p->n >= PEOPLE_MAX;
}

void people_keys_put(struct people_keys *p, struct buf *to)
{
	for (size_t i = 0; i < p->n_slots; i++) {
		const struct keyed_person *x = p->slots[i];
		if (!x)
			continue;
		copy_text_put(to, x->key);
		buf_put_char(to, '\t');
		if (x->id)
			buf_put_int(to, x->id);
		else
			copy_text_null(to);
		for (int k = 0; k < ATTRIBUTES; k++) {
			buf_put_char(to, '\t');
			copy_text_put(to, x->of[k]);
		}
		buf_put_char(to, '\t');
		copy_text_put(to, str_of(x->role));
		buf_put_char(to, '\n');
	}
}

void people_keys_free(struct people_keys *p)
{
	free(p->slots);
	arena_free(&p->arena);
}
