/*
 * Rules of a person's own settings (contract 2.1): name, initials, user name, time zone, address
 * and the settings of pages. Told nowhere.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "domain/outcome.h"

enum rc settings_update(struct outcome *out, const struct wish *wish) MUST_CHECK;

#endif
