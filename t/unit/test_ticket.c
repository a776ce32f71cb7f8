#include <criterion/criterion.h>
#include <string.h>

#include "programs/live/live_request.h"
#include "service/ticket.h"

static struct arena arena;
static struct crypt crypt;

static void begin(void)
{
	cr_assert(crypt_init(&crypt, STR("a secret of at least thirty-two characters")));
}

static void end(void)
{
	arena_free(&arena);
}

TestSuite(ticket, .init = begin, .fini = end);

static struct ticket example(void)
{
	static struct ticket_place places[] = { { 99, 7, true }, { INT64_MAX, INT64_MAX, false } };
	return (struct ticket){ .person = 101,
		.by = TICKET_BY_API_TOKEN,
		.credential = UINT64_MAX,
		.network = 0xabc,
		.unread = 3,
		.end_ms = 1000,
		.places = places,
		.n_places = 2 };
}

Test(ticket, what_is_written_is_read)
{
	struct ticket t = example(), read;
	struct str text = ticket_write(&crypt, &arena, &t);
	cr_assert(ticket_read(&crypt, &arena, text, 1000, &read));
	cr_expect_eq(read.person, t.person);
	cr_expect_eq(read.by, t.by);
	cr_expect_eq(read.credential, t.credential);
	cr_expect_eq(read.network, t.network);
	cr_expect_eq(read.unread, t.unread);
	cr_assert_eq(read.n_places, 2);
	cr_expect_eq(read.places[0].project, 99);
	cr_expect(read.places[0].hears_presence);
	cr_expect_eq(read.places[1].version, INT64_MAX);
	cr_expect_not(read.places[1].hears_presence);
}

Test(ticket, of_no_project)
{
	struct ticket t = example(), read;
	t.n_places = 0;
	cr_assert(ticket_read(&crypt, &arena, ticket_write(&crypt, &arena, &t), 0, &read));
	cr_expect_eq(read.n_places, 0);
}

Test(ticket, the_longest_fits_into_a_request)
{
	struct ticket t = example(), read;
	struct ticket_place places[TICKET_PLACES_MAX];
	for (int i = 0; i < TICKET_PLACES_MAX; i++)
		places[i] = (struct ticket_place){ INT64_MAX, INT64_MAX, true };
	t.places = places;
	t.n_places = TICKET_PLACES_MAX;
	struct str text = ticket_write(&crypt, &arena, &t);
	cr_assert_leq(text.n, TICKET_TEXT_MAX);
	cr_assert_lt(text.n + 1000, LIVE_REQUEST_MAX);
	cr_assert(ticket_read(&crypt, &arena, text, 0, &read));
}

Test(ticket, its_end)
{
	struct ticket t = example(), read;
	cr_expect_not(ticket_read(&crypt, &arena, ticket_write(&crypt, &arena, &t), 1001, &read));
}

Test(ticket, each_changed_byte_is_noticed)
{
	struct ticket t = example(), read;
	struct str text = ticket_write(&crypt, &arena, &t);
	char *p = arena_chars(&arena, text);
	for (size_t i = 0; i < text.n; i++) {
		p[i] ^= 1;
		cr_expect_not(ticket_read(&crypt, &arena, (struct str){ p, text.n }, 0, &read));
		p[i] ^= 1;
	}
	for (size_t n = 0; n < text.n; n++)
		cr_expect_not(ticket_read(&crypt, &arena, (struct str){ p, n }, 0, &read));
}

Test(ticket, of_another_secret)
{
	struct ticket t = example(), read;
	struct crypt other = { 0 };
	struct str text = ticket_write(&crypt, &arena, &t);
	cr_assert(crypt_init(&other, STR("another secret of at least thirty-two characters")));
	cr_expect_not(ticket_read(&other, &arena, text, 0, &read));
}

Test(ticket, a_network_is_64_bits_of_ipv6)
{
	uint64_t one = ticket_network(&arena, STR("2001:db8:1:2:3:4:5:6"));
	cr_expect_eq(ticket_network(&arena, STR("2001:db8:1:2:ffff::1")), one);
	cr_expect_neq(ticket_network(&arena, STR("2001:db8:1:3::1")), one);
	cr_expect_neq(
		ticket_network(&arena, STR("192.0.2.1")), ticket_network(&arena, STR("192.0.2.2")));
}

/* What nginx sends along with it ---------------------------------------------- */

static enum live_read read_request(const char *text, struct live_request *request)
{
	return live_request_read(str_of(text), request);
}

Test(ticket, requests)
{
	struct live_request r;
	cr_expect_eq(
		read_request("GET /-/stream/abc HTTP/1.1\r\nHost: x\r\n\r\n", &r), LIVE_READ_DONE);
	cr_expect(str_equal_z(r.ticket, "abc") && !r.is_head);
	cr_expect_eq(read_request("GET /-/stream/?abc HTTP/1.1\r\n\r\n", &r), LIVE_READ_DONE);
	cr_expect(str_equal_z(r.ticket, "abc"));
	cr_expect_eq(read_request("GET /-/stream/? HTTP/1.1\r\n\r\n", &r), LIVE_READ_DONE);
	cr_expect_eq(r.ticket.n, 0);
	cr_expect_eq(read_request("HEAD /-/stream/ HTTP/1.0\r\n\r\n", &r), LIVE_READ_DONE);
	cr_expect(r.ticket.n == 0 && r.is_head);
	cr_expect_eq(read_request("GET /-/stream/abc HTTP/1.1\r\nHost: x\r\n", &r), LIVE_READ_MORE);
	cr_expect_eq(read_request("", &r), LIVE_READ_MORE);
	cr_expect_eq(read_request("POST /-/stream/abc HTTP/1.1\r\n\r\n", &r), LIVE_READ_BAD);
	cr_expect_eq(read_request("GET /other HTTP/1.1\r\n\r\n", &r), LIVE_READ_BAD);
	cr_expect_eq(read_request("GET /-/stream/abc\r\n\r\n", &r), LIVE_READ_BAD);
	cr_expect_eq(read_request("\r\n\r\n", &r), LIVE_READ_BAD);
}
