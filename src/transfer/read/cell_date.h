/*
 * Parser of dates and times in tables: `Oct 2, 2023`, `2023-10-02`, `10/2/2023`, `2/10/23`,
 * `2.10.2023`, `2-Oct-23`, `01/Jan/06`, a spreadsheet's number of the day (45201), each with or
 * without a time (`3:04 PM`, `15:04:05 UTC`, `T15:04:05.123+02:00`). Whether the day or the month
 * comes first in `2/10/23` is one thing for the whole file: the command says it, or a day above 12
 * shows it. So all cells are surveyed first, then it is settled, then they are read. Whether many
 * dates come out in the future, or in a wrong order, is weighed on the way: then the order is
 * asked for, too, before anything is read.
 */
#ifndef CELL_DATE_H
#define CELL_DATE_H

#include "transfer/common/intake.h"

struct cell_dates {
	int order; /* 'm', 'd'; 0: not settled yet */
	/* What the survey saw, as the places of the first such dates; line 0: none. */
	struct intake_place month_first, day_first, either;
	/* Rows with dates, and for each order those that cannot be right, with the first of them. */
	int64_t rows;
	struct cell_dates_doubt {
		int64_t rows;
		struct intake_place first;
	} month_doubt, day_doubt;
};

enum cell_date { CELL_DATE_NONE, CELL_DATE_READ, CELL_DATE_BAD };

void cell_date_survey(struct cell_dates *d, struct str cell, struct intake_place at);

/* A row's two dates, the second of which is not before the first; today as intake.h has it. */
void cell_date_weigh(struct cell_dates *d, struct str first, struct str second, int32_t today,
	struct intake_place at);

/* False: it cannot be settled, and a remark refuses the file. */
bool cell_date_settle(struct cell_dates *d, struct intake *in);

/* CELL_DATE_NONE: the cell is blank. Midnight without a zone is how spreadsheets show a day. */
enum cell_date cell_date_read(
	const struct cell_dates *d, struct str cell, struct record_when *when);

/* `Mon D, YYYY` and nothing else, as comments end in. */
bool cell_date_words(struct str s, int32_t *day);

#endif
