#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "service/crypt.h"

static struct arena arena;
static struct crypt keys;

static void setup(void)
{
	cr_assert(crypt_init(&keys, STR("a secret of at least thirty-two characters")));
}

static void teardown(void)
{
	arena_free(&arena);
}

TestSuite(crypt, .init = setup, .fini = teardown);

static struct str unhex(const char *hex)
{
	size_t n = strlen(hex) / 2;
	char *p = arena_alloc(&arena, n + 1);

	for (size_t i = 0; i < n; i++) {
		unsigned int byte;
		cr_assert_eq(sscanf(hex + 2 * i, "%2x", &byte), 1);
		p[i] = (char)byte;
	}
	return (struct str){ p, n };
}

static bool same(struct str a, struct str b)
{
	return a.p && b.p && a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* HMAC with any key of up to 32 bytes: a shorter one is filled with zeros (RFC 2104). */
static struct str hmac(struct str key, struct str text)
{
	struct crypt c = { 0 };

	cr_assert_leq(key.n, sizeof(c.mac_key));
	memcpy(c.mac_key, key.p, key.n);
	return crypt_mac(&c, &arena, text);
}

/* Passwords -------------------------------------------------------------- */

/* RFC 7914, section 12: the vectors whose cost is within the bounds. */
#define RFC_7914_2                                                                                 \
	"scrypt$1024$8$16$TmFDbA==$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedm"  \
	"DDaxyevuUqD7m2DYMvfoswGQA=="
#define RFC_7914_3                                                                                 \
	"scrypt$16384$8$1$U29kaXVtQ2hsb3JpZGU=$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT" \
	"8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw=="

Test(crypt, password_vectors)
{
	cr_assert(crypt_check_password(STR(RFC_7914_2), STR("password")));
	cr_assert_not(crypt_check_password(STR(RFC_7914_2), STR("Password")));
	cr_assert(crypt_check_password(STR(RFC_7914_3), STR("pleaseletmein")));
	cr_assert_not(crypt_check_password(STR(RFC_7914_3), STR("")));
}

/* From the authors of SipHash: key 00 to 0f, the first bytes of 00 01 02 …; 128 bits. */
Test(crypt, tag_vectors)
{
	static const struct {
		size_t n;
		const char *tag;
	} vectors[] = {
		{ 0, "\xa3\x81\x7f\x04\xba\x25\xa8\xe6\x6d\xf6\x72\x14\xc7\x55\x02\x93" },
		{ 1, "\xda\x87\xc1\xd8\x6b\x99\xaf\x44\x34\x76\x59\x11\x9b\x22\xfc\x45" },
		{ 15, "\x54\x93\xe9\x99\x33\xb0\xa8\x11\x7e\x08\xec\x0f\x97\xcf\xc3\xd9" },
	};
	struct crypt c = { 0 };
	unsigned char tag[CRYPT_TAG_SIZE];
	char text[16];

	for (int i = 0; i < 16; i++) {
		c.tag_key[i] = (unsigned char)i;
		text[i] = (char)i;
	}
	for (int round = 0; round < 2; round++) /* the context is used again */
		for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
			crypt_tag(&c, (struct str){ text, vectors[i].n }, tag);
			cr_expect_arr_eq(tag, vectors[i].tag, CRYPT_TAG_SIZE, "%zu bytes", i);
		}
}

Test(crypt, password_round_trip)
{
	struct str hash = crypt_hash_password(&arena, STR("grüße, 世界"));
	struct str again = crypt_hash_password(&arena, STR("grüße, 世界"));

	cr_assert_eq(strncmp(hash.p, "scrypt$16384$8$5$", 17), 0);
	cr_assert_not(same(hash, again), "two hashes of a password differ by their salt");
	cr_assert(crypt_check_password(hash, STR("grüße, 世界")));
	cr_assert(crypt_check_password(again, STR("grüße, 世界")));
	cr_assert_not(crypt_check_password(hash, STR("grüße, 世")));
	cr_assert_not(crypt_check_password(hash, STR("")));
}

