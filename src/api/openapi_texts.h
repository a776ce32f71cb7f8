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
	"\",\"summary\":\"The REST API of Pivotal Tracker, version 5.\",\"description\":\"Every "
	"operation also accepts `token`, `_method` (the intended method, of a POST or GET), "
	"`fields`, `limit` and `offset` (without effect where they are not listed), and, below a "
	"project, `project_id`, which repeats it. A list in a query may also be given one by one, "
	"as `ids=1&ids=2` or `ids[]=1&ids[]=2`. PATCH works like PUT. Bodies may be forms with "
	"the same names. A path may end in "
	"`.json`.\",\"license\":{\"name\":\"MIT\",\"identifier\":\"MIT\"}},\"servers\":[{\"url\":\"/services/v5\"}],\"security\":[" TOKENS
	"]";

static const char openapi_security_schemes[] =
	"{\"token\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-TrackerToken\"},\"service_token\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-ServiceToken\"},\"query_token\":{\"type\":\"apiKey\",\"in\":\"query\",\"name\":\"token\"},\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\"},\"session\":{\"type\":\"apiKey\",\"in\":\"cookie\",\"name\":\"planwright\",\"description\":\"The "
	"cookie of POST /session, together with the header `X-Requested-With: planwright`; its "
	"name is `__Host-planwright` where the server uses "
	"https.\"},\"password\":{\"type\":\"http\",\"scheme\":\"basic\"}}";

static const char openapi_parameters[] =
	"{\"fields\":{\"name\":\"fields\",\"in\":\"query\",\"description\":\"Which fields to "
	"return: names, separated by commas; `:default` for those of the default answer; "
	"`name(…)` for those of nested "
	"objects.\",\"schema\":{\"type\":\"string\"}},\"envelope\":{\"name\":\"envelope\",\"in\":\"query\",\"description\":\"true: "
	"wraps the answer in an object with the information of the "
	"headers.\",\"schema\":{\"type\":\"boolean\"}},\"date_format\":{\"name\":\"date_format\",\"in\":\"query\",\"description\":\"millis: "
	"times as milliseconds since "
	"1970.\",\"schema\":{\"type\":\"string\",\"enum\":[\"iso8601\",\"millis\"]}},\"offset\":{\"name\":\"offset\",\"in\":\"query\",\"description\":\"How "
	"many results to skip.\",\"schema\":{\"type\":\"integer\"}}}";

static const char openapi_headers[] =
	"{\"version\":{\"description\":\"Version of the "
	"project.\",\"schema\":{\"type\":\"integer\"}},\"changed\":{\"description\":\"The "
	"request made this "
	"version.\",\"schema\":{\"const\":1}},\"total\":{\"description\":\"How many "
	"there are.\",\"schema\":{\"type\":\"integer\"}},\"limit\":{\"description\":\"The "
	"maximum number "
	"requested.\",\"schema\":{\"type\":\"integer\"}},\"offset\":{\"description\":\"How many "
	"were skipped.\",\"schema\":{\"type\":\"integer\"}},\"returned\":{\"description\":\"How "
	"many were returned.\",\"schema\":{\"type\":\"integer\"}}}";

static const char openapi_responses[] =
	"{\"unchanged\":{\"description\":\"Unchanged since the ETag in "
	"If-None-Match.\"},\"error\":{\"description\":\"An "
	"error.\",\"content\":{\"application/json\":{\"schema\":{\"anyOf\":[{\"$ref\":\"#/components/schemas/error\"},{\"type\":\"object\",\"properties\":{\"data\":{\"$ref\":\"#/components/schemas/error\"},\"http_status\":{\"type\":\"string\"},\"project_version\":{\"type\":\"integer\"},\"last_notification_timestamp\":{\"type\":\"integer\"}},\"required\":[\"data\",\"http_status\"],\"additionalProperties\":false}]}}}},\"rpc_error\":{\"description\":\"A "
	"JSON-RPC error, or an error of the request "
	"itself.\",\"content\":{\"application/json\":{\"schema\":{\"anyOf\":[{\"$ref\":\"#/components/schemas/error\"},{\"type\":\"object\",\"properties\":{\"jsonrpc\":{\"const\":\"2.0\"},\"id\":{},\"error\":{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"integer\"},\"message\":{\"type\":\"string\"},\"data\":{\"type\":\"object\"}},\"required\":[\"code\",\"message\"]}},\"required\":[\"jsonrpc\",\"error\"]}]}}}}}";

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
	"{\"get\":{\"operationId\":\"get\",\"summary\":\"Name, version and "
	"links.\",\"tags\":[\"The API "
	"itself\"],\"security\":[],\"parameters\":[],\"responses\":{\"200\":{\"description\":\"Name, "
	"version and "
	"links.\",\"content\":{\"application/json\":{\"schema\":{\"type\":\"object\"}}}},\"304\":{\"$ref\":\"#/components/responses/unchanged\"},\"default\":{\"$ref\":\"#/components/responses/error\"}}}}";

#endif
