#include "transfer_print.h"

#include <string.h>

void transfer_print_record(struct buf *to, enum intake_kind kind, const struct record *record)
{
	struct json j;
	json_init(&j, to);
	if (kind == INTAKE_PERSON) {
		record_value_print(&j, record_get(record, "person"));
		return;
	}
	json_object(&j);
	for (size_t i = 0; i < record->n; i++) {
		json_key_str(&j, record->values[i].name);
		record_value_print(&j, &record->values[i]);
	}
	json_object_end(&j);
}

static enum rc put(struct intake *in, enum intake_kind kind, struct intake_place at,
	const struct record *record)
{
	struct transfer_print *p = (struct transfer_print *)in;
	p->records++;
	if (!p->quiet) {
		buf_printf(&p->out, "%s %lld:%lld ", intake_kinds[kind], (long long)at.line,
			(long long)at.row);
		transfer_print_record(&p->out, kind, record);
		buf_put_char(&p->out, '\n');
	}
	return p->ends;
}

static void remark(struct intake *in, const struct intake_remark *r)
{
	static const char *const words[] = { "note", "changed", "lost", "error" };
	struct transfer_print *p = (struct transfer_print *)in;
	p->errors += r->severity == INTAKE_ERROR;
	if (p->quiet)
		return;
	buf_printf(&p->out, "%s %lld:%lld ", words[r->severity], (long long)r->at.line,
		(long long)r->at.row);
	if (r->id == NIL)
		buf_put_z(&p->out, "-");
	else
		buf_put_int(&p->out, r->id);
	buf_printf(&p->out, " %s [%s] %.*s\n", r->code, r->column ? r->column : "",
		(int)r->message.n, r->message.p);
}

static bool is_name(struct intake *in, struct str name)
{
	struct transfer_print *p = (struct transfer_print *)in;
	for (int i = 0; i < p->n_names; i++)
		if (str_equal(p->names[i], name))
			return true;
	return false;
}

void transfer_print_init(struct transfer_print *p)
{
	*p = (struct transfer_print){
		.in = { .put = put, .remark = remark, .is_name = is_name, .project_id = NIL },
	};
}

/* The piece that is being read; absent at the end. */
static struct str now(const struct transfer_bytes *b)
{
	if (b->turn > b->times)
		return (struct str){ NULL, 0 };
	return b->turn < 0 ? b->head : b->turn < b->times ? b->piece : b->tail;
}

static int64_t read_bytes(struct intake_bytes *bytes, void *to, size_t n)
{
	struct transfer_bytes *b = (struct transfer_bytes *)bytes;
	size_t done = 0;
	if (b->fails)
		return -1;
	if (b->step && b->step < n)
		n = b->step;
	while (done < n && b->turn <= b->times) {
		struct str s = now(b);
		size_t k = s.n - b->at < n - done ? s.n - b->at : n - done;
		if (k)
			memcpy((char *)to + done, s.p + b->at, k);
		done += k;
		b->at += k;
		if (b->at == s.n) {
			b->at = 0;
			b->turn++;
		}
	}
	return (int64_t)done;
}

static bool rewind_bytes(struct intake_bytes *bytes)
{
	struct transfer_bytes *b = (struct transfer_bytes *)bytes;
	b->turn = -1;
	b->at = 0;
	return !b->once;
}

void transfer_bytes_init(
	struct transfer_bytes *b, struct str head, struct str piece, int64_t times, struct str tail)
{
	*b = (struct transfer_bytes){
		.bytes = { read_bytes, rewind_bytes },
		.head = head,
		.piece = piece,
		.tail = tail,
		.times = times,
		.turn = -1,
	};
}
