#include <criterion/criterion.h>

#include "lib/presign.h"
#include "service/s3.h"

static struct arena arena;

/* The example of "Authenticating Requests: Using Query Parameters" in the manual of Amazon S3. */
Test(presign, vector_of_the_manual)
{
	const struct presign_key key = { STR("AKIAIOSFODNN7EXAMPLE"),
		STR("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), STR("us-east-1") };
	struct str query = presign_query(&arena, &key, STR("examplebucket.s3.amazonaws.com"),
		STR("/test.txt"), 1369353600, 86400);
	cr_expect_str_eq(query.p,
		"X-Amz-Algorithm=AWS4-HMAC-SHA256"
		"&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
		"&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
		"&X-Amz-Signature="
		"aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404");
	arena_free(&arena);
}

/* What is signed is the header Host that nginx sends, and that has no port which goes without saying. */
Test(presign, the_port_of_the_endpoint)
{
	const char *const same[][2] = { { "https://s3.example.com", "https://s3.example.com:443" },
		{ "http://s3.example.com", "http://s3.example.com:80" } };
	struct s3 s = {
		.region = "us-east-1", .access_key = "a", .secret_key = "b", .bucket = STR("c")
	};
	struct str plain, other;
	for (int i = 0; i < 2; i++) {
		s.endpoint = same[i][0];
		plain = s3_address(&s, &arena, "01/1", 1369353600);
		s.endpoint = same[i][1];
		cr_expect_str_eq(s3_address(&s, &arena, "01/1", 1369353600).p, plain.p);
	}
	s.endpoint = "http://s3.example.com:443";
	other = s3_address(&s, &arena, "01/1", 1369353600);
	cr_expect_str_neq(other.p, plain.p);
	arena_free(&arena);
}
