#include "api/password.h"

static void begin(struct req *r)
{
	r->is_page = true;
	r->media_type = "text/html; charset=utf-8";
	r->out->n = 0;
	buf_put_z(r->out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<meta name=\"robots\" content=\"noindex\">\n<title>planwright</title>\n</head>\n"
		"<body>\n<h1>planwright</h1>\n");
}

static void end(struct req *r)
{
	buf_put_z(r->out, "</body>\n</html>\n");
}

void password_page_ask(struct req *r)
{
	begin(r);
	buf_put_z(r->out,
		"<p>A link to choose a password is sent to your address.</p>\n"
		"<form method=\"post\">\n<p><label>E-mail address<br>\n"
		"<input type=\"email\" name=\"email\" required autocomplete=\"email\"></label></p>\n"
		"<p><button>Send the link</button></p>\n</form>\n");
	end(r);
}

void password_page_choose(struct req *r, const char *problem)
{
	begin(r);
	if (problem)
		buf_printf(r->out, "<p><strong>%s</strong></p>\n", problem);
	buf_put_z(r->out,
		"<form method=\"post\">\n<p><label>New password, at least 8 characters<br>\n"
		"<input type=\"password\" name=\"password\" required minlength=\"8\" "
		"autocomplete=\"new-password\"></label></p>\n"
		"<p><button>Take it</button></p>\n</form>\n");
	end(r);
}

void password_page_say(struct req *r, const char *text, bool again)
{
	begin(r);
	buf_printf(r->out, "<p>%s</p>\n", text);
	if (again)
		buf_put_z(r->out, "<p><a href=\"/choose_password\">Ask for a link</a></p>\n");
	end(r);
}
