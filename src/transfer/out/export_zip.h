/* Export of a whole project as a zip: t/import/EXPORT.md describes its layout. */
#ifndef EXPORT_ZIP_H
#define EXPORT_ZIP_H

#include "transfer/out/export.h"

/*
 * Writes it, between export_begin and export_end; plain: only what the original had. Without a
 * directory at its end when it fails. RC_UNAVAILABLE, too, when `to` fails.
 */
enum rc export_zip(struct export *x, bool plain, struct sink *to) MUST_CHECK;

#endif
