#include <criterion/criterion.h>

#include "service/s3.h"

static struct arena arena;

/* The example "GET Bucket (List Objects)" from "Signature Calculations for the Authorization Header" in the
   Amazon S3 manual. */
Test(sigv4, vector_of_the_manual)
{
	const struct sigv4_key key = { STR("AKIAIOSFODNN7EXAMPLE"),
		STR("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), STR("us-east-1") };
	const struct sigv4 made = sigv4_get(&arena, &key, STR("examplebucket.s3.amazonaws.com"),
		STR("/?max-keys=2&prefix=J"), 1369353600);
	cr_expect_str_eq(made.date.p, "20130524T000000Z");
	cr_expect_str_eq(made.authorization.p,
		"AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
		"SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
		"Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
	arena_free(&arena);
}

/* The signature covers the Host header that nginx sends, which leaves out the scheme's default port. */
Test(sigv4, the_port_of_the_endpoint)
{
	const char *const same[][2] = { { "https://s3.example.com", "https://s3.example.com:443" },
		{ "http://s3.example.com", "http://s3.example.com:80" } };
	struct s3 s = {
		.region = "us-east-1", .access_key = "a", .secret_key = "b", .bucket = STR("c")
	};
	struct s3_signed plain, other;
	for (int i = 0; i < 2; i++) {
		s.endpoint = same[i][0];
		plain = s3_sign(&s, &arena, "01/1", 1369353600);
		s.endpoint = same[i][1];
		cr_expect_str_eq(s3_sign(&s, &arena, "01/1", 1369353600).headers.authorization.p,
			plain.headers.authorization.p);
	}
	s.endpoint = "http://s3.example.com:443";
	other = s3_sign(&s, &arena, "01/1", 1369353600);
	cr_expect_str_neq(other.headers.authorization.p, plain.headers.authorization.p);
	arena_free(&arena);
}