Test(crypt, password_holds_any_byte)
{
	struct str hash = crypt_hash_password(&arena, (struct str){ "a\0b", 3 });

	cr_assert(crypt_check_password(hash, (struct str){ "a\0b", 3 }));
	cr_assert_not(crypt_check_password(hash, (struct str){ "a\0c", 3 }));
	cr_assert_not(crypt_check_password(hash, STR("a")));
}

Test(crypt, password_without_a_hash)
{
	cr_assert_not(crypt_check_password((struct str){ 0 }, STR("")));
	cr_assert_not(crypt_check_password((struct str){ 0 }, STR("password")));
	cr_assert_not(crypt_check_password(STR(""), STR("")));
}

#define HASH_TOO_LONG                                                                              \
	"scrypt$1024$8$1$TmFDbA==$"                                                                \
	"J7QYxnTHadElAfux9TusMt9lFMDyjQQ4crFIs0iWGnkFemhh"                                         \
	"zDVTJGqg3bY7wHRFC5JAIlR6eZU41gM5aDXdYvl9nWfRHgPi"

/* Where a hash can be computed, it is that of "password": only the form is wrong. */
static const char *const bad_hashes[] = {
	"password",
	"scrypt",
	"scrypt$16384$8$5",
	"scrypt$16384$8$5$TmFDbA==",
	"bcrypt$16384$8$5$TmFDbA==$ofFIqJMO0EsXSCDxCbah2A==",
	/* N: too small, no power of two, negative, beyond the bound (RFC 7914's fourth: 1 GiB) */
	"scrypt$512$8$1$TmFDbA==$CjPglQ/M9LiAxDTZWWzS/g==",
	"scrypt$16383$8$1$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==",
	"scrypt$-16384$8$1$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==",
	"scrypt$1048576$8$1$U29kaXVtQ2hsb3JpZGU=$AAAAAAAAAAAAAAAAAAAAAA==",
	"scrypt$131072$32$1$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==",
	"scrypt$9223372036854775807$8$1$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==",
	"scrypt$99999999999999999999$8$1$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==",
	/* r and p */
	"scrypt$1024$0$1$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==",
	"scrypt$1024$33$1$TmFDbA==$W3sGnuD9k6zk77ntvI4xtQ==",
	"scrypt$1024$8$0$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==",
	"scrypt$1024$8$17$TmFDbA==$3TuB1XhMUWgr/jK2K401Og==",
	/* salt and hash: too short, no base64, padding inside, too long */
	"scrypt$1024$8$1$TmE=$oK0atTTR4fB9JSvLJmyODA==",
	"scrypt$1024$8$1$$TrYwiP1Q+khVwc/bnMInJQ==",
	"scrypt$1024$8$1$TmFDbA$J7QYxnTHadElAfux9TusMg==",
	"scrypt$1024$8$1$Tm=DbA==$J7QYxnTHadElAfux9TusMg==",
	"scrypt$1024$8$1$====$J7QYxnTHadElAfux9TusMg==",
	"scrypt$1024$8$1$TmFDbA==$",
	"scrypt$1024$8$1$TmFDbA==$J7QY",
	"scrypt$1024$8$1$TmFDbA==$J7QYxnTHadElAfux9TusMg== ",
	"scrypt$1024$8$1$TmFDbA==$J7QYxnTHadElAfux9TusMg==$",
	HASH_TOO_LONG,
};

Test(crypt, password_refuses_bad_hashes)
{
	for (size_t i = 0; i < sizeof(bad_hashes) / sizeof(bad_hashes[0]); i++)
		cr_assert_not(crypt_check_password(str_of(bad_hashes[i]), STR("password")), "%s",
			bad_hashes[i]);
	cr_assert(crypt_check_password(
		STR("scrypt$1024$8$1$TmFDbA==$J7QYxnTHadElAfux9TusMg=="), STR("password")));
}

static double seconds_to_check(struct str hash)
{
	struct timespec a, b;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	crypt_check_password(hash, STR("password"));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
}

