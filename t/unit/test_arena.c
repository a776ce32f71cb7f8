#include <criterion/criterion.h>

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "lib/arena.h"

static bool is_zero(const char *p, size_t n)
{
	while (n > 0 && p[n - 1] == 0)
		n--;
	return n == 0;
}

Test(arena, gives_zeroed_and_aligned_pieces)
{
	struct arena a = { 0 };

	for (int round = 0; round < 3; round++) {
		for (size_t size = 0; size < 3000; size += 7) {
			char *p = arena_alloc(&a, size);
			cr_expect_not_null(p);
			cr_expect_eq((uintptr_t)p % alignof(max_align_t), 0);
			cr_expect(is_zero(p, size));
			memset(p, 0xaa, size);
		}
		arena_reset(&a);
		cr_expect_eq(a.used, 0);
	}
	arena_free(&a);
	cr_assert_null(a.blocks);
}

Test(arena, pieces_do_not_overlap)
{
	enum { N = 400 };
	static const size_t sizes[] = { 1, 40, 5000, 100, 300000, 16 };
	struct arena a = { 0 };
	unsigned char *p[N];

	for (size_t i = 0; i < N; i++) {
		size_t size = sizes[i % 6];
		p[i] = memset(arena_alloc(&a, size), (int)(i % 251), size);
	}
	for (size_t i = 0; i < N; i++) {
		size_t size = sizes[i % 6];
		cr_expect_eq(p[i][0], i % 251);
		cr_expect_eq(p[i][size - 1], i % 251);
	}
	cr_assert_geq(a.used, N / 6 * 300000);
	arena_reset(&a);
	arena_reset(&a);
	arena_free(&a);
}

Test(arena, copies_strings)
{
	struct arena a = { 0 };
	struct str s = arena_str(&a, (struct str){ "abcd", 2 });

	cr_assert_str_eq(s.p, "ab");
	cr_assert_eq(s.n, 2);
	cr_assert_not_null(arena_str(&a, STR("")).p);
	cr_assert_null(arena_str(&a, str_of(NULL)).p);
	s = arena_printf(&a, "%s is %d", "x", 5);
	cr_assert_str_eq(s.p, "x is 5");
	cr_assert_eq(s.n, 6);
	arena_free(&a);
}

Test(arena, makes_arrays)
{
	struct arena a = { 0 };
	int64_t *v = arena_array(&a, 1000, sizeof(*v));

	cr_assert(is_zero((const char *)v, 8000));
	cr_assert_not_null(arena_array(&a, 0, 8));
	arena_free(&a);
}

Test(arena, overflow_ends_the_process, .exit_code = 1)
{
	struct arena a = { 0 };

	arena_array(&a, SIZE_MAX / 8 + 2, 8);
}

Test(arena, absurd_size_ends_the_process, .exit_code = 1)
{
	struct arena a = { 0 };

	arena_alloc(&a, SIZE_MAX);
}
