/* Output sinks: where bytes go, piece by piece, be it a file, a connection, an entry of a zip. */
#ifndef SINK_H
#define SINK_H

#include <stdbool.h>

#include "lib/str.h"

struct sink {
	/* False: nobody takes them, and nobody will. */
	bool (*put)(struct sink *to, struct str bytes);
};

#endif
