// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/arms.h"
#include "cmd/dry_run.h"
#include "cmd/output.h"
#include "cmd/progress.h"
#include "cmd/stat_exit.h"
#include "lib/bench.h"
#include "lib/execute.h"
#include "lib/interrupt.h"
#include "lib/log.h"
#include "lib/need.h"
#include "lib/plan.h"
#include "lib/precision.h"
#include "lib/random.h"
#include "lib/rank.h"
#include "lib/render/render.h"
#include "lib/result.h"
#include "lib/session.h"
#include "lib/shortage.h"
#include "perf/event.h"

#define MAX_TRACERS 16

/* Defaults of options whose presence matters. */
#define INTERVAL "0.1"
#define MAX_TIME "600"

struct stat_options {
	const char *producers, *consumers, *prod_affinity, *cons_affinity, *triggers;
	const char *duration, *warmup, *interval, *timing;
	const char *events, *tracers[MAX_TRACERS];
	const char *vs, *precision, *max_time;
	const char *output, *separator, *label;
	/* Numbers as typed, NULL: not given; and what check_options() makes of them. */
	const char *repeats_text, *evidence_text, *print_interval, *seed_text;
	uint64_t repeats, evidence_runs, print_interval_ms, seed;
	int nr_tracers, verbose;
	bool affinity, locks, no_evidence, overhead, robust;
	bool json, dry_run, per_thread, quiet;
	struct why why_no_evidence;
};

static const struct help help = {
	.usage = "bpfperf stat [options] BENCH[,BENCH...] [param=value[,value...]]...",
	.text = "Runs a benchmark several times, each time in a process of its own, and prints how\n"
		"fast it went with an error that holds between runs, what one operation costs, and\n"
		"what was counted meanwhile. Several values of a parameter make a sweep.",
	.examples = "    bpfperf stat hashmap-full\n"
		    "    bpfperf stat hashmap-full keys=random churn=0,100 -r 10\n"
		    "    bpfperf stat -p 1,2,4 -e cycles,instructions hashmap-update keys=shared\n"
		    "    bpfperf stat -n hashmap-full prealloc=1,0     # what it would do\n"
		    "    bpfperf stat -o before.json hashmap-full      # keep the result\n",
};

static int usage_error(const struct why *why)
{
	/* Of two lines with a caret, which stands by itself. */
	if (!strncmp(why->text, EVENT_SYNTAX_ERROR, strlen(EVENT_SYNTAX_ERROR)))
		log__as_it_is(why->text);
	else
		error("%s", why->text);
	return EXIT_USAGE;
}

static int fail(int err, const struct why *why)
{
	if (err == -EINVAL)
		return usage_error(why);
	error("%s", why->text);
	return EXIT_CANNOT;
}

static int make_request(const struct stat_options *options, int argc, const char **argv,
			struct plan_request *request, struct why *why)
{
	static const char *const timings[] = {"native", "emulated", "icount"};
	const char *timing = NULL;

	for (size_t i = 0; i < 3; i++)
		if (!strcmp(options->timing, timings[i]))
			timing = timings[i];
	if (!timing)
		return why__set(why, -EINVAL, "--timing is native, emulated or icount");
	*request = (struct plan_request){.words = argv,
					 .nr_words = argc,
					 .producers = options->producers,
					 .triggers = options->triggers,
					 .consumers = options->consumers,
					 .prod_affinity = options->prod_affinity,
					 .cons_affinity = options->cons_affinity,
					 .affinity = options->affinity || options->prod_affinity ||
						     options->cons_affinity,
					 .repeats = options->repeats,
					 .timing = timing,
					 .vs = options->vs,
					 .robust = options->robust,
					 .sysfs = "/sys",
					 .seed = options->seed};
	if (cmd__parse_seconds(options->duration, &request->duration_s))
		return why__set(why, -EINVAL, "-d '%s': seconds, as in 1, 0.5 or 200ms",
				options->duration);
	if (cmd__parse_seconds(options->warmup, &request->warmup_s))
		return why__set(why, -EINVAL, "-w '%s': seconds, as in 1, 0.5 or 200ms",
				options->warmup);
	if (options->print_interval_ms)
		request->interval_s = options->print_interval_ms / 1000.0;
	else if (cmd__parse_seconds(options->interval ? options->interval : INTERVAL,
				    &request->interval_s))
		return why__set(why, -EINVAL, "--interval '%s': seconds, as in 0.1 or 100ms",
				options->interval);
	return 0;
}

static void print_warnings(const json_t *result)
{
	const json_t *item;
	size_t i;

	json_array_foreach(json_object_get(result, "warnings"), i, item)
		warning("%s", json__string(item, "text", "?"));
}

