# SPDX-License-Identifier: GPL-2.0-only
# R --slave -f wilcox.R >wilcox.json: tests and sizes that R computes, for tests/unit.

numbers <- function(v) paste0("[", paste(sprintf("%.17g", v), collapse = ", "), "]")
far <- function(sums, sum, mean) mean(abs(sums - mean) >= abs(sum - mean) - 1e-9)

# Exact with ties too, which wilcox.test() is not: by going through all of them.
permuted <- function(x, y) {
	r <- rank(c(x, y))
	n <- length(x)
	far(combn(r, n, sum), sum(r[1:n]), n * (length(r) + 1) / 2)
}
permuted_signs <- function(d) {
	r <- rank(abs(d))
	signs <- as.matrix(expand.grid(rep(list(0:1), length(d))))
	far(signs %*% r, sum(r[d > 0]), sum(r) / 2)
}

# Is there an interval of 95 % at all? Where there is none, R gives one of another level.
reaches <- function(n, m, paired) (if (paired) 2 / 2^n else 2 / choose(n + m, n)) <= 0.05

# R takes the statistic of y; its p is two-sided.
separator <- ""
row <- function(name, x, y, paired, exact, permute) {
	command <- sprintf("wilcox.test(y, x, paired = %s, exact = %s, conf.int = TRUE)",
		paired, exact)
	t <- eval(parse(text = command))
	cat(separator, "  {\n", sep = "")
	separator <<- ",\n"
	cat(sprintf("   \"name\": \"%s\",\n   \"command\": \"%s\",\n", name, command))
	cat(sprintf("   \"paired\": %s,\n   \"exact\": %s,\n", tolower(paired), tolower(exact)))
	cat(sprintf("   \"x\": %s,\n   \"y\": %s,\n", numbers(x), numbers(y)))
	cat(sprintf("   \"statistic\": %.17g,\n   \"p\": %.17g", t$statistic, t$p.value))
	if (exact) cat(sprintf(",\n   \"estimate\": %.17g,\n   \"interval\": %s", t$estimate,
		if (reaches(length(x), length(y), paired)) numbers(t$conf.int) else "null"))
	if (permute) cat(sprintf(",\n   \"p_permuted\": %.17g",
		if (paired) permuted_signs(y - x) else permuted(x, y)))
	cat("\n  }")
}

set.seed(6)
draw <- function(n, mean, sd = 1) round(rnorm(n, mean, sd), 4)

cat("{\n \"tool\": \"", R.version.string, "\",\n", sep = "")
cat(" \"command\": \"R --slave -f wilcox.R\",\n \"cases\": [\n")
row("4 and 4, apart", c(1, 2, 3, 4), c(5, 6, 7, 8), FALSE, TRUE, TRUE)
row("5 and 5", draw(5, 100), draw(5, 101), FALSE, TRUE, TRUE)
row("5 and 9", draw(5, 100), draw(9, 100.5, 2), FALSE, TRUE, TRUE)
row("10 and 10, no change", draw(10, 100), draw(10, 100), FALSE, TRUE, TRUE)
row("10 and 10, 2 % slower", draw(10, 100), draw(10, 102), FALSE, TRUE, TRUE)
row("20 and 15", draw(20, 100), draw(15, 100.7), FALSE, TRUE, FALSE)
row("49 and 49", draw(49, 100), draw(49, 100.4), FALSE, TRUE, FALSE)
row("60 and 55, normal", draw(60, 100), draw(55, 100.3), FALSE, FALSE, FALSE)
row("ties across", c(1, 2, 2, 3, 5, 5), c(2, 3, 5, 6, 6, 7), FALSE, FALSE, TRUE)
row("ties within", c(10, 10, 10, 11, 11), c(12, 12, 13, 11, 12, 12, 14), FALSE, FALSE, TRUE)
row("counts", c(3, 0, 1, 0, 0, 2, 0, 1), c(1, 4, 0, 2, 5, 0, 3, 3, 6), FALSE, FALSE, TRUE)
row("6 pairs, apart", c(200.1, 201.5, 203, 204.8, 206.1, 207.7),
	c(196, 198.2, 199.1, 200.3, 202.4, 203), TRUE, TRUE, TRUE)
row("10 pairs", draw(10, 100), draw(10, 100.5), TRUE, TRUE, TRUE)
row("15 pairs", draw(15, 100), draw(15, 100.8), TRUE, TRUE, TRUE)
row("49 pairs", draw(49, 100), draw(49, 100.3), TRUE, TRUE, FALSE)
row("60 pairs, normal", draw(60, 100), draw(60, 100.2), TRUE, FALSE, FALSE)
row("pairs with ties", rep(5, 8), c(6, 7, 6, 4, 8, 7, 6, 9), TRUE, FALSE, TRUE)

