"""The libraries that assistants use (npm's @modelcontextprotocol) work on a project: t/assistants."""
import json
import re
import shutil
import subprocess

import pytest

from conftest import TOP
from team import team  # noqa: F401
from world import ok

# npm and node take most of the time.
pytestmark = pytest.mark.plain
NODE = int(re.match(r"v(\d+)", subprocess.run(["node", "--version"], capture_output=True, text=True,
                                             check=True).stdout)[1])
# The newer one needs more than Debian 12 has.
LIBRARIES = ["sdk"] + ["client"] * (NODE >= 20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("assistants")
    for name in ("package.json", "package-lock.json", "work.mjs"):
        shutil.copy(f"{TOP}/t/assistants/{name}", made)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
                   cwd=made, check=True, capture_output=True, text=True, timeout=300)
    return made


def work(folder, library, stack, team, scope):
    made = ok(team.member.post("/my/tokens", {"name": f"{library} {scope}", "scope": scope}))
    done = subprocess.run(["node", "work.mjs", library, f"{stack.url}/services/v5/mcp", made["token"], str(team.id)],
                          cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_story_is_planned_and_delivered(folder, stack, team, library):
    seen = work(folder, library, stack, team, "write")
    assert seen["server"]["name"] == "planwright" and "iterations" in seen["instructions"]
    assert team.id in seen["projects"] and "add_story" in seen["tools"]
    assert f"planwright://project/{team.id}/iteration/current" in seen["resources"]
    assert "planwright://story/{story_id}" in seen["templates"]
    assert (seen["started"], seen["finished"], seen["delivered"]) == ("started", "finished", "delivered")
    assert seen["shown"]["comments"][0]["text"] == "Done, please look." and seen["found"] >= 1
    assert f"Planned by {library}" in seen["read"] and seen["unknown"]
    story = ok(team.owner.get(f"{team.path}/stories/{seen['added']['id']}"))
    assert (story["current_state"], story["estimate"], story["labels"][0]["name"]) == ("delivered", 2, "assistant")
    told = ok(team.owner.get(f"{team.path}/stories/{story['id']}/activity"))
    assert len(told) == 5 and all(f"{library} write" in a["message"] for a in told)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_token_to_read_changes_nothing(folder, stack, team, library):
    seen = work(folder, library, stack, team, "read")
    assert "add_story" not in seen["tools"] and "show_story" in seen["tools"]
    assert "write" in seen["added"]["refused"]
