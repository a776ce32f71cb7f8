/*
 * Network addresses: which belong to the public Internet or to networks that an operator lists, and
 * which network a client counts as. The ranges are those of the IANA special-purpose address
 * registries (RFC 6890).
 */
#ifndef ADDRESS_H
#define ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "lib/arena.h"
#include "lib/str.h"

/* IPv4 stands as IPv4-mapped IPv6 (::ffff:0:0/96). */
struct address_net {
	unsigned char bytes[16];
	int bits; /* of the prefix */
};

struct address_list {
	struct address_net *nets;
	size_t n;
};

/*
 * Networks in CIDR notation between commas or spaces, IPv4 or IPv6; a single
 * address is a network of one. False: *bad is the first invalid one.
 */
bool address_parse_list(
	struct arena *a, struct str text, struct address_list *list, struct str *bad);

/*
 * Whether this address may be connected to: public, or in the list. Addresses
 * that only wrap an IPv4 address (mapped, NAT64) count as that one. No other
 * family but IPv4 and IPv6 is public.
 */
bool address_is_allowed(const struct sockaddr *sa, const struct address_list *list);

/* Whether it is this host's own. */
bool address_is_loopback(const struct sockaddr *sa);

/* Whether an address begins with http:// and one of this host: 127.…, [::1] or localhost. */
bool address_is_loopback_url(struct str url);

/*
 * The network that a client's address, as text, stands for where somebody is counted: the address
 * itself for IPv4, its first 64 bits for IPv6, of which one customer has at least so many.
 */
struct str address_network(struct arena *a, struct str address);

#endif
