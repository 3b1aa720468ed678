// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/progress.h"
#include "lib/bench.h"
#include "lib/execute.h"
#include "lib/file.h"
#include "lib/interrupt.h"
#include "lib/log.h"
#include "lib/need.h"
#include "lib/plan.h"
#include "lib/random.h"
#include "lib/render/render.h"
#include "lib/render/summary.h"
#include "lib/result.h"
#include "lib/trigger.h"

struct stat_options {
	const char *producers, *prod_affinity, *triggers, *events, *output, *label, *timing;
	const char *duration, *warmup, *interval;
	int repeats, verbose;
	u64 seed;
	bool affinity, json, dry_run, no_evidence, quiet;
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
	/* The message of the event parser is two lines with a caret, and stands by itself. */
	if (strchr(why->text, '\n'))
		fprintf(stderr, "%s\n", why->text);
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
					 .prod_affinity = options->prod_affinity,
					 .affinity = options->affinity || options->prod_affinity,
					 .repeats = options->repeats,
					 .timing = timing,
					 .sysfs = "/sys",
					 .seed = options->seed ? options->seed : random__seed()};
	if (cmd__parse_seconds(options->duration, &request->duration_s))
		return why__set(why, -EINVAL, "-d '%s': seconds, as in 1, 0.5 or 200ms",
				options->duration);
	if (cmd__parse_seconds(options->warmup, &request->warmup_s))
		return why__set(why, -EINVAL, "-w '%s': seconds, as in 1, 0.5 or 200ms",
				options->warmup);
	if (cmd__parse_seconds(options->interval, &request->interval_s))
		return why__set(why, -EINVAL, "--interval '%s': seconds, as in 0.1 or 100ms",
				options->interval);
	return 0;
}

static void print_dry_run(const struct plan *plan)
{
	char trigger[64], cpus[256];

	cpulist__format(&plan->prod_cpus, cpus, sizeof(cpus));
	for (int i = 0; i < plan->nr_points; i++) {
		const struct point *point = &plan->points[i];

		if (point->trigger)
			trigger__describe(point->trigger, trigger, sizeof(trigger));
		printf("%s\n", point->key);
		printf("    %d run%s x %g s after %g s of warm-up", plan->repeats,
		       plan->repeats == 1 ? "" : "s", plan->duration_ns / 1e9,
		       plan->warmup_ns / 1e9);
		if (plan->affinity)
			printf(", on CPUs %s", cpus);
		if (point->skip.text[0])
			printf("\n    cannot run: %s\n", point->skip.text);
		else
			printf(", %s%s\n", point->trigger ? "trigger " : "in user space",
			       point->trigger ? trigger : "");
	}
	printf("%d runs in random blocks, seed %llu, %.1f s of measuring\n", plan->nr_steps,
	       (unsigned long long)plan->seed, plan__measured_ns(plan) / 1e9);
}

static void warn_about_plan(json_t *result, const struct plan *plan)
{
	char text[160];

	for (int i = 0; i < plan->nr_points; i++) {
		if (plan->points[i].nr_producers <= plan->prod_cpus.nr)
			continue;
		snprintf(text, sizeof(text), "%d producers share %d CPUs: they wait for each other",
			 plan->points[i].nr_producers, plan->prod_cpus.nr);
		result__warn(result, "MORE_PRODUCERS_THAN_CPUS", text);
		return;
	}
}

static json_t *skipped(const struct point *point)
{
	return json_pack("{s:s, s:s, s:n}", "status", "skipped", "reason", point->skip.text,
			 "values");
}

static void run_steps(const struct plan *plan, json_t *result, bool quiet)
{
	struct progress progress;

	progress__start(&progress, plan, quiet);
	for (int i = 0; i < plan->nr_steps && !interrupt__signal(); i++) {
		const struct point *point = &plan->points[plan->steps[i].point];

		progress__step(&progress, i);
		result__add_run(result, plan, i,
				point->skip.text[0] ? skipped(point) : execute__run(plan, point));
	}
	progress__end(&progress);
	if (interrupt__signal())
		result__interrupted(result, interrupt__signal());
}

static void print_warnings(const json_t *result)
{
	const json_t *item;
	size_t i;

	json_array_foreach(json_object_get(result, "warnings"), i, item)
		warning("%s", json__string(item, "text", "?"));
}

/* A temporary that waited for the end of the runs would survive a SIGKILL: try, and remove it. */
static int check_output(const char *path, struct why *why)
{
	struct out_file file;
	int err;

	if (!path)
		return 0;
	if (!*path)
		return why__set(why, -EINVAL, "-o needs the name of a file");
	if (file__is_stream(path) && !access(path, W_OK))
		return 0;
	err = out_file__open(path, &file, why);
	if (!err)
		out_file__abort(&file);
	return err == -EINVAL ? -EIO : err;
}

