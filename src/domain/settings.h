/* A person's settings for the service's pages (contract 2.1): their own, told nowhere. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "domain/outcome.h"

enum rc settings_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
