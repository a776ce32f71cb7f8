/*
 * Mail messages as text (RFC 5322): plain text in UTF-8, sent by a program. What
 * comes from users cannot add header lines: control characters in a subject
 * become spaces, and the rest of it is encoded where it must be (RFC 2047).
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/buf.h"

struct message {
	struct str from, to; /* message_is_address */
	struct str subject;  /* cut to about 200 bytes */
	struct str body;     /* lines end in \n */
	struct str id;       /* unique before the @ of the Message-ID; letters, digits, . and - */
	int64_t at;          /* seconds since 1970 */
};

/*
 * Whether mail can be sent to this text: one @ with something on both sides,
 * of at most 254 visible ASCII characters, none of which means something in a
 * header or in SMTP.
 */
bool message_is_address(struct str s);

/*
 * Writes it with CRLF line ends, in quoted-printable (RFC 2045). The name of the sender, of letters
 * and blanks, is shown next to its address.
 */
void message_put(struct buf *b, struct str name, const struct message *m);

#endif
