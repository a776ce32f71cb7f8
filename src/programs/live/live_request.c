#include "programs/live/live_request.h"

#include <string.h>

/* "GET /-/stream/?TICKET HTTP/1.1", or without the "?"; the headers do not matter, as nginx sends none of the client's. */
static enum live_read read_line(struct str line, struct live_request *request)
{
	static const struct str prefix = { "/-/stream/", 10 };
	struct str rest = line, method = str_cut(&rest, ' '), path = str_cut(&rest, ' ');
	request->is_head = str_equal_z(method, "HEAD");
	if ((!request->is_head && !str_equal_z(method, "GET")) || !rest.p || rest.n < 7 ||
		memcmp(rest.p, "HTTP/1.", 7) != 0 || path.n < prefix.n ||
		memcmp(path.p, prefix.p, prefix.n) != 0)
		return LIVE_READ_BAD;
	request->ticket = (struct str){ path.p + prefix.n, path.n - prefix.n };
	if (request->ticket.n && *request->ticket.p == '?')
		str_cut(&request->ticket, '?');
	return LIVE_READ_DONE;
}

enum live_read live_request_read(struct str bytes, struct live_request *request)
{
	struct str rest = bytes;
	if (!memmem(bytes.p, bytes.n, "\r\n\r\n", 4))
		return bytes.n < LIVE_REQUEST_MAX ? LIVE_READ_MORE : LIVE_READ_BAD;
	return read_line(str_cut(&rest, '\r'), request);
}
