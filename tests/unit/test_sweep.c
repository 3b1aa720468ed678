// SPDX-License-Identifier: GPL-2.0-only
#include "lib/sweep.h"

#include <errno.h>
#include <string.h>

#include "lib/why.h"
#include "tests/unit/machine.h"
#include "tests/unit/unit.h"

struct toy_args {
	uint64_t size, keys;
};

static const struct param toy_params[] = {
	PARAM_NUMBER(struct toy_args, size, 1000, 1, 20000, "entries"),
	PARAM_WORD(struct toy_args, keys, "absent|one", "which keys"),
	{0},
};

static const struct bench_alias toy_aliases[] = {
	{"old-toy", "keys=one  size=7"},
	{"plain-toy", NULL},
	{0},
};

/* Size 13 brings bad luck, with more than one producer. */
static int toy_validate(const void *data, int nr_producers, struct why *why)
{
	const struct toy_args *args = data;

	if (args->size == 13 && nr_producers > 1)
		return why__set(why, -EINVAL, "toy: size=13 needs one producer");
	return 0;
}

static int toy_open(struct run *run)
{
	(void)run;
	return 0;
}

BENCH(toy, .name = "toy-map", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .aliases = toy_aliases, .params = toy_params, .args_size = sizeof(struct toy_args),
      .validate = toy_validate, .open = toy_open, .check = idle_check);
BENCH(idle, .name = "idle-cpu", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .every_cpu = true, .work = idle_work, .check = idle_check);

static int toy_consume(struct consumer *consumer)
{
	(void)consumer;
	return 0;
}

/* One for each thousand entries. */
static int toy_consumers(const void *args)
{
	return ((const struct toy_args *)args)->size / 1000;
}

BENCH(rings, .name = "toy-rings", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .params = toy_params, .args_size = sizeof(struct toy_args), .consumers = 1,
      .nr_consumers = toy_consumers, .open = toy_open, .consume = toy_consume, .check = idle_check);
BENCH(ring, .name = "toy-ring", .summary = "nothing", .op = "nothing", .checked = "nothing",
      .consumers = 1, .open = toy_open, .consume = toy_consume, .check = idle_check);

/* The keys of all points, in lines; for the caller to free. */
static char *keys_of(const struct plan *plan)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (int i = 0; i < plan->nr_points; i++)
		fprintf(out, "%s\n", plan->points[i].key);
	fclose(out);
	return text;
}

static void makes_request(const struct plan_request *request, const char *keys)
{
	struct plan *plan;
	struct why why;
	char *text;

	ck_assert_msg(machine__build(request, &plan, &why) == 0, "refused: %s", why.text);
	text = keys_of(plan);
	ck_assert_str_eq(text, keys);
	free(text);
	plan__free(plan);
}

static void makes(const char *const *words, const char *keys)
{
	const struct plan_request request = machine__request(words);

	makes_request(&request, keys);
}

static void refuses_request(const struct plan_request *request, const char *words)
{
	struct plan *plan;
	struct why why;

	ck_assert_int_eq(machine__build(request, &plan, &why), -EINVAL);
	ck_assert_ptr_null(plan);
	ck_assert_str_eq(why.text, words);
}

static void refuses(const char *const *words, const char *text)
{
	const struct plan_request request = machine__request(words);

	refuses_request(&request, text);
}

#define TOY(size, keys, producers) \
	"toy-map/size=" #size "/keys=" #keys "/batch=0/producers=" #producers

START_TEST(test_defaults)
{
	makes(WORDS("toy-map"), TOY(1000, absent, 1) "\n");
	/* One producer for every CPU that is allowed and online. */
	makes(WORDS("idle-cpu"), "idle-cpu/batch=0/producers=5\n");
	makes(WORDS("toy-map,idle-cpu"), TOY(1000, absent, 1) "\nidle-cpu/batch=0/producers=5\n");
	makes(WORDS("idle-cpu", "toy-map"),
	      "idle-cpu/batch=0/producers=5\n" TOY(1000, absent, 1) "\n");
}
END_TEST

/* With --prod-affinity it is one for each CPU of that list; floating, of the machine. */
START_TEST(test_every_cpu)
{
	struct plan_request request = machine__request(WORDS("idle-cpu"));

	request.prod_affinity = "0,2";
	makes_request(&request, "idle-cpu/batch=0/producers=2\n");
	request.prod_affinity = NULL;
	request.affinity = false;
	makes_request(&request, "idle-cpu/batch=0/producers=5\n");
	request.producers = "3";
	makes_request(&request, "idle-cpu/batch=0/producers=3\n");
}
END_TEST