static void print_result(const struct stat_options *options, const json_t *result, const char *text)
{
	if (options->json) {
		fputs(text, stdout);
	} else if (options->separator) {
		render__csv(result, options->separator, stdout);
	} else {
		render__stat(result, stdout);
		arms__print(result, options->output, stdout);
		if (options->per_thread)
			render__per_thread(result, stdout);
		if (options->print_interval_ms)
			render__intervals(result, stdout);
	}
}

/* The result reaches stdout even when the disk is full. */
static int deliver(const struct stat_options *options, const json_t *result)
{
	char *text = result__dump(result);
	struct why why;
	int err = 0;

	if (!text) {
		error("out of memory while writing the result");
		return EXIT_CANNOT;
	}
	print_result(options, result, text);
	if (fflush(stdout) || ferror(stdout)) {
		error("cannot write to stdout: %s", strerror(errno));
		err = EXIT_CANNOT;
	}
	if (!options->quiet)
		print_warnings(result);
	if (options->output && output__save(options->output, text, &why)) {
		error("%s", why.text);
		err = EXIT_CANNOT;
	}
	free(text);
	return err;
}

static void on_step(void *arg, int step)
{
	progress__step(arg, step);
}

static int measure(const struct stat_options *options, struct plan *plan, int argc,
		   const char *const *argv)
{
	json_t *result = result__new(plan, argc, argv, options->label);
	struct progress progress;
	int err, code;

	progress__start(&progress, plan, options->quiet);
	session__run(plan, result, on_step, &progress);
	progress__end(&progress);
	if (options->why_no_evidence.text[0])
		result__no_evidence(result, options->why_no_evidence.text);
	err = deliver(options, result);
	code = stat__exit_code(result);
	json_decref(result);
	return code ? code : err;
}

/* NAME and NAME: are the same. */
static bool is_same_tracer(const char *a, const char *b)
{
	size_t len_a = strlen(a), len_b = strlen(b);

	len_a -= len_a && a[len_a - 1] == ':';
	len_b -= len_b && b[len_b - 1] == ':';
	return len_a == len_b && !strncmp(a, b, len_a);
}

/* "locks" or "rcu-tasks-trace:path=sched", as often as wanted. */
static int on_tracer(const struct option *option, const char *arg, int unset)
{
	struct stat_options *options = option->value;

	(void)unset;
	/* -L by its other name; and what is named twice is wanted once. */
	if (is_same_tracer(arg, "locks")) {
		options->locks = true;
		return 0;
	}
	for (int i = 0; i < options->nr_tracers && i < MAX_TRACERS; i++)
		if (is_same_tracer(arg, options->tracers[i]))
			return 0;
	/* One too many is counted: check_options() has words for it. */
	if (options->nr_tracers < MAX_TRACERS)
		options->tracers[options->nr_tracers] = arg;
	options->nr_tracers++;
	return 0;
}

/* Of a tracer that was asked for: whose refusal it is, and what ends it. */
static int explain(int err, const char *name, struct why *why)
{
	char missing[128], remedy[512];

	need__missing(NEED_BPF, missing, sizeof(missing));
	if (err != -EPERM || !missing[0])
		return err;
	need__remedy(missing, remedy, sizeof(remedy));
	return why__set(why, err, "tracer '%s' cannot run without %s: %s", name, missing, remedy);
}

static int add_tracer(struct plan *plan, const char *word, struct why *why)
{
	const char *colon = strchr(word, ':');
	char name[64];
	int err;

	snprintf(name, sizeof(name), "%.*s", colon ? (int)(colon - word) : (int)strlen(word), word);
	err = plan__add_sensor(plan, ROLE_EVIDENCE, name, colon ? colon + 1 : NULL, why);
	return explain(err, name, why);
}

/*
 * Tracers never run beside the headline: they get runs of their own, one by default and as many
 * as the clean ones when they were asked for. What was not asked for may be missing.
 */
static int add_evidence(struct stat_options *options, struct plan *plan, struct why *why)
{
	bool asked = options->locks || options->nr_tracers;
	int runs = options->evidence_text ? options->evidence_runs : asked ? options->repeats : 1;
	int err = 0;

	if (options->no_evidence || !runs) {
		if (asked)
			return why__set(why, -EINVAL,
					"a tracer was asked for, but no evidence runs");
		return plan__set_roles(plan, 0, options->overhead);
	}
	if (options->locks || !options->nr_tracers) {
		err = plan__add_sensor(plan, ROLE_EVIDENCE, "locks", NULL, why);
		if (err && !options->locks && !shortage__is(err)) {
			options->why_no_evidence = *why;
			return plan__set_roles(plan, 0, options->overhead);
		}
		err = explain(err, "locks", why);
	}
	for (int i = 0; !err && i < options->nr_tracers; i++)
		err = add_tracer(plan, options->tracers[i], why);
	return err ?: plan__set_roles(plan, runs, options->overhead);
}

