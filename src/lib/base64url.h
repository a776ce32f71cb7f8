/* Base64 for URLs (RFC 4648, 5), without padding. */
#ifndef BASE64URL_H
#define BASE64URL_H

#include "lib/arena.h"
#include "lib/str.h"

/* The bytes of a text; absent: it is none. Bits that belong to no byte must be 0. */
struct str base64url_decode(struct arena *a, struct str text);

/* The same for Base64 as it is elsewhere (RFC 4648, 4): with + and /, and padded. */
struct str base64url_decode_other(struct arena *a, struct str text);

/* The text of bytes; NUL ended, the NUL not counted. */
struct str base64url_encode(struct arena *a, struct str bytes);

#endif
