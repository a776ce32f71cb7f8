/* A person's settings for the service's pages (service-api.md, personal_settings): their own,
   told nowhere. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "domain/outcome.h"

enum rc settings_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