/* The last axis turns fastest: a table of the points reads like a counter. */
START_TEST(test_product)
{
	struct plan_request request =
		machine__request(WORDS("toy-map", "keys=one,absent", "size=5,4"));

	request.producers = "2,1";
	makes_request(&request,
		      TOY(5, one, 2) "\n" TOY(5, one, 1) "\n" TOY(5, absent, 2) "\n" TOY(
			      5, absent, 1) "\n" TOY(4, one,
						     2) "\n" TOY(4, one,
								 1) "\n" TOY(4, absent,
									     2) "\n" TOY(4, absent,
											 1) "\n");
}
END_TEST

START_TEST(test_values_reach_the_struct)
{
	const struct plan_request request =
		machine__request(WORDS("toy-map", "size=5,0x10", "keys=one", "batch=64"));
	const struct toy_args *args[2];
	struct plan *plan;
	struct why why;

	ck_assert_int_eq(machine__build(&request, &plan, &why), 0);
	ck_assert_int_eq(plan->nr_points, 2);
	for (int i = 0; i < 2; i++)
		args[i] = plan->points[i].args;
	ck_assert_uint_eq(args[0]->size, 5);
	ck_assert_uint_eq(args[1]->size, 16);
	ck_assert_uint_eq(args[1]->keys, 1);
	ck_assert_uint_eq(plan->points[1].common.batch, 64);
	ck_assert_int_eq(plan->points[1].nr_producers, 1);
	ck_assert_ptr_null(plan->points[1].trigger_name);
	plan__free(plan);
}
END_TEST

START_TEST(test_aliases)
{
	makes(WORDS("old-toy"), TOY(7, one, 1) "\n");
	makes(WORDS("plain-toy"), TOY(1000, absent, 1) "\n");
	/* What the user says wins, in whatever order it is said. */
	makes(WORDS("old-toy", "size=9"), TOY(9, one, 1) "\n");
	makes(WORDS("size=9", "old-toy"), TOY(9, one, 1) "\n");
	makes(WORDS("old-toy", "size=1,2"), TOY(1, one, 1) "\n" TOY(2, one, 1) "\n");
}
END_TEST

START_TEST(test_said_twice)
{
	makes(WORDS("toy-map", "size=1,2", "size=3"), TOY(3, absent, 1) "\n");
	refuses(WORDS("toy-map", "size=4,5,4"), "toy-map: size: the value '4' stands twice");
	refuses(WORDS("toy-map", "size=16,0x10"), "toy-map: size: the value '0x10' stands twice");
	refuses(WORDS("toy-map", "keys=one,one"), "toy-map: keys: the value 'one' stands twice");
	refuses(WORDS("toy-map,toy-map"), "benchmark 'toy-map' is named twice");
	refuses(WORDS("toy-map", "idle-cpu", "old-toy"), "benchmark 'old-toy' is named twice");
}
END_TEST

START_TEST(test_prefixes)
{
	makes(WORDS("toy-map,idle-cpu", "toy-map:size=3", "batch=8"),
	      "toy-map/size=3/keys=absent/batch=8/producers=1\nidle-cpu/batch=8/producers=5\n");
	makes(WORDS("toy-map,idle-cpu", "idle-cpu:batch=8"),
	      TOY(1000, absent, 1) "\nidle-cpu/batch=8/producers=5\n");
	refuses(WORDS("toy-map,idle-cpu", "size=3"),
		"'idle-cpu' has no parameter 'size' (it has batch)");
	refuses(WORDS("toy-map", "idle-cpu:batch=8"),
		"'idle-cpu:batch=8' is for a benchmark that is not named");
	refuses(WORDS("toy-map", "toy:size=8"),
		"'toy:size=8' is for a benchmark that is not named");
	refuses(WORDS("toy-map", ":size=8"), "':size=8' is for a benchmark that is not named");
}
END_TEST

