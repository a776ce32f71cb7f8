#include "transfer/csv_read.h"
