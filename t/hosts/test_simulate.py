#!/usr/bin/env python3
"""The arithmetic of t/hosts/simulate, with numbers that you can check in your head."""

import importlib.machinery
import importlib.util
import json
import math
import pathlib
import unittest

PATH = pathlib.Path(__file__).with_name("simulate")
LOADER = importlib.machinery.SourceFileLoader("simulate", str(PATH))
s = importlib.util.module_from_spec(importlib.util.spec_from_loader("simulate", LOADER))
LOADER.exec_module(s)

READ = {"web_us": 100, "worker_us": 200, "database_us": 700, "answer_bytes": 1}
WRITE = {**READ, "wal_bytes": 1000, "image_bytes": 9000, "disk_bytes": 2000}
COSTS = {"poll": READ, "list": READ, "gate": {**READ, "database_us": 300}, "edit": WRITE}
A_SECOND = s.HOURS * 3600 / s.PEAK / s.TEAM  # with so many requests per person, a team sends one per second at the peak


class Simulate(unittest.TestCase):
    def figures(self, teams=1000, **asked):
        return s.figures(COSTS, teams, {kind: number * A_SECOND for kind, number in asked.items()})

    def test_processors_are_rate_times_cost(self):
        f = self.figures(poll=1)
        self.assertAlmostEqual(f["requests"], 1000)
        self.assertAlmostEqual(f["web"], 0.1)
        self.assertAlmostEqual(f["workers"], 0.2)
        self.assertAlmostEqual(f["database"], 0.7)

    def test_a_standby_takes_what_is_behind_the_gate_and_nothing_of_a_feed_or_a_command(self):
        self.assertAlmostEqual(self.figures(list=1)["leader"], 0.3)
        self.assertAlmostEqual(self.figures(poll=1)["leader"], 0.7)
        self.assertAlmostEqual(self.figures(edit=1)["leader"], 0.7)

    def test_a_worker_is_held_for_its_time_the_database_and_the_way(self):
        busy = 1000 * (200 + 700 + s.WAIT_US["read"]) / 1e6
        self.assertEqual(self.figures(poll=1)["connections"], math.ceil(busy / s.USED))
        self.assertEqual(self.figures(teams=1, poll=0.001)["connections"], 4)

    def test_seldom_writes_pay_for_whole_pages_and_frequent_ones_do_not(self):
        seldom = self.figures(edit=1e-6)
        self.assertAlmostEqual(seldom["log"] / seldom["writes"], 10000, delta=5)
        often = self.figures(edit=100)
        self.assertAlmostEqual(often["log"] / often["writes"], 1000, delta=1)
        self.assertEqual(s.first_share(0), 1)

    def test_a_day_and_a_year(self):
        f = s.figures(COSTS, 10, {"edit": 3})
        self.assertEqual(f["commands_day"], 150)
        self.assertEqual(f["disk_year"], 150 * s.DAYS * 2000)
        self.assertEqual(f["files_year"], 50 * s.DAYS * s.FILE_BYTES)

    def test_twice_the_teams_take_twice_as_much(self):
        costs = json.loads(s.COSTS.read_text())["costs"]
        one, two = s.figures(costs, 5000), s.figures(costs, 10000)
        for part in ("requests", "web", "workers", "database", "leader", "log", "log_day", "disk_year", "boards"):
            self.assertAlmostEqual(two[part], 2 * one[part], delta=abs(one[part]) * 1e-9)

    def test_no_more_boards_than_people(self):
        self.assertEqual(self.figures(poll=1)["boards"], 5000)

    def test_each_threshold_is_the_first_that_needs_its_step(self):
        costs = json.loads(s.COSTS.read_text())["costs"]
        for name, _ in s.STEPS[1:]:
            first = s.first_teams(costs, name)
            self.assertIn(name, s.steps(s.figures(costs, first)))
            self.assertNotIn(name, s.steps(s.figures(costs, first - 1)))

    def test_polls_do_not_outnumber_their_time(self):
        """Polls that bring news replace empty ones."""
        asked = {kind: number for kind, (number, _) in s.requests().items()}
        self.assertAlmostEqual(asked["poll"] + asked["news"], s.IN_USE * 1440 + s.IDLE * 240)

    def test_numbers_are_short(self):
        self.assertEqual([s.short(n) for n in (0, 0.0001, 0.01234, 0.5, 1.26, 5, 12.4, 123, 12345, 999999)],
                         ["0", "< 0.001", "0.012", "0.50", "1.3", "5", "12", "120", "12,000", "1,000,000"])

    def test_the_page_keeps_what_is_around_the_tables(self):
        page = "a\n<!-- simulate: x -->\nold\n<!-- end of x -->\nb\n"
        new = s.filled(page, {"x": "new"})
        self.assertEqual(new, page.replace("old", "new"))
        self.assertEqual(s.filled(new, {"x": "new"}), new)


if __name__ == "__main__":
    unittest.main()
