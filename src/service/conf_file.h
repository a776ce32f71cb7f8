/* The files that settings are read from: small texts, which may be secrets. */
#ifndef CONF_FILE_H
#define CONF_FILE_H

/*
 * The content of a file as a heap string, at most 64 KiB of UTF-8; null and errno on failure (EFBIG:
 * larger; EILSEQ: not such text).
 */
char *conf_file_read(const char *path);

/* strerror, except for what conf_file_read itself refuses. */
const char *conf_file_reason(int error);

/* Frees it, leaving nothing in memory; null does no harm. */
void conf_file_forget(char *value);

#endif