/* The half width of an interval, of logs, and the time that getting there may take. */
static int set_precision(const struct stat_options *options, struct plan *plan, struct why *why)
{
	const char *max_time = options->max_time ? options->max_time : MAX_TIME;
	double width, seconds;

	if (cmd__parse_seconds(max_time, &seconds) || !(seconds > 0 && seconds <= 864000))
		return why__set(why, -EINVAL,
				"--max-time '%s': seconds, as in 600, and at most 864000",
				max_time);
	if (!options->precision && options->max_time)
		return why__set(why, -EINVAL, "--max-time is the limit of --precision");
	if (!options->precision)
		return 0;
	if (cmd__parse_percent(options->precision, &width))
		return why__set(why, -EINVAL, "--precision '%s': per cent, as in 1%% or 0.5%%",
				options->precision);
	if (options->repeats_text)
		return why__set(why, -EINVAL, "--precision computes the number of runs: no -r");
	plan->precision.width = log1p(width);
	plan->precision.max_ns = seconds * 1e9;
	return 0;
}

static int parse_numbers(struct stat_options *o, struct why *why)
{
	const struct {
		const char *text;
		uint64_t min, max, *value;
		const char *option, *what;
	} numbers[] = {
		{o->repeats_text, 1, 10000, &o->repeats, "-r", "the number of runs"},
		{o->evidence_text, 0, 10000, &o->evidence_runs, "--evidence-runs",
		 "the number of runs"},
		{o->print_interval, 1, 3600000, &o->print_interval_ms, "-I", "milliseconds"},
		{o->seed_text, 0, UINT64_MAX, &o->seed, "--seed", "a number"},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].text && cmd__parse_number(numbers[i].text, numbers[i].min,
							 numbers[i].max, numbers[i].value))
			return why__set(why, -EINVAL, "%s '%.40s': %s, %" PRIu64 "..%" PRIu64,
					numbers[i].option, numbers[i].text, numbers[i].what,
					numbers[i].min, numbers[i].max);
	return 0;
}

/* Options that say the opposite of each other, of which one would be left out in silence. */
static int check_options(struct stat_options *o, struct why *why)
{
	int err = parse_numbers(o, why);

	if (err)
		return err;
	if (o->json && o->separator)
		return why__set(why, -EINVAL, "-j and -x exclude each other");
	if (o->dry_run && o->separator)
		return why__set(why, -EINVAL, "-n prints a plan, as text or with -j: no -x");
	if (o->interval && o->print_interval)
		return why__set(why, -EINVAL,
				"-I and --interval both set the interval: one of "
				"them");
	if (o->no_evidence && o->evidence_text && o->evidence_runs)
		return why__set(why, -EINVAL,
				"--evidence-runs and --no-evidence exclude each other");
	if (!o->affinity && (o->prod_affinity || o->cons_affinity))
		return why__set(why, -EINVAL,
				"--no-affinity floats the threads: without %s, which pins them",
				o->prod_affinity ? "--prod-affinity" : "--cons-affinity");
	if (o->robust && o->vs && !o->repeats_text)
		o->repeats = RANK_MIN_PAIRS;
	if (o->robust && o->vs && o->repeats < RANK_MIN_PAIRS)
		return why__set(why, -EINVAL,
				"--robust judges pairs by their ranks, and %d pairs are the least: "
				"-r %d",
				RANK_MIN_PAIRS, RANK_MIN_PAIRS);
	if (o->nr_tracers > MAX_TRACERS)
		return why__set(why, -EINVAL, "-T: more than %d tracers", MAX_TRACERS);
	return cmd__check_separator(o->separator, why);
}

static int make_plan(struct stat_options *options, int argc, const char **argv, struct plan **ret,
		     struct why *why)
{
	struct plan_request request;
	int err = check_options(options, why);

	err = err ?: make_request(options, argc, argv, &request, why);
	err = err ?: plan__build(&request, ret, why);
	err = err ?: plan__add_sensor(*ret, ROLE_CLEAN, "counters", options->events, why);
	err = err ?: set_precision(options, *ret, why);
	err = err ?: add_evidence(options, *ret, why);
	return err ?: plan__check_size(*ret, why);
}

static int run(struct stat_options *options, int nr_words, const char **words, int argc,
	       const char *const *argv)
{
	struct plan *plan = NULL;
	struct why why = {0};
	int err = make_plan(options, nr_words, words, &plan, &why);

	err = err ?: output__check(options->dry_run ? NULL : options->output, &why);
	if (!err && interrupt__init())
		err = why__errno(&why, -errno, "cannot handle signals");
	if (!err) {
		execute__probe(plan);
		err = plan__check_pairs(plan, &why);
	}
	if (err) {
		plan__free(plan);
		return fail(err, &why);
	}
	if (options->dry_run)
		err = dry_run__print(plan, options->json, options->why_no_evidence.text);
	else
		err = measure(options, plan, argc, argv);
	plan__free(plan);
	return err;
}

