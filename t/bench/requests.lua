-- For wrk: random requests of one kind, generated before the measurement. Arguments:
-- kind, tokens separated by commas. Prints one line at the end: rate, p50, p99 in ms.

local KINDS, BIG, SMALL = {}, 20000, 1000
local STATES = { "unstarted", "started", "finished", "delivered" }

local function project_of(story)
	if story <= BIG then return 1 end
	if story <= BIG + SMALL then return 2 end
	return 3 + (story - BIG - SMALL - 1) % 198
end

local function feature()
	local story
	repeat story = math.random(200000) until story % 10 < 7
	return story
end

local function put(path, body)
	return wrk.format("PUT", path, nil, body)
end

local function get(path)
	return wrk.format("GET", path)
end

function KINDS.trivial()
	return get("/trivial/projects/" .. math.random(200) .. "/stories/" .. math.random(200000))
end
function KINDS.story()
	local story = math.random(200000)
	return get("/services/v5/projects/" .. project_of(story) .. "/stories/" .. story)
end
function KINDS.list()
	return get("/services/v5/projects/" .. math.random(200) .. "/stories?limit=100")
end
function KINDS.list_people()
	return get("/services/v5/projects/" .. math.random(200) .. "/stories?limit=100&fields=:default,owners")
end
-- This takes a worker a hundred times as long as a story.
function KINDS.slow()
	return get("/services/v5/projects/1/iterations?scope=current_backlog")
end
-- Each round requests the next state of its story, because a request without a change would write nothing.
function KINDS.update(round)
	local story = feature()
	return put("/services/v5/projects/" .. project_of(story) .. "/stories/" .. story,
		'{"current_state":"' .. STATES[(story + round) % #STATES + 1] .. '"}')
end

-- In the projects of 20,000, of 200,000 and of 1,000 stories: roughly in the middle of each.
function KINDS.offset_large() return get("/services/v5/projects/1/stories?limit=100&offset=" .. math.random(9900, 10100)) end
function KINDS.offset_small() return get("/services/v5/projects/2/stories?limit=100&offset=" .. math.random(400, 500)) end
function KINDS.after_large()
	return get("/services/v5/projects/1/stories?limit=100&after_story_id=" .. math.random(11000, 12000))
end
function KINDS.after_small()
	return get("/services/v5/projects/2/stories?limit=100&after_story_id=" .. math.random(20001, 20500))
end
function KINDS.after_huge()
	return get("/services/v5/projects/203/stories?limit=100&after_story_id=" .. math.random(350000, 351000))
end
function KINDS.neighbours_large()
	return get("/services/v5/projects/1/stories/" .. math.random(20000) .. "?fields=before_id,after_id")
end
function KINDS.neighbours_huge()
	return get("/services/v5/projects/203/stories/" .. math.random(250001, 450000) .. "?fields=before_id,after_id")
end
function KINDS.neighbours_small()
	return get("/services/v5/projects/2/stories/" .. math.random(20001, 21000) .. "?fields=before_id,after_id")
end
-- A story in the icebox (see load.sql).
local function waiting(from, to)
	local story
	repeat story = math.random(from, to) until math.floor(story / 10) % 10 > 2
	return story
end
-- Moves one story in front of another.
local function move(project, from, to)
	local story, other = waiting(from, to), nil
	repeat other = waiting(from, to) until other ~= story
	return put("/services/v5/projects/" .. project .. "/stories/" .. story, '{"before_id":' .. other .. "}")
end
function KINDS.move_large() return move(1, 1, 20000) end
function KINDS.move_huge() return move(203, 250001, 450000) end
function KINDS.move_small() return move(2, 20001, 21000) end

-- In projects of 300 and of 15 iterations, equally full (see load.sql).
local function iterations(project, query)
	return get("/services/v5/projects/" .. project .. "/iterations?" .. query)
end
function KINDS.current_large() return iterations(201, "scope=current") end
function KINDS.current_huge() return iterations(204, "scope=current") end
function KINDS.current_small() return iterations(202, "scope=current") end
function KINDS.done_large() return iterations(201, "scope=done&limit=10") end
function KINDS.done_small() return iterations(202, "scope=done&limit=10") end

local requests, at, count, rounds = {}, 0, 4096, 4
local seed = 0

function setup(thread)
	seed = seed + 1
	thread:set("seed", seed + os.time())
end

function init(args)
	local tokens = {}
	for token in args[2]:gmatch("[^,]+") do tokens[#tokens + 1] = token end
	wrk.headers["Content-Type"] = "application/json"
	for round = 1, rounds do
		math.randomseed(seed) -- the same stories again
		for i = 1, count do
			wrk.headers["X-TrackerToken"] = tokens[i % #tokens + 1]
			local kind, unkept = args[1]:gsub("_unkept$", "")
			local text = KINDS[kind](round)
			if unkept > 0 then text = text:gsub(" /", " /unkept/", 1) end
			requests[#requests + 1] = text
		end
	end
end

function request()
	at = at % #requests + 1
	return requests[at]
end

function done(summary, latency)
	local failed = summary.errors.status + summary.errors.connect + summary.errors.read
		+ summary.errors.write + summary.errors.timeout
	io.write(string.format("RESULT %.1f %.3f %.3f %d\n", summary.requests / (summary.duration / 1e6),
		latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
end
