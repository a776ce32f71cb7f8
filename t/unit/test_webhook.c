#include <criterion/criterion.h>

#include "domain/webhook.h"

Test(webhook, has_an_address_of_the_web)
{
	static const char *const good[] = { "http://a", "https://e.example",
		"HTTPS://E.example:65535/a?b=c#d", "https://bücher.example/ü", "https://[::1]/",
		"https://[2001:db8::1]:8443?x", "https://e:1#x" };
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		cr_expect(webhook_is_address(str_of(good[i])), "%s", good[i]);
}

Test(webhook, has_no_other_address)
{
	static const char *const bad[] = { "", "http://", "https:///x", "e.example",
		"ftp://e.example", "https://a b/", "https://u:p@e.example/", "https://u@e.example/",
		"https://e:0/", "https://e:65536/", "https://e:/", "https://e:x/",
		"https://e:123456", "https://e:1x", "https://[::1", "https://[]/", "https://[:::]/",
		"https://[1.2.3.4]/", "https://[fe80::1%eth0]/", "https://[::1]x/", "https://e\\f",
		"https://e/a b", "https://e/\n", "https://e?\x7f",
		"https://[00000000000000000000000000000000000000000000000000000000::1]/" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		cr_expect(!webhook_is_address(str_of(bad[i])), "%s", bad[i]);
}