int cmd_stat(int argc, const char **argv)
{
	struct stat_options o = {.duration = "1",
				 .warmup = "0.2",
				 .repeats = PRECISION_PILOT,
				 .affinity = true,
				 .timing = "native",
				 .seed = random__seed()};
	const struct option options[] = {
		OPT_GROUP("Workload"),
		OPT_STRING('p', "producers", &o.producers, "N[,N...]",
			   "producer threads; a list makes a sweep"),
		OPT_STRING('c', "consumers", &o.consumers, "N[,N...]",
			   "consumer threads, where the benchmark has some"),
		OPT_BOOLEAN('a', "affinity", &o.affinity,
			    "pin the threads (the default); --no-affinity floats them"),
		OPT_STRING(0, "prod-affinity", &o.prod_affinity, "CPUS",
			   "CPUs for the producers, in turn; a list such as 0-3,8"),
		OPT_STRING(0, "cons-affinity", &o.cons_affinity, "CPUS",
			   "CPUs for the consumers; the default is those after the producers'"),
		OPT_STRING(0, "trigger", &o.triggers, "NAME[,NAME...]",
			   "what makes the BPF program run; the default is the first that works"),
		OPT_GROUP("Time"),
		OPT_STRING('d', "duration", &o.duration, "SEC", "measured time of a run (1)"),
		OPT_STRING('w', "warmup", &o.warmup, "SEC",
			   "time before it that does not count (0.2)"),
		OPT_STRING(0, "interval", &o.interval, "SEC",
			   "length of the intervals of a run (0.1)"),
		OPT_STRING('r', "repeat", &o.repeats_text, "N", "number of runs (5)"),
		OPT_STRING(0, "precision", &o.precision, "PERCENT",
			   "as many runs as this half width of the interval needs"),
		OPT_STRING(0, "max-time", &o.max_time, "SEC",
			   "the longest that --precision may go on (600)"),
		OPT_STRING(0, "seed", &o.seed_text, "N",
			   "order of the runs; the default is drawn, and stored"),
		OPT_GROUP("Comparison"),
		OPT_STRING(0, "vs", &o.vs, "PARAM=VALUE|same",
			   "a second arm, in random pairs with the first; see 'compare'"),
		OPT_BOOLEAN(0, "robust", &o.robust,
			    "compare by ranks later: decided before anybody saw the runs"),
		OPT_GROUP("Evidence"),
		OPT_STRING('e', "event", &o.events, "EVENT[,EVENT...]",
			   "counters, in perf's names; '-e none' opens none"),
		OPT_BOOLEAN('L', "locks", &o.locks, "lock waits in as many runs as the clean ones"),
		OPT_CALLBACK('T', "tracer", &o, "NAME[:OPTIONS]",
			     "a tracer, in runs of its own ('bpfperf list' has them)", on_tracer),
		OPT_STRING(0, "evidence-runs", &o.evidence_text, "N",
			   "runs with tracers (1; with -L or -T as -r)"),
		OPT_BOOLEAN(0, "no-evidence", &o.no_evidence, "no runs beside the clean ones"),
		OPT_BOOLEAN(0, "overhead", &o.overhead,
			    "a run without counters beside each clean one: what they cost"),
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", &o.output, "FILE", "write the result document"),
		OPT_BOOLEAN('j', "json", &o.json, "print the result document instead of text"),
		OPT_STRING('x', "field-separator", &o.separator, "SEP",
			   "print rows with this separator"),
		OPT_STRING('I', "interval-print", &o.print_interval, "MS",
			   "print the intervals too, of this many ms"),
		OPT_BOOLEAN(0, "per-thread", &o.per_thread, "print the counters of each producer"),
		OPT_BOOLEAN('n', "dry-run", &o.dry_run,
			    "print what would be done, with -j as JSON, and measure nothing"),
		OPT_STRING(0, "label", &o.label, "TEXT", "a name for this result"),
		OPT_STRING(0, "timing", &o.timing, "KIND",
			   "native, emulated or icount; a guest cannot know"),
		OPT_INCR('v', "verbose", &o.verbose, "what libbpf and libperf say"),
		OPT_BOOLEAN('q', "quiet", &o.quiet, "no progress and no warnings"),
		OPT_END()};
	const char **all = memcpy(calloc(argc + 1, sizeof(*all)), argv, argc * sizeof(*all));
	int words = cmd__parse(argc, argv, options, &help), code;

	log__set_level(o.verbose ? LOG_DEBUG : o.quiet ? LOG_ERROR : LOG_WARNING);
	code = run(&o, words, argv, argc, all);
	free(all);
	return code;
}
