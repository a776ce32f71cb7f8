#include <criterion/criterion.h>

#include "model/field_fault.h"
#include "model/model.h"
#include "model/part_kinds.h"
#include "model/things.h"

#define KEPT (F_WRITE | F_STORED | F_TOLD)

static const struct story preset = { .deadline = 0, .estimate = 0 };
static const struct resource of = { .kind = "story", .table = "story", .preset = &preset };

static void expect(struct field f, const char *fault)
{
	const char *found = field_fault(&of, &f);
	if (fault)
		cr_expect_str_eq(found ? found : "nothing", fault);
	else
		cr_expect_null(found, "%s", found);
}

Test(field_fault, rows_in_order)
{
	expect((struct field){ "a", FT_STRING, KEPT, AT(story, name), .max = 9 }, NULL);
	expect((struct field){ "a", FT_STRING, F_WRITE | F_RULED, .max = 0 }, NULL);
	expect((struct field){ "a", FT_INT, F_SIDE | F_WRITE | F_TOLD, AT(story, rank) }, NULL);
}

Test(field_fault, what_is_forgotten)
{
	expect((struct field){ "a", FT_STRING, KEPT, .max = 9 },
		"is stored but has no place in its struct");
	expect((struct field){ "a", FT_STRING, F_WRITE | F_STORED, AT(story, name), .max = 9 },
		"is neither told nor untold");
	expect((struct field){ "a", FT_STRING, F_WRITE | F_TOLD, AT(story, name), .max = 9 },
		"is written or told, but not stored");
	expect((struct field){ "a", FT_STRING, KEPT, AT(story, name) },
		"is a text without a .max, and not F_RULED");
}

Test(field_fault, numbers_begin_as_none)
{
	static const char zero[] = "begins as 0: the preset must say what a new one has, or NIL";
	expect((struct field){ "a", FT_TIME, KEPT, AT(story, deadline) }, zero);
	expect((struct field){ "a", FT_FLOAT, KEPT, AT(story, estimate) }, zero);
}

Test(field_fault, a_member_of_another_type)
{
	static const char other[] = "has a member of another C type than object.h says";
	expect((struct field){ "a", FT_STRING, KEPT, AT(story, deadline), .max = 9 }, other);
	expect((struct field){ "a", FT_INT, KEPT, AT(story, estimate) }, other);
	expect((struct field){ "a", FT_BOOL, KEPT | F_NULL, AT(task, complete) }, other);
	expect((struct field){ "a", FT_IDS, KEPT, AT(story, name) }, other);
}

Test(field_fault, each_part_of_a_story_is_saved_below_it)
{
#define EXPECT(one, ...)                                                                           \
	cr_expect(res_##one.table, "res_" #one " has no .table");                                  \
	cr_expect_eq(res_##one.depth, 2, "res_" #one " has no .depth = 2");                        \
	cr_expect(res_##one.is_versioned, "res_" #one " is not .is_versioned");
	STORY_PARTS(EXPECT)
#undef EXPECT
}
