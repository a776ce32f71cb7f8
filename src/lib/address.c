#include "lib/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
static const unsigned char nat64[12] = { 0, 0x64, 0xff, 0x9b };

/* Not public: IPv4. */
static const struct {
	unsigned char bytes[4];
	int bits;
} special4[] = {
	{ { 0 }, 8 },             /* this network, unspecified */
	{ { 10 }, 8 },            /* private */
	{ { 100, 64 }, 10 },      /* shared by a provider's customers */
	{ { 127 }, 8 },           /* loopback */
	{ { 169, 254 }, 16 },     /* link-local */
	{ { 172, 16 }, 12 },      /* private */
	{ { 192, 0, 0 }, 24 },    /* protocol assignments */
	{ { 192, 0, 2 }, 24 },    /* documentation */
	{ { 192, 88, 99 }, 24 },  /* 6to4 relays */
	{ { 192, 168 }, 16 },     /* private */
	{ { 198, 18 }, 15 },      /* benchmarks */
	{ { 198, 51, 100 }, 24 }, /* documentation */
	{ { 203, 0, 113 }, 24 },  /* documentation */
	{ { 224 }, 4 },           /* multicast */
	{ { 240 }, 4 },           /* reserved, broadcast */
};

/* Not public within 2000::/3; nothing outside it is public. */
static const struct {
	unsigned char bytes[4];
	int bits;
} special6[] = {
	{ { 0x20, 0x01 }, 23 },             /* protocol assignments, Teredo */
	{ { 0x20, 0x01, 0x0d, 0xb8 }, 32 }, /* documentation */
	{ { 0x20, 0x02 }, 16 },             /* 6to4: wraps any IPv4 address */
	{ { 0x3f, 0xff }, 20 },             /* documentation */
};

static bool has_prefix(const unsigned char *address, const unsigned char *prefix, int bits)
{
	int whole = bits / 8, rest = bits % 8;

	if (memcmp(address, prefix, (size_t)whole) != 0)
		return false;
	return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0;
}

static bool is_public4(const unsigned char *address)
{
	for (size_t i = 0; i < sizeof(special4) / sizeof(special4[0]); i++) {
		if (has_prefix(address, special4[i].bytes, special4[i].bits))
			return false;
	}
	return true;
}

static bool is_public6(const unsigned char *address)
{
	if (memcmp(address, mapped, sizeof(mapped)) == 0 ||
		memcmp(address, nat64, sizeof(nat64)) == 0)
		return is_public4(address + 12);
	if (address[0] >> 5 != 1)
		return false;
	for (size_t i = 0; i < sizeof(special6) / sizeof(special6[0]); i++) {
		if (has_prefix(address, special6[i].bytes, special6[i].bits))
			return false;
	}
	return true;
}

static void map4(unsigned char *to, const void *address)
{
	memcpy(to, mapped, sizeof(mapped));
	memcpy(to + 12, address, 4);
}

bool address_is_allowed(const struct sockaddr *sa, const struct address_list *list)
{
	unsigned char address[16];

	if (sa->sa_family == AF_INET)
		map4(address, &((const struct sockaddr_in *)(const void *)sa)->sin_addr);
	else if (sa->sa_family == AF_INET6)
		memcpy(address, &((const struct sockaddr_in6 *)(const void *)sa)->sin6_addr, 16);
	else
		return false;
	for (size_t i = 0; i < list->n; i++) {
		if (has_prefix(address, list->nets[i].bytes, list->nets[i].bits))
			return true;
	}
	return is_public6(address);
}

static bool parse_net(struct str s, struct address_net *net)
{
	char text[INET6_ADDRSTRLEN];
	struct str rest = s, address = str_cut(&rest, '/');
	unsigned char bytes[16];
	int64_t bits;

	if (address.n >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)address.n, address.p);
	bool is4 = inet_pton(AF_INET, text, bytes) == 1;
	if (is4)
		map4(net->bytes, bytes);
	else if (inet_pton(AF_INET6, text, net->bytes) != 1)
		return false;
	int max = is4 ? 32 : 128;
	if (!rest.p)
		bits = max;
	else if (!str_to_int(rest, &bits) || bits < 0 || bits > max)
		return false;
	net->bits = (int)bits + (is4 ? 96 : 0);
	return true;
}

bool address_parse_list(
	struct arena *a, struct str text, struct address_list *list, struct str *bad)
{
	*list = (struct address_list){ .nets = arena_array(
					       a, text.n / 2 + 1, sizeof(*list->nets)) };
	while (text.n > 0) {
		size_t n = 0;
		while (n < text.n && text.p[n] != ',' && text.p[n] != ' ' && text.p[n] != '\t')
			n++;
		if (n > 0 && !parse_net((struct str){ text.p, n }, &list->nets[list->n++])) {
			*bad = (struct str){ text.p, n };
			return false;
		}
		n += n < text.n;
		text = (struct str){ text.p + n, text.n - n };
	}
	return true;
}

struct str address_network(struct arena *a, struct str address)
{
	struct in6_addr six;
	const unsigned char *b = six.s6_addr;
	if (inet_pton(AF_INET6, arena_str(a, address).p, &six) != 1 || IN6_IS_ADDR_V4MAPPED(&six))
		return address;
	return arena_printf(a, "%x:%x:%x:%x::/64", b[0] << 8 | b[1], b[2] << 8 | b[3],
		b[4] << 8 | b[5], b[6] << 8 | b[7]);
}

bool address_is_loopback(const struct sockaddr *sa)
{
	const struct sockaddr_in *four = (const void *)sa;
	const struct sockaddr_in6 *six = (const void *)sa;
	if (sa->sa_family == AF_INET)
		return ntohl(four->sin_addr.s_addr) >> 24 == 127;
	return sa->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six->sin6_addr);
}

/* The host in scheme://host[:port]/…, with the brackets of IPv6; absent: there is none. */
static struct str url_host(struct str url)
{
	struct str rest = url, scheme = str_cut(&rest, ':');
	if (!scheme.n || !rest.p || rest.n < 3 || memcmp(rest.p, "//", 2) != 0)
		return (struct str){ 0 };
	struct str host = { rest.p + 2, 0 };
	size_t room = rest.n - 2;
	if (*host.p == '[') {
		const char *end = memchr(host.p, ']', room);
		host.n = end ? (size_t)(end - host.p) + 1 : room;
	} else {
		while (host.n < room && !strchr(":/?#", host.p[host.n]))
			host.n++;
	}
	return host;
}

bool address_is_loopback_url(struct str url)
{
	char text[INET_ADDRSTRLEN];
	struct in_addr four;
	struct str host = url_host(url);
	if (url.n < 7 || memcmp(url.p, "http://", 7) != 0 || memchr(url.p, '@', url.n))
		return false;
	if (str_equal_z(host, "localhost") || str_equal_z(host, "[::1]"))
		return true;
	if (host.n >= sizeof text)
		return false;
	str_print(text, sizeof text, "%.*s", (int)host.n, host.p);
	return inet_pton(AF_INET, text, &four) == 1 && ntohl(four.s_addr) >> 24 == 127;
}
