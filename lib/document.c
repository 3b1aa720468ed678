// SPDX-License-Identifier: GPL-2.0-only
#include "lib/document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/file.h"
#include "lib/why.h"

#define PARSE_FLAGS (JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY)

/*
 * The outermost object is taken apart here, member by member and benchmark by benchmark, and
 * jansson parses each of those: only this way can a benchmark be trimmed before the next one
 * takes memory.
 */
struct parser {
	const char *data;
	size_t len, pos;
	json_t *document;
	document_trim trim;
	struct why *why;
	struct why first_fault; /* of a benchmark: told only if this is a document at all */
};

/* What the position is called by an editor. Columns are bytes, as jansson counts them. */
static void locate(const struct parser *p, size_t pos, int *ret_line, int *ret_column)
{
	*ret_line = 1;
	*ret_column = 1;
	for (size_t i = 0; i < pos && i < p->len; i++) {
		++*ret_column;
		if (p->data[i] == '\n') {
			++*ret_line;
			*ret_column = 1;
		}
	}
}

__attribute__((format(printf, 3, 4))) static int fail_at(struct parser *p, size_t pos,
							 const char *fmt, ...)
{
	char text[400];
	int line, column;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	locate(p, pos, &line, &column);
	return why__set(p->why, -EINVAL, "line %d, column %d: %s", line, column, text);
}

static void skip_space(struct parser *p)
{
	while (p->pos < p->len && strchr(" \t\r\n", p->data[p->pos]) && p->data[p->pos])
		p->pos++;
}

/* The next character that is no blank; 0 at the end. */
static char peek(struct parser *p)
{
	skip_space(p);
	return p->pos < p->len ? p->data[p->pos] : '\0';
}

static int expect(struct parser *p, char wanted)
{
	if (peek(p) != wanted && p->pos >= p->len)
		return fail_at(p, p->pos, "'%c' expected, but the file ends here", wanted);
	if (peek(p) != wanted)
		return fail_at(p, p->pos, "'%c' expected", wanted);
	p->pos++;
	return 0;
}

/* jansson counts lines and columns from where it was told to begin. */
static int fail_json(struct parser *p, size_t start, const json_error_t *error)
{
	int line, column;

	if (json_error_code(error) == json_error_out_of_memory)
		return why__set(p->why, -ENOMEM, "out of memory");
	locate(p, start, &line, &column);
	column = error->line > 1 ? error->column : column + error->column - 1;
	line += error->line - 1;
	return why__set(p->why, -EINVAL, "line %d, column %d: %s", line, column < 1 ? 1 : column,
			error->text);
}

/* A new reference; NULL and `why` if there is no value at the position. */
static json_t *parse_value(struct parser *p)
{
	json_error_t error;
	json_t *value;
	size_t start;

	skip_space(p);
	start = p->pos;
	value = json_loadb(p->data + start, p->len - start, PARSE_FLAGS, &error);
	if (!value) {
		fail_json(p, start, &error);
		return NULL;
	}
	p->pos = start + error.position;
	return value;
}

static int parse_benchmark(struct parser *p, json_t *benchmarks)
{
	size_t index = json_array_size(benchmarks);
	json_t *benchmark = parse_value(p);

	if (!benchmark)
		return -EINVAL;
	if (!p->first_fault.text[0])
		document__check_benchmark(benchmark, index, &p->first_fault);
	if (!p->first_fault.text[0] && p->trim)
		p->trim(benchmark);
	/* Of one that is refused in the end nothing needs to be kept. */
	if (p->first_fault.text[0]) {
		json_decref(benchmark);
		benchmark = json_object();
	}
	return json_array_append_new(benchmarks, benchmark) ? why__errno(p->why, -ENOMEM, "json")
							    : 0;
}

static int parse_benchmarks(struct parser *p, json_t *benchmarks)
{
	int err = expect(p, '[');

	if (err || peek(p) == ']') {
		p->pos++;
		return err;
	}
	for (;;) {
		if (json_array_size(benchmarks) >= DOCUMENT_MAX_BENCHMARKS)
			return fail_at(p, p->pos, "more than %d benchmarks",
				       DOCUMENT_MAX_BENCHMARKS);
		err = parse_benchmark(p, benchmarks);
		if (err)
			return err;
		if (peek(p) != ',')
			return expect(p, ']');
		p->pos++;
	}
}

