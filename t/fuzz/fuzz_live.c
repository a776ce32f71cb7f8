/* What planwright-live reads: datagrams, request headers, and tickets. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "programs/live/live_request.h"
#include "service/hint.h"
#include "service/ticket.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Datagrams have only one form: what was read is written the same. */
static void check_hints(struct str text)
{
	struct hints hints;
	char again[HINT_DATAGRAM_MAX];
	if (!hint_read(text, &hints)) {
		if (hints.n)
			abort();
		return;
	}
	size_t n = hint_write(&hints, again);
	if (hints.n > HINTS_MAX || n > text.n)
		abort();
}

static void check_ticket(struct arena *a, struct str text)
{
	static struct crypt crypt;
	struct ticket t;
	if (!crypt.nth && !crypt_init(&crypt, STR("a secret of at least thirty-two characters")))
		abort();
	if (ticket_read(&crypt, a, text, 0, &t) &&
		(t.person <= 0 || t.n_places > TICKET_PLACES_MAX))
		abort();
	/* The same fields, properly signed. */
	t = (struct ticket){ .person = 1, .by = TICKET_BY_SESSION };
	struct str good = ticket_write(&crypt, a, &t);
	if (!ticket_read(&crypt, a, good, 0, &t))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct live_request request;
	struct arena a = { 0 };

	check_hints(text);
	check_ticket(&a, text);
	if (live_request_read(text, &request) == LIVE_READ_DONE &&
		(request.ticket.p < text.p ||
			request.ticket.p + request.ticket.n > text.p + text.n))
		abort();
	arena_free(&a);
	return 0;
}
