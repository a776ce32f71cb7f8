#include <criterion/criterion.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

#include "lib/address.h"

static struct arena arena;
static struct address_list none;

static bool is_allowed(const char *text, const struct address_list *list)
{
	struct sockaddr_in a4 = { .sin_family = AF_INET };
	struct sockaddr_in6 a6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, text, &a4.sin_addr) == 1)
		return address_is_allowed((struct sockaddr *)&a4, list);
	cr_assert_eq(inet_pton(AF_INET6, text, &a6.sin6_addr), 1, "%s", text);
	return address_is_allowed((struct sockaddr *)&a6, list);
}

static struct address_list list_of(const char *text)
{
	struct address_list list;
	struct str bad;

	cr_assert(address_parse_list(&arena, str_of(text), &list, &bad), "%s", text);
	return list;
}

Test(address, special_addresses_are_refused)
{
	static const char *const special[] = { "0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255",
		"100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255", "169.254.169.254",
		"172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1",
		"192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.7",
		"203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1",
		"64:ff9b:1::1", "100::1", "fc00::1", "fdff::1", "fe80::1", "fec0::1", "ff02::1",
		"2001::1", "2001:10::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1",
		"4000::1" };

	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		cr_expect_not(is_allowed(special[i], &none), "%s", special[i]);
}

Test(address, public_addresses_are_allowed)
{
	static const char *const open[] = { "1.1.1.1", "9.255.255.255", "11.0.0.0",
		"100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
		"172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255", "192.169.0.0",
		"198.17.255.255", "198.20.0.0", "223.255.255.255", "::ffff:8.8.8.8",
		"64:ff9b::8.8.8.8", "2001:200::1", "2001:4860:4860::8888", "2a00:1450::1",
		"2003::1" };

	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		cr_expect(is_allowed(open[i], &none), "%s", open[i]);
}

Test(address, another_family_is_refused)
{
	struct sockaddr_un local = { .sun_family = AF_UNIX };
	struct address_list all = list_of("0.0.0.0/0 ::/0");

	cr_expect_not(address_is_allowed((struct sockaddr *)&local, &all));
}

Test(address, the_list_allows_more)
{
	struct address_list list = list_of(" 127.0.0.1, 10.1.0.0/16\tfd00::/8,192.168.1.129/25 ");

	cr_expect_eq(list.n, 4);
	cr_expect(is_allowed("127.0.0.1", &list));
	cr_expect(is_allowed("::ffff:127.0.0.1", &list));
	cr_expect_not(is_allowed("127.0.0.2", &list));
	cr_expect_not(is_allowed("::1", &list));
	cr_expect(is_allowed("10.1.255.255", &list));
	cr_expect_not(is_allowed("10.2.0.0", &list));
	cr_expect(is_allowed("fdab::1", &list));
	cr_expect_not(is_allowed("fc00::1", &list));
	cr_expect(is_allowed("192.168.1.200", &list));
	cr_expect_not(is_allowed("192.168.1.1", &list));
	cr_expect(is_allowed("8.8.8.8", &list), "public ones stay allowed");
}

Test(address, a_list_of_nothing)
{
	cr_expect_eq(list_of("").n, 0);
	cr_expect_eq(list_of(" , ").n, 0);
}

Test(address, what_is_no_network_is_named)
{
	static const char *const bad[] = { "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/",
		"10.0.0.0/-1", "10.0.0.0/8x", "localhost", "/8", "10.0.0.0/8/8",
		"10.0.0.0-10.0.0.9",
		"1111111111111111111111111111111111111111111111111111111111/8" };
	struct address_list list;
	struct str found;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct str text = arena_printf(&arena, "127.0.0.1, %s, ::1", bad[i]);
		cr_expect_not(address_parse_list(&arena, text, &list, &found), "%s", bad[i]);
		cr_expect(str_equal_z(found, bad[i]), "%s", bad[i]);
	}
}
