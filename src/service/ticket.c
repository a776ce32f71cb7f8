/* PERSON-BY-CREDENTIAL-NETWORK-UNREAD-END-PROJECT_VERSION.PROJECT_VERSION_p-SIGNATURE; _p: hears_presence */
#include "service/ticket.h"

#include <openssl/crypto.h>
#include <string.h>

#include "lib/address.h"
#include "lib/buf.h"

enum { SIGNATURE_CHARS = 2 * CRYPT_MAC_SIZE };

static void put_signature(
	struct buf *b, const struct crypt *crypt, struct arena *a, struct str text)
{
	struct str mac = crypt_mac_with(
		a, (struct str){ (const char *)crypt->ticket_key, sizeof crypt->ticket_key }, text);
	for (size_t i = 0; i < mac.n; i++)
		buf_printf(b, "%02x", (unsigned char)mac.p[i]);
}

struct str ticket_write(const struct crypt *crypt, struct arena *a, const struct ticket *t)
{
	struct buf b = { 0 };
	buf_printf(&b, "%lld-%c-%llx-%llx-%lld-%lld-", (long long)t->person, (int)t->by,
		(unsigned long long)t->credential, (unsigned long long)t->network,
		(long long)t->unread, (long long)t->end_ms);
	for (size_t i = 0; i < t->n_places; i++)
		buf_printf(&b, "%s%lld_%lld%s", i ? "." : "", (long long)t->places[i].project,
			(long long)t->places[i].version, t->places[i].hears_presence ? "_p" : "");
	struct str text = arena_str(a, buf_str(&b));
	buf_put_char(&b, '-');
	put_signature(&b, crypt, a, text);
	text = arena_str(a, buf_str(&b));
	buf_free(&b);
	return text;
}

/* Reading -------------------------------------------------------------------------- */

static bool is_signed(const struct crypt *crypt, struct arena *a, struct str text, struct str *body)
{
	struct buf b = { 0 };
	if (text.n <= SIGNATURE_CHARS + 1 || text.n > TICKET_TEXT_MAX)
		return false;
	*body = (struct str){ text.p, text.n - SIGNATURE_CHARS - 1 };
	put_signature(&b, crypt, a, *body);
	bool same = text.p[body->n] == '-' &&
		!CRYPTO_memcmp(text.p + body->n + 1, b.p, SIGNATURE_CHARS);
	buf_free(&b);
	return same;
}

static bool read_hex(struct str s, uint64_t *n)
{
	static const char digits[] = "0123456789abcdef";
	*n = 0;
	for (size_t i = 0; i < s.n; i++) {
		const char *digit = memchr(digits, s.p[i], 16);
		if (!digit)
			return false;
		*n = *n << 4 | (uint64_t)(digit - digits);
	}
	return s.n > 0 && s.n <= 16;
}

static bool read_place(struct str rest, struct ticket_place *place)
{
	struct str project = str_cut(&rest, '_');
	struct str version = rest.p ? str_cut(&rest, '_') : (struct str){ 0 };
	place->hears_presence = rest.p;
	return version.p && str_to_int(project, &place->project) && place->project > 0 &&
		str_to_int(version, &place->version) && place->version >= 0 &&
		(!rest.p || str_equal_z(rest, "p"));
}

static bool read_places(struct arena *a, struct str rest, struct ticket *t)
{
	t->places = arena_array(a, TICKET_PLACES_MAX, sizeof *t->places);
	t->n_places = 0;
	if (rest.n == 0)
		return true;
	while (rest.p) {
		struct ticket_place place;
		if (t->n_places == TICKET_PLACES_MAX || !read_place(str_cut(&rest, '.'), &place))
			return false;
		t->places[t->n_places++] = place;
	}
	return true;
}

static bool read_fields(struct arena *a, struct str rest, struct ticket *t)
{
	struct str person = str_cut(&rest, '-'), by = str_cut(&rest, '-');
	struct str credential = str_cut(&rest, '-'), network = str_cut(&rest, '-');
	struct str unread = str_cut(&rest, '-'), end = str_cut(&rest, '-');
	if (!rest.p || by.n != 1 || !memchr("sta", *by.p, 3))
		return false;
	t->by = (enum ticket_by) * by.p;
	return str_to_int(person, &t->person) && t->person > 0 &&
		read_hex(credential, &t->credential) && read_hex(network, &t->network) &&
		str_to_int(unread, &t->unread) && t->unread >= 0 && str_to_int(end, &t->end_ms) &&
		read_places(a, rest, t);
}

bool ticket_read(const struct crypt *crypt, struct arena *a, struct str text, int64_t now_ms,
	struct ticket *t)
{
	struct str body;
	return is_signed(crypt, a, text, &body) && read_fields(a, body, t) && now_ms <= t->end_ms;
}

uint64_t ticket_network(struct arena *a, struct str address)
{
	struct str network = address_network(a, address.p ? address : STR(""));
	uint64_t h = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < network.n; i++)
		h = (h ^ (unsigned char)network.p[i]) * UINT64_C(1099511628211);
	return h;
}