START_TEST(test_unknown_names)
{
	refuses(WORDS("toy-mop"), "unknown benchmark 'toy-mop': did you mean 'toy-map'? "
				  "('bpfperf list' has them)");
	refuses(WORDS("old-toi"), "unknown benchmark 'old-toi': did you mean 'old-toy'? "
				  "(as the kernel's own bench calls it; 'bpfperf list -v' has such "
				  "names)");
	refuses(WORDS("xyzzy"), "unknown benchmark 'xyzzy' ('bpfperf list' has them)");
	refuses(WORDS("toy-map,"), "unknown benchmark '' ('bpfperf list' has them)");
	refuses(WORDS("toy-map", "sizes=3"), "'toy-map' has no parameter 'sizes': did you mean "
					     "'size'? (it has size, keys, batch)");
	refuses(WORDS("toy-map", "x=3"),
		"'toy-map' has no parameter 'x' (it has size, keys, batch)");
	refuses(WORDS("toy-map", "=3"), "'toy-map' has no parameter '' (it has size, keys, batch)");
	/* -p has an option of its own, and is no word. */
	refuses(WORDS("toy-map", "-p=3"),
		"'toy-map' has no parameter '-p' (it has size, keys, batch)");
	refuses(WORDS("size=3"), "no benchmark named ('bpfperf list' has them)");
	refuses(WORDS(NULL), "no benchmark named ('bpfperf list' has them)");
}
END_TEST

START_TEST(test_values_refused)
{
	refuses(WORDS("toy-map", "size=0"),
		"toy-map: size='0' is out of range: 1..20000, default 1000");
	refuses(WORDS("toy-map", "size="),
		"toy-map: size='' is not understood: 1..20000, default 1000");
	refuses(WORDS("toy-map", "size=1,,2"),
		"toy-map: size='' is not understood: 1..20000, default 1000");
	refuses(WORDS("toy-map", "keys=two"), "toy-map: keys='two' is not understood: absent, one");
}
END_TEST

START_TEST(test_long_words)
{
	char word[1000];

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	memcpy(word + 600, "=3", 2);
	for (int i = 0; i < 2; i++) {
		const struct plan_request request = machine__request(WORDS("toy-map", word));
		struct plan *plan;
		struct why why;

		ck_assert_int_eq(machine__build(&request, &plan, &why), -EINVAL);
		ck_assert_uint_lt(strlen(why.text), sizeof(why.text));
		ck_assert_ptr_nonnull(strstr(why.text, "toy-map"));
		memcpy(word, "size=", 5);
	}
}
END_TEST

START_TEST(test_producers)
{
	struct plan_request request = machine__request(WORDS("toy-map"));

	request.producers = "1,2,1024";
	makes_request(&request, TOY(1000, absent, 1) "\n" TOY(1000, absent,
							      2) "\n" TOY(1000, absent, 1024) "\n");
	request.producers = "0";
	refuses_request(&request, "-p='0' is out of range: 1..1024, default 1");
	request.producers = "1025";
	refuses_request(&request, "-p='1025' is out of range: 1..1024, default 1");
	request.producers = "2,2";
	refuses_request(&request, "-p: the value '2' stands twice");
	request.producers = "";
	refuses_request(&request, "-p='' is not understood: 1..1024, default 1");
}
END_TEST

START_TEST(test_consumers)
{
	struct plan_request request = machine__request(WORDS("toy-ring"));
	struct plan *plan;
	struct why why;

	ck_assert_int_eq(machine__build(&request, &plan, &why), 0);
	ck_assert_int_eq(plan->points[0].nr_consumers, 1);
	plan__free(plan);
	request.consumers = "2,1";
	request.producers = "3,4";
	ck_assert_int_eq(machine__build(&request, &plan, &why), 0);
	ck_assert_int_eq(plan->nr_points, 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(plan->points[i].nr_producers, 3 + i / 2);
		ck_assert_int_eq(plan->points[i].nr_consumers, 2 - i % 2);
	}
	plan__free(plan);
	request.consumers = "1025";
	refuses_request(&request, "-c='1025' is out of range: 0..1024, default 0");
	request.words = WORDS("toy-map");
	request.consumers = "0,1";
	refuses_request(&request, "-c: 'toy-map' has no consumers");
}
END_TEST

