#include "transfer/people/people_choose.h"

#include <stdlib.h>
#include <string.h>

#include "domain/person.h"
#include "lib/log.h"

static void be(struct someone *s, int64_t person)
{
	s->person = person;
}

static void be_new(struct someone *s, int64_t wished)
{
	s->is_new = true;
	s->wished = wished;
}

/* One by one ------------------------------------------------------------------------------ */

/* Others in the files or in the account have the name, and nothing tells who is who. */
static bool is_ambiguous(const struct someone *s)
{
	if (s->named > 1)
		return true;
	return s->is_loose ? s->namesakes > 0 : s->named == 1 && s->namesakes > 1;
}

static void suggest(struct someone *s)
{
	s->row.action = PEOPLE_MATCH;
	if (s->is_known && s->known == NIL) {
		s->row.action = PEOPLE_SKIP;
	} else if (s->is_known) {
		be(s, s->known);
	} else if (s->by_email != NIL) {
		be(s, s->by_email);
	} else if (s->name.p && is_ambiguous(s)) {
		s->row.action = PEOPLE_AMBIGUOUS;
		s->problem = "several people have this name: say who it is with a person_id or "
			     "an address";
	} else if (s->named == 1) {
		be(s, s->by_name);
	} else {
		s->row.action = PEOPLE_PLACEHOLDER;
		be_new(s, s->id);
	}
}

static int64_t first_of(const int64_t *ids, size_t n)
{
	while (n > 1 && *ids == NIL) {
		ids++;
		n--;
	}
	return *ids;
}

static void match(struct someone *s)
{
	const int64_t ids[] = { s->row_by_email, s->row_by_username, s->is_known ? s->known : NIL,
		s->by_email, s->named == 1 ? s->by_name : NIL };
	be(s, s->row.person_id != NIL ? s->row_by_id : first_of(ids, sizeof(ids) / sizeof(*ids)));
	if (s->person != NIL)
		return;
	s->problem = s->row.person_id != NIL
		? "nobody here has that person_id: give one of somebody who exists, or choose "
		  "create or placeholder"
		: "it says match, but not with whom: give a person_id";
}

static void create(struct someone *s)
{
	struct str email = s->row.email.p ? s->row.email : s->email;
	bool is_address = person_is_address(email) && email.n <= 255;
	be(s, s->row.email.p ? s->row_by_email : s->by_email);
	if (s->person != NIL)
		return;
	if (s->row.email.p)
		s->email = s->row.email;
	if (s->row.email.p ? s->row_email_elsewhere : s->email_elsewhere) {
		s->row.action = PEOPLE_PLACEHOLDER;
		be_new(s, s->row.person_id);
		return;
	}
	if (!is_address)
		s->problem = "a new person needs an email address: give one, or choose "
			     "placeholder";
	be_new(s, s->row.person_id);
	s->email = email;
	if (s->row.username.p)
		s->username = s->row.username;
}

static void hold_place(struct someone *s)
{
	if (s->row.email.p)
		s->email = s->row.email;
	if (s->is_known && s->known != NIL)
		be(s, s->known);
	else if (s->row_by_id_is_placeholder)
		be(s, s->row_by_id);
	else if (s->row.person_id == NIL && s->named == 1 && s->by_name_is_placeholder &&
		!is_ambiguous(s))
		be(s, s->by_name);
	else
		be_new(s, s->row.person_id);
}

static void choose(struct someone *s)
{
	switch (s->row.action) {
	case PEOPLE_MATCH: match(s); break;
	case PEOPLE_CREATE: create(s); break;
	case PEOPLE_PLACEHOLDER: hold_place(s); break;
	case PEOPLE_SKIP: break;
	default: suggest(s);
	}
}

/* Equal people ---------------------------------------------------------------------------- */

static int order(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_wish(const void *a, const void *b)
{
	const struct someone *x = *(struct someone *const *)a, *y = *(struct someone *const *)b;
	int c = order(x->wished, y->wished);
	return c ? c : order(x - y, 0);
}

static int by_address(const void *a, const void *b)
{
	const struct someone *x = *(struct someone *const *)a, *y = *(struct someone *const *)b;
	size_t n = x->email.n < y->email.n ? x->email.n : y->email.n;
	int c = strncasecmp(x->email.p, y->email.p, n);
	c = c ? c : order((int64_t)x->email.n, (int64_t)y->email.n);
	return c ? c : order(x - y, 0);
}

static struct someone *first_same(struct someone *s)
{
	return s->same_as ? s->same_as : s;
}

/*
 * New people are sorted: whoever has the same address or wished id as the one before is the same.
 */
static void join(struct someone **list, size_t n, bool by_email)
{
	for (size_t i = 1; i < n; i++) {
		struct someone *before = list[i - 1], *s = list[i];
		if (by_email ? str_equal_nocase(before->email, s->email)
			     : before->wished == s->wished)
			s->same_as = first_same(before);
	}
}

/* Resolves a match in the map with somebody who is new, too. */
static void match_new(struct someone *s, struct someone **wishes, size_t n)
{
	const struct someone key = { .wished = s->row.person_id };
	for (size_t low = 0, high = n; low < high;) {
		size_t middle = (low + high) / 2;
		int c = order(wishes[middle]->wished, key.wished);
		if (c == 0) {
			s->same_as = first_same(wishes[middle]);
			s->problem = NULL;
			return;
		}
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
}

void people_choose(struct someone *people, size_t n)
{
	struct someone **list = calloc(n + 1, sizeof(*list));
	size_t addresses = 0, wishes = 0;

	if (!list)
		log_die("out of memory");
	for (size_t i = 0; i < n; i++)
		choose(&people[i]);
	for (size_t i = 0; i < n; i++)
		if (people[i].is_new && people[i].row.action == PEOPLE_CREATE && people[i].email.n)
			list[addresses++] = &people[i];
	if (addresses)
		qsort(list, addresses, sizeof(*list), by_address);
	join(list, addresses, true);
	for (size_t i = 0; i < n; i++)
		if (people[i].is_new && people[i].wished != NIL)
			list[wishes++] = &people[i];
	if (wishes)
		qsort(list, wishes, sizeof(*list), by_wish);
	join(list, wishes, false);
	for (size_t i = 0; i < n; i++)
		if (people[i].row.action == PEOPLE_MATCH && people[i].problem &&
			people[i].row.person_id != NIL)
			match_new(&people[i], list, wishes);
	free(list);
}
