/*
 * Rules of integrations (contract 3, integration). Activities of a public project are for
 * everybody, what its integrations are is not: they tell that there is one, and whether it
 * is active.
 */
#ifndef INTEGRATION_H
#define INTEGRATION_H

#include "domain/outcome.h"

enum rc integration_create(struct outcome *out, const struct wish *wish) MUST_CHECK;
enum rc integration_update(struct outcome *out, const struct wish *wish) MUST_CHECK;
/* Its stories keep the id that they have elsewhere, untold: they may be thousands. */
enum rc integration_delete(struct outcome *out, const struct wish *none) MUST_CHECK;

#endif