/* Where the settings decide, -c can only agree. */
START_TEST(test_consumers_by_settings)
{
	struct plan_request request = machine__request(WORDS("toy-rings", "size=3000,2000"));
	struct plan *plan;
	struct why why;

	ck_assert_int_eq(machine__build(&request, &plan, &why), 0);
	ck_assert_int_eq(plan->points[0].nr_consumers, 3);
	ck_assert_int_eq(plan->points[1].nr_consumers, 2);
	plan__free(plan);
	request.consumers = "2";
	refuses_request(&request, "-c 2: 'toy-rings' has 3 consumer(s) with these settings");
	request.words = WORDS("toy-rings", "size=2000");
	ck_assert_int_eq(machine__build(&request, &plan, &why), 0);
	ck_assert_int_eq(plan->points[0].nr_consumers, 2);
	plan__free(plan);
}
END_TEST

START_TEST(test_triggers)
{
	struct plan_request request = machine__request(WORDS("toy-map", "keys=absent,one"));

	request.triggers = "fentry,prog-run:xdp";
	makes_request(
		&request,
		TOY(1000, absent, 1) "/trigger=fentry\n" TOY(1000, absent, 1) "/trigger=prog-run:xdp\n" TOY(
			1000, one, 1) "/trigger=fentry\n" TOY(1000, one,
							      1) "/trigger=prog-run:xdp\n");
	request.triggers = "fentrx";
	refuses_request(&request, "unknown trigger 'fentrx': did you mean 'fentry'? "
				  "('bpfperf list' has them)");
	request.triggers = "fentry,kprobe,fentry";
	refuses_request(&request, "--trigger: the name 'fentry' stands twice");
	request.triggers = "";
	refuses_request(&request, "unknown trigger '' ('bpfperf list' has them)");
}
END_TEST

/* In user space nothing is triggered, but a name that does not exist is a mistake all the same. */
START_TEST(test_triggers_in_user_space)
{
	struct plan_request request = machine__request(WORDS("idle-cpu,toy-map"));

	request.triggers = "fentry,kprobe";
	makes_request(&request,
		      "idle-cpu/batch=0/producers=5\n" TOY(1000, absent, 1) "/trigger=fentry\n" TOY(
			      1000, absent, 1) "/trigger=kprobe\n");
	request.words = WORDS("idle-cpu");
	request.nr_words = 1;
	request.triggers = "xyzzy";
	refuses_request(&request, "unknown trigger 'xyzzy' ('bpfperf list' has them)");
}
END_TEST

START_TEST(test_validate)
{
	struct plan_request request = machine__request(WORDS("toy-map", "size=12,13"));

	request.producers = "1";
	makes_request(&request, TOY(12, absent, 1) "\n" TOY(13, absent, 1) "\n");
	/* One point that cannot be is enough. */
	request.producers = "1,2";
	refuses_request(&request, "toy: size=13 needs one producer");
}
END_TEST

/* "1,2,...,nr" as values of `size`; for the caller to free. */
static char *many_sizes(int nr)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("size=", out);
	for (int i = 1; i <= nr; i++)
		fprintf(out, "%s%d", i > 1 ? "," : "", i);
	fclose(out);
	return text;
}

START_TEST(test_too_many_points)
{
	const char *words = "the sweep has more than 10000 points";
	char *sizes = many_sizes(5000), *more = many_sizes(5001);
	struct plan_request request = machine__request(WORDS("toy-map", sizes, "keys=one,absent"));
	char *prefixed = NULL;
	struct plan *plan;
	struct why why;

	ck_assert_int_gt(asprintf(&prefixed, "toy-map:%s", sizes), 0);
	ck_assert_int_eq(machine__build(&request, &plan, &why), 0);
	ck_assert_int_eq(plan->nr_points, 10000);
	ck_assert_str_eq(plan->points[9999].key, TOY(5000, absent, 1));
	plan__free(plan);
	refuses(WORDS("toy-map", more, "keys=one,absent"), words);
	/* The limit is one of the plan, not of each benchmark. */
	request.words = WORDS("toy-map,idle-cpu", prefixed, "toy-map:keys=one,absent");
	request.nr_words = 3;
	refuses_request(&request, words);
	free(prefixed);
	free(sizes);
	free(more);
}
END_TEST

UNIT_MAIN("sweep", test_defaults, test_every_cpu, test_product, test_values_reach_the_struct,
	  test_aliases, test_said_twice, test_prefixes, test_unknown_names, test_values_refused,
	  test_long_words, test_producers, test_consumers, test_consumers_by_settings,
	  test_triggers, test_triggers_in_user_space, test_validate, test_too_many_points)
