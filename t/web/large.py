"""A project as large as the figures of the board are for."""

from concurrent.futures import ThreadPoolExecutor

from world import new_project, ok

WORDS = "Borrowers see which tools are free on the day on which they want to come by".split()


def fill(client, unstarted=1200, unscheduled=780, started=20):
    """A project with so many stories of each kind; its id."""
    project = new_project(client, initial_velocity=20)["id"]
    labels = [ok(client.post(f"/projects/{project}/labels", {"name": f"label {n}"}))["id"]
              for n in range(20)]

    def add(n):
        state = ("started" if n < started else
                 "unstarted" if n < started + unstarted else "unscheduled")
        ok(client.post(f"/projects/{project}/stories?fields=id", {
            "name": f"{n} " + " ".join(WORDS[:4 + n % 9]), "current_state": state,
            "estimate": n % 4, "label_ids": [labels[n % 20]] if n % 3 else []}))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(started + unstarted + unscheduled)))
    return project