Test(crypt, unknown_login_costs_what_a_wrong_password_costs)
{
	struct str hash = crypt_hash_password(&arena, STR("something else"));
	double known = 1e9, unknown = 1e9, broken = 1e9;

	for (int i = 0; i < 3; i++) {
		double t = seconds_to_check(hash);
		known = t < known ? t : known;
		t = seconds_to_check((struct str){ 0 });
		unknown = t < unknown ? t : unknown;
		t = seconds_to_check(STR("no hash"));
		broken = t < broken ? t : broken;
	}
	cr_assert(unknown > known * 0.6 && unknown < known * 1.6, "%f, %f", known, unknown);
	cr_assert(broken > known * 0.6 && broken < known * 1.6, "%f, %f", known, broken);
}

#ifndef ARENA_MALLOC /* sanitizers hold on to freed memory */
static long resident_kib(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	cr_assert(f);
	cr_assert_eq(fscanf(f, "%*d %ld", &pages), 1);
	fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

Test(crypt, memory_of_a_password_is_given_back)
{
	/* The current parameters except the last one, which costs time but no memory. */
	struct str hash = STR("scrypt$16384$8$1$TmFDbA==$AAAAAAAAAAAAAAAAAAAAAA==");
	long before = resident_kib();

	for (int i = 0; i < 5; i++)
		cr_assert_not(crypt_check_password(hash, STR("password")));
	cr_assert_lt(resident_kib(), before + 4096);
}
#endif

/* Tokens ----------------------------------------------------------------- */

/* RFC 4231, sections 4.2 to 4.5. */
Test(crypt, mac_vectors)
{
	cr_assert(same(hmac(unhex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"), STR("Hi There")),
		unhex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")));
	cr_assert(same(hmac(STR("Jefe"), STR("what do ya want for nothing?")),
		unhex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")));
	cr_assert(same(
		hmac(unhex("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
			unhex("dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
			      "dddddddddddddddddddddddddddddddddd")),
		unhex("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")));
	cr_assert(same(
		hmac(unhex("0102030405060708090a0b0c0d0e0f10111213141516171819"),
			unhex("cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
			      "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd")),
		unhex("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")));
}

/* HKDF (RFC 5869) is two HMACs for a key of one block: extract, then expand. */
Test(crypt, keys_are_those_of_hkdf)
{
	struct str secret = STR("a secret of at least thirty-two characters");
	struct str prk = hmac(STR("planwright"), secret);

	cr_assert(same(hmac(prk, STR("token mac\x01")), (struct str){ (char *)keys.mac_key, 32 }));
	cr_assert(
		same(hmac(prk, STR("token seal\x01")), (struct str){ (char *)keys.seal_key, 32 }));
}

Test(crypt, keys_differ_by_secret)
{
	struct crypt other = { 0 }, again = { 0 }; /* crypt_init counts on from what nth is */

	cr_assert(crypt_init(&other, STR("A secret of at least thirty-two characters")));
	cr_assert(crypt_init(&again, STR("a secret of at least thirty-two characters")));
	cr_assert(memcmp(&keys, &other, sizeof(keys)) != 0);
	cr_assert(memcmp(&keys, &again, sizeof(keys)) == 0);
	cr_assert(memcmp(keys.mac_key, keys.seal_key, 32) != 0);
	cr_assert_not(crypt_init(&other, STR("")));
	cr_assert_not(crypt_init(&other, (struct str){ 0 }));
}

Test(crypt, token_is_random_hexadecimal)
{
	struct str token = crypt_token(&arena);

	cr_assert_eq(token.n, CRYPT_TOKEN_CHARS);
	cr_assert_eq(strlen(token.p), CRYPT_TOKEN_CHARS);
	cr_assert_eq(strspn(token.p, "0123456789abcdef"), CRYPT_TOKEN_CHARS);
	cr_assert_not(same(token, crypt_token(&arena)));
}

Test(crypt, sealed_token_opens_for_its_person)
{
	struct str token = crypt_token(&arena);
	struct str sealed = crypt_seal(&keys, &arena, 4294967301, token);

	cr_assert_eq(sealed.n, 12 + CRYPT_TOKEN_CHARS + 16);
	cr_assert(same(crypt_open(&keys, &arena, 4294967301, sealed), token));
	cr_assert_null(crypt_open(&keys, &arena, 5, sealed).p);
	cr_assert_null(crypt_open(&keys, &arena, 4294967302, sealed).p);
	cr_assert_not(same(sealed, crypt_seal(&keys, &arena, 4294967301, token)));
}

Test(crypt, sealed_token_opens_with_its_secret_only)
{
	struct str sealed = crypt_seal(&keys, &arena, 7, STR("0123456789abcdef"));
	struct crypt other;

	cr_assert(crypt_init(&other, STR("another secret of thirty-two characters")));
	cr_assert_null(crypt_open(&other, &arena, 7, sealed).p);
}

Test(crypt, changed_seals_do_not_open)
{
	struct str sealed = crypt_seal(&keys, &arena, 7, STR("token"));

	for (size_t i = 0; i < sealed.n; i++) {
		char *bytes = arena_chars(&arena, sealed);
		struct str changed = { bytes, sealed.n };
		bytes[i] ^= 1;
		cr_assert_null(crypt_open(&keys, &arena, 7, changed).p, "byte %zu", i);
	}
	for (size_t n = 0; n < sealed.n; n++) {
		struct str cut = arena_str(&arena, (struct str){ sealed.p, n });
		cr_assert_null(crypt_open(&keys, &arena, 7, cut).p, "%zu bytes", n);
	}
	cr_assert_null(crypt_open(&keys, &arena, 7, (struct str){ 0 }).p);
}

/* Sealed by an independent implementation: key 00 01 … 1f, nonce 00 … 0b, person 1. */
Test(crypt, seal_known_answer)
{
	struct crypt c = { 0 };

	for (int i = 0; i < 32; i++)
		c.seal_key[i] = (unsigned char)i;
	struct str token = crypt_open(&c, &arena, 1,
		unhex("000102030405060708090a0b7733e428f1d0f42cb578f6e9d28d1d0bb3e7b507c44e694b005e84e77e0d65d4094eb850e3745e6e1c90fc82e2ecceb9"));
	cr_assert(same(token, STR("0123456789abcdef0123456789abcdef")));
}

Test(crypt, empty_token_round_trip)
{
	struct str token = crypt_open(&keys, &arena, 1, crypt_seal(&keys, &arena, 1, STR("")));

	cr_assert(token.p);
	cr_assert_eq(token.n, 0);
}

Test(crypt, password_for_people)
{
	struct str password = crypt_password(&arena);

	cr_assert_eq(password.n, 20);
	cr_assert_eq(strlen(password.p), 20);
	cr_assert_eq(strspn(password.p, "abcdefghijkmnpqrstuvwxyz23456789"), 20);
	cr_assert_not(same(password, crypt_password(&arena)));
}

Test(crypt, a_named_token_shows_that_it_is_one)
{
	for (int i = 0; i < 1000; i++) {
		struct str token = crypt_named_token(&arena);
		cr_assert_eq(token.n, CRYPT_TOKEN_CHARS);
		cr_assert_eq(strspn(token.p, "0123456789abcdef"), CRYPT_TOKEN_CHARS);
		cr_assert(crypt_may_be_named(token));
	}
}

Test(crypt, few_others_look_like_one)
{
	int n = 0;
	for (int i = 0; i < 10000; i++)
		n += crypt_may_be_named(crypt_token(&arena));
	cr_assert(n < 10, "%d of 10000", n);
	cr_assert_not(crypt_may_be_named(STR("")));
	cr_assert_not(crypt_may_be_named((struct str){ 0 }));
	cr_assert_not(crypt_may_be_named(STR("0123456789abcdef0123456789abcdef0")));
}
