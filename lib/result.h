/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPFPERF_LIB_RESULT_H
#define BPFPERF_LIB_RESULT_H

#include <jansson.h>

#include "lib/file.h"
#include "lib/why.h"

struct plan;

#define RESULT_FORMAT "bpfperf-result"
#define RESULT_MAJOR  1
#define RESULT_MINOR  0

/*
 * The result document: all that renderers and comparisons read. Built before the first run, so
 * that an interrupted one is a document too; see Documentation/bpfperf-result.rst.
 */
json_t *result__new(const struct plan *plan, int argc, const char *const *argv, const char *label);

/* A probed plan before it is executed, "bpfperf-plan": what the document will have, and the order. */
json_t *result__plan(const struct plan *plan);

/* Another `id` and `created`: for one that was made from others. */
void result__new_identity(json_t *result);

/* Takes over a run's object: its programs, warnings and trigger move to where they belong. */
void result__add_run(json_t *result, const struct plan *plan, int step, json_t *run);

/* Counts once more what is already there. */
void result__warn(json_t *result, const char *code, const char *text);
/* There are no evidence runs, and why. */
void result__no_evidence(json_t *result, const char *reason);
void result__interrupted(json_t *result, int signal);

/* Bytes of the file or of -j, newline included; for the caller to free(). */
char *result__dump(const json_t *result);

/* Fields of the document that every renderer needs. */
const char *json__string(const json_t *object, const char *key, const char *absent);
double json__number(const json_t *object, const char *key); /* NaN when null or missing */

#endif
