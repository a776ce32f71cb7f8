#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#include "lib/message.h"

static struct buf out;

static struct message plain(void)
{
	return (struct message){ .from = STR("plan@planwright.example"),
		.to = STR("ada@example.com"),
		.subject = STR("Hello"),
		.body = STR("One\nTwo\n"),
		.id = STR("mail.7.8"),
		.at = 1779638400 };
}

static const char *text_of(const struct message *m)
{
	out.n = 0;
	message_put(&out, STR("planwright"), m);
	buf_put_char(&out, '\0');
	return out.p;
}

/* The value of a header, including folded lines. */
static const char *header(const struct message *m, const char *name)
{
	static char value[2000];
	const char *text = text_of(m), *at = strstr(text, name), *end = at;

	cr_assert_not_null(at, "%s", name);
	at += strlen(name);
	do
		end = strstr(end + 1, "\r\n");
	while (end[2] == ' ');
	snprintf(value, sizeof(value), "%.*s", (int)(end - at), at);
	return value;
}

Test(message, whole)
{
	struct message m = plain();

	cr_expect_str_eq(text_of(&m),
		"Date: Sun, 24 May 2026 16:00:00 +0000\r\n"
		"From: planwright <plan@planwright.example>\r\n"
		"To: <ada@example.com>\r\n"
		"Subject: Hello\r\n"
		"Message-ID: <mail.7.8@planwright.example>\r\n"
		"MIME-Version: 1.0\r\n"
		"Content-Type: text/plain; charset=utf-8\r\n"
		"Content-Transfer-Encoding: quoted-printable\r\n"
		"Auto-Submitted: auto-generated\r\n"
		"\r\n"
		"One\r\nTwo\r\n\r\n");
}

Test(message, a_subject_adds_no_header)
{
	struct message m = plain();

	m.subject = STR("Hi\r\nBcc: eve@example.com\n\tx");
	cr_expect_null(strstr(text_of(&m), "\r\nBcc"));
	cr_expect_str_eq(header(&m, "Subject: "), "Hi  Bcc: eve@example.com  x");
}

Test(message, subjects_are_encoded)
{
	struct message m = plain();

	m.subject = STR("Gr\xc3\xbc\xc3\x9f"
			"e");
	cr_expect_str_eq(header(&m, "Subject: "), "=?utf-8?B?R3LDvMOfZQ==?=");
	m.subject = STR("a =?utf-8?B?eA==?=");
	cr_expect_str_eq(header(&m, "Subject: "), "=?utf-8?B?YSA9P3V0Zi04P0I/ZUE9PT89?=");
}

Test(message, a_long_subject_is_folded_between_characters_and_cut)
{
	struct message m = plain();
	char text[601];

	for (int i = 0; i < 600; i += 2)
		memcpy(text + i, "\xc3\xa4", 2);
	m.subject = (struct str){ text, 600 };
	const char *value = header(&m, "Subject: ");
	int words = 0;
	for (const char *at = value; at; at = strchr(at, ' ')) {
		at += *at == ' ';
		cr_expect_eq(strncmp(at, "=?utf-8?B?w6TD", 14), 0, "%s", at);
		cr_expect(strcspn(at, "\r") <= 75, "%s", at);
		words++;
	}
	cr_expect_eq(words, 6);
}

Test(message, bodies_are_quoted_printable)
{
	struct message m = plain();
	char line[201];

	m.body = STR("a=b \xc3\xa4 \r\n.\n\tx\t\nFrom me");
	cr_expect_not_null(
		strstr(text_of(&m), "\r\n\r\na=3Db =C3=A4=20\r\n.\r\n\tx=09\r\nFrom me\r\n"));
	memset(line, 'x', 200);
	m.body = (struct str){ line, 200 };
	const char *at = strstr(text_of(&m), "\r\n\r\n") + 4;
	cr_expect_eq(strcspn(at, "\r"), 76);
	cr_expect_eq(at[75], '=');
	cr_expect_eq(strcspn(at + 78, "\r"), 76);
	cr_expect_eq(strcspn(at + 156, "\r"), 50);
}

Test(message, addresses)
{
	static const char *const good[] = { "a@b", "ada.l+x@mail.example.com",
		"o'neil@example.com" };
	static const char *const bad[] = { "", "a", "@b", "a@", "a@b@c", "a b@c", "a@b\r\nRCPT",
		"<a@b>", "a,b@c", "\xc3\xa4@b", "a@b;c", "\"a\"@b" };

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		cr_expect(message_is_address(str_of(good[i])), "%s", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		cr_expect_not(message_is_address(str_of(bad[i])), "%s", bad[i]);
}
