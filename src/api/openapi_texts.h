/*
 * Fixed texts of the OpenAPI document: about all operations, and about the one that has no row.
 * Only for openapi.c.
 */
#ifndef OPENAPI_TEXTS_H
#define OPENAPI_TEXTS_H

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* The ways in which a token is sent. */
#define TOKENS                                                                                     \
	"{\"token\":[]},{\"service_token\":[]},{\"query_token\":[]},{\"bearer\":[]},"              \
	"{\"session\":[]}"

static const char openapi_head[] =
	"{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"planwright\",\"version\":\"" PACKAGE_VERSION
	"\",\"summary\":\"The REST interface of Pivotal Tracker, version 5.\",\"description\":\"Every "
	"operation takes also `token`, `_method` (the method that is meant, of a POST or GET), "
	"`fields`, `limit` and `offset` (without effect where they are not named), and, below a project, "
	"`project_id`, which repeats it. PATCH is taken for PUT. Bodies may be forms of the same "
	"names. A path may end in `.json`.\",\"license\":{\"name\":\"MIT\",\"identifier\":\"MIT\"}},"
	"\"servers\":[{\"url\":\"/services/v5\"}],"
	"\"security\":[" TOKENS "]";

static const char openapi_security_schemes[] =
	"{\"token\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-TrackerToken\"},"
	"\"service_token\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-ServiceToken\"},"
	"\"query_token\":{\"type\":\"apiKey\",\"in\":\"query\",\"name\":\"token\"},"
	"\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"},"
	"\"session\":{\"type\":\"apiKey\",\"in\":\"cookie\",\"name\":\"planwright\",\"description\":\"The "
	"cookie of POST /session, beside the header `X-Requested-With: planwright`; its name is "
	"`__Host-planwright` where the server is reached by https.\"},"
	"\"password\":{\"type\":\"http\",\"scheme\":\"basic\"}}";

static const char openapi_parameters[] =
	"{\"fields\":{\"name\":\"fields\",\"in\":\"query\",\"description\":\"Which fields to answer: "
	"names, separated by commas; `:default` for those of the default answer; "
	"`name(…)` for those of what is nested.\",\"schema\":{\"type\":\"string\"}},"
	"\"envelope\":{\"name\":\"envelope\",\"in\":\"query\",\"description\":\"true: what headers "
	"tell is put around the answer.\",\"schema\":{\"type\":\"boolean\"}},"
	"\"date_format\":{\"name\":\"date_format\",\"in\":\"query\",\"description\":\"millis: times "
	"as milliseconds since 1970.\",\"schema\":{\"type\":\"string\","
	"\"enum\":[\"iso8601\",\"millis\"]}},"
	"\"offset\":{\"name\":\"offset\",\"in\":\"query\",\"description\":\"How many to pass "
	"over.\",\"schema\":{\"type\":\"integer\"}}}";

static const char openapi_headers[] =
	"{\"version\":{\"description\":\"Version of the project.\",\"schema\":{\"type\":"
	"\"integer\"}},\"total\":{\"description\":\"How many there are.\",\"schema\":{\"type\":"
	"\"integer\"}},\"limit\":{\"description\":\"How many were asked for at most.\",\"schema\":"
	"{\"type\":\"integer\"}},\"offset\":{\"description\":\"How many were passed over.\","
	"\"schema\":{\"type\":\"integer\"}},\"returned\":{\"description\":\"How many are here.\","
	"\"schema\":{\"type\":\"integer\"}}}";

static const char openapi_responses[] =
	"{\"unchanged\":{\"description\":\"The same as If-None-Match names.\"},"
	"\"error\":{\"description\":\"An error.\",\"content\":{\"application/json\":{\"schema\":"
	"{\"anyOf\":[{\"$ref\":\"#/components/schemas/error\"},{\"type\":\"object\",\"properties\":{"
	"\"data\":{\"$ref\":\"#/components/schemas/error\"},\"http_status\":{\"type\":\"string\"},"
	"\"project_version\":{\"type\":\"integer\"},\"last_notification_timestamp\":{\"type\":"
	"\"integer\"}},\"required\":[\"data\",\"http_status\"],\"additionalProperties\":false}]}}}},"
	"\"rpc_error\":{\"description\":\"An error of JSON-RPC, or of the request itself.\",\"content\":{"
	"\"application/json\":{\"schema\":{\"anyOf\":[{\"$ref\":\"#/components/schemas/error\"},{\"type\":\"object\","
	"\"properties\":{\"jsonrpc\":{\"const\":\"2.0\"},\"id\":{},\"error\":{\"type\":\"object\",\"properties\":{"
	"\"code\":{\"type\":\"integer\"},\"message\":{\"type\":\"string\"},\"data\":{\"type\":\"object\"}},"
	"\"required\":[\"code\",\"message\"]}},\"required\":[\"jsonrpc\",\"error\"]}]}}}}}";

static const char openapi_error_schema[] =
	"{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"string\"},\"kind\":{\"const\":"
	"\"error\"},\"error\":{\"type\":\"string\"},\"general_problem\":{\"type\":\"string\"},"
	"\"possible_fix\":{\"type\":\"string\"},\"requirement\":{\"type\":\"string\"},"
	"\"validation_errors\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{"
	"\"field\":{\"type\":\"string\"},\"problem\":{\"type\":\"string\"}},\"required\":[\"field\","
	"\"problem\"],\"additionalProperties\":false}}},\"required\":[\"code\",\"kind\",\"error\"],"
	"\"additionalProperties\":false}";

/* What health.h answers at the root of the interface, without a row. */
static const char openapi_root_path[] =
	"{\"get\":{\"operationId\":\"get\",\"summary\":\"Name, version and where to go on.\","
	"\"tags\":[\"The interface itself\"],\"security\":[],\"parameters\":[],\"responses\":{"
	"\"200\":{\"description\":\"Name, version and links.\",\"content\":{"
	"\"application/json\":{\"schema\":{\"type\":\"object\"}}}},"
	"\"304\":{\"$ref\":\"#/components/responses/unchanged\"},"
	"\"default\":{\"$ref\":\"#/components/responses/error\"}}}}";

#endif
