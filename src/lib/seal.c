#include "lib/seal.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#include "lib/log.h"

enum { MARK = 8, SALT = 16, HEAD = MARK + SALT, NONCE = 12, TAG = 16, KEY = 32 };
enum { SCRYPT_N = 1 << 17, SCRYPT_R = 8, SCRYPT_P = 1, MEMORY_MAX = 160 << 20 };

static const char mark[MARK + 1] = "pwseal1\n";

static void derive_key(unsigned char key[KEY], struct str passphrase, const unsigned char *salt)
{
	if (EVP_PBE_scrypt(passphrase.p, passphrase.n, salt, SALT, SCRYPT_N, SCRYPT_R, SCRYPT_P,
		    MEMORY_MAX, key, KEY) != 1)
		log_die("OpenSSL cannot derive a key with scrypt: it needs 128 MiB of memory");
}

struct str seal_close(struct arena *a, struct str passphrase, struct str secret)
{
	size_t size = HEAD + NONCE + secret.n + TAG;
	unsigned char key[KEY], *to = arena_alloc(a, size), *nonce = to + HEAD;
	EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
	int n;

	memcpy(to, mark, MARK);
	if (RAND_bytes(to + MARK, SALT + NONCE) != 1)
		log_die("cannot read the system's random numbers");
	derive_key(key, passphrase, to + MARK);
	if (!x || EVP_EncryptInit_ex(x, EVP_aes_256_gcm(), NULL, key, nonce) != 1 ||
		EVP_EncryptUpdate(x, NULL, &n, to, HEAD) != 1 ||
		EVP_EncryptUpdate(x, nonce + NONCE, &n, (const unsigned char *)secret.p,
			(int)secret.n) != 1 ||
		EVP_EncryptFinal_ex(x, nonce + NONCE + secret.n, &n) != 1 ||
		EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_GCM_GET_TAG, TAG, nonce + NONCE + secret.n) != 1)
		log_die("OpenSSL cannot encrypt with AES-256-GCM");
	EVP_CIPHER_CTX_free(x);
	OPENSSL_cleanse(key, sizeof key);
	return (struct str){ (const char *)to, size };
}

struct str seal_open(struct arena *a, struct str passphrase, struct str sealed)
{
	const unsigned char *from = (const unsigned char *)sealed.p;
	unsigned char key[KEY], tag[TAG];
	int n;

	if (sealed.n < HEAD + NONCE + TAG || sealed.n > 1 << 20 || memcmp(from, mark, MARK) != 0)
		return (struct str){ 0 };
	size_t size = sealed.n - HEAD - NONCE - TAG;
	unsigned char *to = arena_alloc(a, size + 1);
	EVP_CIPHER_CTX *x = EVP_CIPHER_CTX_new();
	memcpy(tag, from + sealed.n - TAG, TAG);
	derive_key(key, passphrase, from + MARK);
	bool ok = x && EVP_DecryptInit_ex(x, EVP_aes_256_gcm(), NULL, key, from + HEAD) == 1 &&
		EVP_DecryptUpdate(x, NULL, &n, from, HEAD) == 1 &&
		EVP_DecryptUpdate(x, to, &n, from + HEAD + NONCE, (int)size) == 1 &&
		EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_GCM_SET_TAG, TAG, tag) == 1 &&
		EVP_DecryptFinal_ex(x, to + size, &n) == 1;
	EVP_CIPHER_CTX_free(x);
	OPENSSL_cleanse(key, sizeof key);
	if (!ok)
		OPENSSL_cleanse(to, size);
	return ok ? (struct str){ (const char *)to, size } : (struct str){ 0 };
}
