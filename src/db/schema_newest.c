#include "db/schema.h"
#include "lib/str.h"

int64_t schema_number(const struct schema_file *file)
{
	struct str rest = str_of(file->name);
	int64_t number = 0;
	return str_to_int(str_cut(&rest, '_'), &number) ? number : 0;
}

int64_t schema_newest(void)
{
	int64_t newest = 0;
	for (size_t i = 0; i < schema_files_count; i++)
		if (schema_files[i].migration && schema_number(&schema_files[i]) > newest)
			newest = schema_number(&schema_files[i]);
	return newest;
}