# Smallest sides, and the end of what is exact: 49 a side, beyond which R itself goes on, too.
row("3 and 3, apart", c(1, 2, 3), c(4, 5, 6), FALSE, TRUE, TRUE)
row("3 and 3, mixed", draw(3, 100), draw(3, 100.2), FALSE, TRUE, TRUE)
row("3 and 3, ties", c(1, 2, 2), c(2, 3, 3), FALSE, FALSE, TRUE)
row("1 and 5", draw(1, 100), draw(5, 101), FALSE, TRUE, TRUE)
row("2 and 12", draw(2, 100), draw(12, 101), FALSE, TRUE, TRUE)
row("4 and 11, wider", draw(4, 100), draw(11, 100, 5), FALSE, TRUE, TRUE)
row("25 and 25", draw(25, 100), draw(25, 100.4), FALSE, TRUE, FALSE)
row("25 and 25, rounded", round(draw(25, 100), 0), round(draw(25, 100.6), 0), FALSE, FALSE, FALSE)
row("30 and 7", draw(30, 100), draw(7, 100.9), FALSE, TRUE, FALSE)
row("7 and 30, turned round", draw(7, 100.9), draw(30, 100), FALSE, TRUE, FALSE)
row("49 and 3", draw(49, 100), draw(3, 101.5), FALSE, TRUE, FALSE)
row("49 and 49, far apart", draw(49, 100), draw(49, 103), FALSE, TRUE, FALSE)
row("50 and 49, normal", draw(50, 100), draw(49, 100.5), FALSE, FALSE, FALSE)
row("50 and 4, normal", draw(50, 100), draw(4, 101), FALSE, FALSE, FALSE)
row("100 and 80, normal", draw(100, 100), draw(80, 100.2), FALSE, FALSE, FALSE)
row("200 and 200, normal, ties", round(draw(200, 100), 1), round(draw(200, 100.2), 1), FALSE,
	FALSE, FALSE)
row("10 and 10, many ties", c(1, 1, 1, 2, 2, 2, 2, 3, 3, 4), c(2, 2, 3, 3, 3, 3, 4, 4, 5, 5),
	FALSE, FALSE, TRUE)
row("10 and 10, two values", c(0, 0, 0, 0, 0, 0, 0, 1, 1, 1), c(0, 0, 1, 1, 1, 1, 1, 1, 1, 1),
	FALSE, FALSE, TRUE)
row("10 and 10, one value differs", rep(7, 10), c(rep(7, 9), 8), FALSE, FALSE, TRUE)
row("10 and 10, all below", draw(10, 103), draw(10, 98), FALSE, TRUE, TRUE)
row("9 and 11, skewed", draw(9, 100) + 1, 100 + round(rexp(11), 4), FALSE, TRUE, TRUE)
row("12 and 8, zero and more", c(rep(0, 8), 1, 2, 3, 4), c(0, 0, 1, 2, 3, 4, 5, 6), FALSE, FALSE,
	TRUE)

row("5 pairs", draw(5, 100), draw(5, 101), TRUE, TRUE, TRUE)
row("7 pairs, all up", c(1, 2, 3, 4, 5, 6, 7), c(1.5, 3, 4.25, 6, 7.125, 9, 10.0625), TRUE, TRUE,
	TRUE)
row("25 pairs", draw(25, 100), draw(25, 100.4), TRUE, TRUE, FALSE)
row("10 pairs, many ties", rep(10, 10), c(11, 11, 11, 12, 12, 9, 9, 8, 13, 11), TRUE, FALSE, TRUE)
row("50 pairs, normal", draw(50, 100), draw(50, 100.3), TRUE, FALSE, FALSE)
row("100 pairs, normal, ties", rep(100, 100), 100 + sample(c(-3:-1, 1:4), 100, TRUE), TRUE, FALSE,
	FALSE)

cat("\n ],\n \"power\": [")
separator <- "\n"
size <- function(sd, effect, type) power.t.test(delta = log(1 + effect), sd = sd, power = 0.9,
	type = type, strict = TRUE, tol = 1e-10)$n
for (p in list(c(0.005, 0.005), c(0.005, 0.01), c(0.005, 0.02), c(0.01, 0.005), c(0.01, 0.01),
	c(0.01, 0.02), c(0.02, 0.01), c(0.02, 0.02), c(0.02, 0.05), c(0.03, 0.02), c(0.03, 0.05))) {
	cat(separator, sprintf("  {\"sd\": %g, \"effect\": %g, \"power\": 0.9, ", p[1], p[2]),
		sprintf("\"n\": %.10g, \"paired_n\": %.10g}",
			size(p[1], p[2], "two.sample"), size(p[1], p[2], "paired")), sep = "")
	separator <- ",\n"
}
cat("\n ]\n}\n")
