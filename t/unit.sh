#!/usr/bin/env bash
# The Criterion tests, as TAP for `make check`. UNIT_TESTS in the environment is a pattern of
# suite/test (unit-tests --filter), to run only some of them.
if [ -n "${HAVE_CRITERION:-}" ]; then
	echo "1..0 # SKIP Criterion is missing (Debian: libcriterion-dev), so no unit test was run"
	exit 0
fi
if [ ! -w /dev/shm ]; then
	echo "Bail out! Criterion needs a /dev/shm that this user can write to"
	exit 1
fi
exec ./unit-tests --tap=- --quiet ${UNIT_TESTS:+--filter "$UNIT_TESTS"}
