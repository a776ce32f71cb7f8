/*
 * Logging: one line to standard error for each event, `<level> <text>`, in the form that
 * systemd and a terminal both show: the level is a syslog number in angle
 * brackets when standard error is not a terminal ("<3>text"), a word otherwise.
 * Line ends and control characters inside the text are written as \xNN, so a
 * client cannot forge a line. Never pass a token, a password or a query string.
 */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>

#include "lib/str.h"

/*
 * The id of the request in hand, which ends each line as " id=…" until it is null. What is no
 * id (letters, digits and -, up to LOG_ID_MAX of them) counts as none: false.
 */
enum { LOG_ID_MAX = 48 };
bool log_set_request(const char *id);

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Logs `word` and a JSON object as it is, at the end of the line: the request's id does not follow.
 * False: it is not logged, as it is too long for a line, or has characters that must not be there
 * (quote_json).
 */
bool log_object(const char *word, struct str json);

/* Logs an error and ends the process with status 1: for start-up and broken invariants. */
void log_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/*
 * The same for a configuration that is wrong and what else a new start would not mend: with the
 * status for which systemd does not try again (EX_CONFIG).
 */
enum { LOG_STATUS_CONFIG = 78 };
void log_die_config(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