static int save(const char *path, const char *text, struct why *why)
{
	struct out_file file;
	int err = out_file__open(path, &file, why);

	return err ? err : out_file__commit(&file, text, strlen(text), why);
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
	if (options->json)
		fputs(text, stdout);
	else
		render__stat(result, stdout);
	if (fflush(stdout) || ferror(stdout)) {
		error("cannot write to stdout: %s", strerror(errno));
		err = EXIT_CANNOT;
	}
	if (!options->quiet)
		print_warnings(result);
	if (options->output && save(options->output, text, &why)) {
		error("%s", why.text);
		err = EXIT_CANNOT;
	}
	free(text);
	return err;
}

static int exit_code(const json_t *result)
{
	int ok = 0, failed = 0;
	const json_t *benchmark;
	char missing[128];
	size_t i;

	if (interrupt__signal())
		return 128 + interrupt__signal();
	json_array_foreach(json_object_get(result, "benchmarks"), i, benchmark) {
		struct run_tally tally = summary__tally(benchmark);

		ok += tally.ok;
		failed += tally.failed;
	}
	if (failed)
		return EXIT_CANNOT;
	if (ok)
		return EXIT_DONE;
	/* What the caller may not do is no property of the kernel. */
	need__missing("CAP_BPF, CAP_PERFMON, CAP_NET_ADMIN", missing, sizeof(missing));
	return missing[0] ? EXIT_CANNOT : EXIT_SKIPPED;
}

static int measure(const struct stat_options *options, struct plan *plan, int argc,
		   const char *const *argv)
{
	json_t *result = result__new(plan, argc, argv, options->label);
	int err, code;

	warn_about_plan(result, plan);
	run_steps(plan, result, options->quiet);
	err = deliver(options, result);
	code = exit_code(result);
	json_decref(result);
	return code ? code : err;
}

int cmd_stat(int argc, const char **argv)
{
	struct stat_options o = {.duration = "1",
				 .warmup = "0.2",
				 .interval = "0.1",
				 .repeats = 5,
				 .affinity = true,
				 .timing = "native"};
	const struct option options[] = {
		OPT_GROUP("Workload"),
		OPT_STRING('p', "producers", &o.producers, "N[,N...]",
			   "producer threads; a list makes a sweep"),
		OPT_BOOLEAN('a', "affinity", &o.affinity,
			    "pin the producers (the default); --no-affinity floats them"),
		OPT_STRING(0, "prod-affinity", &o.prod_affinity, "CPUS",
			   "CPUs for the producers, in turn; a list such as 0-3,8"),
		OPT_STRING(0, "trigger", &o.triggers, "NAME[,NAME...]",
			   "what makes the BPF program run; the default is the first that works"),
		OPT_GROUP("Time"),
		OPT_STRING('d', "duration", &o.duration, "SEC", "measured time of a run (1)"),
		OPT_STRING('w', "warmup", &o.warmup, "SEC",
			   "time before it that does not count (0.2)"),
		OPT_STRING(0, "interval", &o.interval, "SEC",
			   "length of the intervals of a run (0.1)"),
		OPT_INTEGER('r', "repeat", &o.repeats, "number of runs (5)"),
		OPT_U64(0, "seed", &o.seed, "order of the runs; the default is drawn, and stored"),
		OPT_GROUP("Evidence"),
		OPT_STRING('e', "event", &o.events, "EVENT[,EVENT...]",
			   "counters, in perf's names; none opens no counter"),
		OPT_BOOLEAN(0, "no-evidence", &o.no_evidence, "no runs beside the clean ones"),
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", &o.output, "FILE", "write the result document"),
		OPT_BOOLEAN('j', "json", &o.json, "print the result document instead of text"),
		OPT_BOOLEAN('n', "dry-run", &o.dry_run, "print what would be done, and do nothing"),
		OPT_STRING(0, "label", &o.label, "TEXT", "a name for this result"),
		OPT_STRING(0, "timing", &o.timing, "KIND",
			   "native, emulated or icount; a guest cannot know"),
		OPT_INCR('v', "verbose", &o.verbose, "what libbpf and libperf say"),
		OPT_BOOLEAN('q', "quiet", &o.quiet, "no progress and no warnings"),
		OPT_END()};
	const char **all = memcpy(calloc(argc + 1, sizeof(*all)), argv, argc * sizeof(*all));
	struct plan_request request;
	struct plan *plan = NULL;
	struct why why = {0};
	int words, err;

	words = cmd__parse(argc, argv, options, &help);
	log__set_level(o.verbose ? LOG_DEBUG : o.quiet ? LOG_ERROR : LOG_WARNING);
	err = make_request(&o, words, argv, &request, &why);
	err = err ?: plan__build(&request, &plan, &why);
	err = err ?: plan__add_sensor(plan, "counters", o.events, &why);
	err = err ?: check_output(o.dry_run ? NULL : o.output, &why);
	if (!err && interrupt__init())
		err = why__errno(&why, -errno, "cannot handle signals");
	if (!err) {
		execute__probe(plan);
		if (o.dry_run)
			print_dry_run(plan);
		else
			err = measure(&o, plan, argc, all);
	} else {
		err = fail(err, &why);
	}
	plan__free(plan);
	free(all);
	return err;
}