static int parse_member(struct parser *p)
{
	json_t *key, *value;
	size_t start;
	int err = 0;

	if (peek(p) != '"')
		return fail_at(p, p->pos, "a key in quotes is expected");
	start = p->pos;
	key = parse_value(p);
	if (!key)
		return -EINVAL;
	if (json_object_get(p->document, json_string_value(key)))
		err = fail_at(p, start, "duplicate key '%.40s'", json_string_value(key));
	err = err ?: expect(p, ':');
	if (!err && !strcmp(json_string_value(key), "benchmarks") && peek(p) == '[') {
		value = json_array();
		err = parse_benchmarks(p, value);
	} else {
		value = err ? NULL : parse_value(p);
		err = err ?: value ? 0 : -EINVAL;
	}
	if (!err && json_object_set(p->document, json_string_value(key), value))
		err = why__errno(p->why, -ENOMEM, "json");
	json_decref(value);
	json_decref(key);
	return err;
}

static int parse_document(struct parser *p)
{
	int err;

	if (!peek(p) && p->pos >= p->len)
		return why__set(p->why, -EINVAL, "is empty");
	err = expect(p, '{');
	if (!err && peek(p) == '}')
		p->pos++;
	else
		while (!err) {
			err = parse_member(p);
			if (err || peek(p) != ',')
				break;
			p->pos++;
		}
	if (!err && json_object_size(p->document))
		err = expect(p, '}');
	skip_space(p);
	if (!err && p->pos < p->len)
		err = fail_at(p, p->pos, "something follows the document");
	return err;
}

/*
 * What jansson takes for it, to the nearest tenth or so (x86-64, measured), from the punctuation
 * outside of strings: 60 MB of "{}," become 4.6 GB.
 */
static size_t memory_for(const char *data, size_t len)
{
	size_t need = len;
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		char c = data[i];

		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted)
			need += c == '{' ? 192 : c == '[' ? 128 : c == ':' ? 80 : c == ',' ? 40 : 0;
	}
	return need;
}

/* The text of a message may quote the file: nothing of it reaches a terminal as it is. */
static void defuse(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || (unsigned char)*text >= 0x7f)
			*text = '?';
}

int document__parse(const char *name, const char *data, size_t len, document_trim trim,
		    json_t **ret, struct why *why)
{
	struct why inner = {0};
	struct parser p = {
		.data = data, .len = len, .document = json_object(), .trim = trim, .why = &inner};
	int err = p.document ? 0 : why__errno(&inner, -ENOMEM, "json");

	if (!err && memory_for(data, len) > DOCUMENT_MAX_MEMORY)
		err = why__set(&inner, -EINVAL, "would take more than %lu MiB of memory",
			       DOCUMENT_MAX_MEMORY >> 20);
	err = err ?: parse_document(&p);
	err = err ?: document__check(p.document, &inner);
	/* A benchmark was replaced by {} for this fault, which is the better message. */
	if (err && p.first_fault.text[0] && !strncmp(inner.text, "benchmarks[", 11))
		inner = p.first_fault;
	if (!err) {
		*ret = p.document;
		return 0;
	}
	json_decref(p.document);
	defuse(inner.text);
	return why__set(why, err, "'%.200s': %.430s", name, inner.text);
}

static int check_kind(const char *path, struct why *why)
{
	struct stat st;

	if (stat(path, &st))
		return why__errno(why, -errno, "cannot read '%.200s'", path);
	if (S_ISDIR(st.st_mode))
		return why__set(why, -EISDIR, "cannot read '%.200s': it is a folder", path);
	if (!S_ISREG(st.st_mode))
		return why__set(why, -EINVAL,
				"cannot read '%.200s': it is no regular file (a pipe is read from "
				"standard input, as '-')",
				path);
	return 0;
}

int document__load(const char *path, document_trim trim, json_t **ret, struct why *why)
{
	bool is_stdin = !strcmp(path, "-");
	char *data = NULL;
	size_t len;
	int err = is_stdin ? 0 : check_kind(path, why);

	if (!err)
		err = file__read(is_stdin ? "/dev/stdin" : path, DOCUMENT_MAX_BYTES, &data, &len,
				 why);
	if (!err)
		err = document__parse(is_stdin ? "standard input" : path, data, len, trim, ret,
				      why);
	free(data);
	return err;
}
