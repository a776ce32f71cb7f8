/*
 * The least that a FastCGI worker can do: accept, one write, finish. Its rate
 * behind the same nginx is the limit F of t/bench/run.
 */
#include <fcgiapp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many bytes as a story's JSON, so that nginx has as much to copy. */
enum { BODY_BYTES = 800 };

int main(void)
{
	char answer[BODY_BYTES + 200], body[BODY_BYTES + 1];
	FCGX_Request request;
	memset(body, 'x', BODY_BYTES);
	body[BODY_BYTES] = '\0';
	int n = snprintf(answer, sizeof answer,
		"Status: 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
		"Content-Length: %d\r\n\r\n%s",
		BODY_BYTES, body);
	if (FCGX_Init() || FCGX_InitRequest(&request, 0, 0))
		return EXIT_FAILURE;
	while (FCGX_Accept_r(&request) == 0) {
		FCGX_PutStr(answer, n, request.out);
		FCGX_Finish_r(&request);
	}
	return EXIT_SUCCESS;
}
