# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes the inputs and answers that tests/unit/oracle_*.c compare src/stats with:
#
#   cd tests/oracle && Rscript stats.R
#
# Base R alone; the files next to this script were written by R 4.2.2. Every row
# is: what is asked, its parameters, arrays with their length in front, answers.
# Numbers have 17 digits, so that C reads what R computed with. The fixed seed
# makes the files the same at every run.

set.seed(20240611, kind = "Mersenne-Twister", normal.kind = "Inversion")

out <- NULL
open_file <- function(name) out <<- file(name, "w")
close_file <- function() close(out)
number <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))
array_of <- function(x) c(length(x), number(x))
row <- function(what, ...) {
  fields <- lapply(list(...), function(x) if (is.character(x)) x else number(x))
  writeLines(paste(c(what, unlist(fields)), collapse = ","), out)
}

# Values as they occur: near normal, skewed, with stalls, two groups, a coarse clock (dithered).
draw <- list(
  normal = function(n) rnorm(n, 0.002, 0.01),
  lognormal = function(n) rlnorm(n, -4, 1) - exp(-4),
  stalls = function(n) rnorm(n, 0, 0.01) + ifelse(runif(n) < 0.1, 2, 0),
  groups = function(n) rnorm(n, 0, 0.005) + ifelse(runif(n) < 0.35, 0.1, 0),
  dithered = function(n) round(rnorm(n, 0.003, 0.01), 2) + 0.01 * (runif(n) - 0.5)
)

# --- location.csv: Hodges-Lehmann estimates, intervals and exact p ----------------------------

bounded <- function(quantile, interval) if (quantile == 0) c(-Inf, Inf) else interval

paired <- function(d, alpha) {
  w <- suppressWarnings(wilcox.test(d, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE))
  row("paired", alpha, array_of(d), unname(w$estimate),
      bounded(qsignrank(alpha / 2, length(d)), w$conf.int), w$p.value)
}
two_sample <- function(a, b, alpha) {
  w <- suppressWarnings(wilcox.test(b, a, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE))
  row("two", alpha, array_of(a), array_of(b), unname(w$estimate),
      bounded(qwilcox(alpha / 2, length(b), length(a)), w$conf.int), w$p.value)
}
# Ties and zeros, beyond the exact range: the normal approximation.
approximate_signed <- function(d)
  row("signed_normal", array_of(d), wilcox.test(d, exact = FALSE, correct = TRUE)$p.value)
approximate_sum <- function(a, b)
  row("sum_normal", array_of(a), array_of(b),
      wilcox.test(b, a, exact = FALSE, correct = TRUE)$p.value)

open_file("location.csv")
for (shape in names(draw)) {
  for (n in c(1:12, 14, 20, 28, 40, 49))
    for (alpha in c(0.05, 0.0050, 0.2)) paired(draw[[shape]](n), alpha)
  for (size in list(c(1, 1), c(3, 3), c(4, 4), c(2, 9), c(7, 5), c(10, 10), c(13, 30), c(49, 49)))
    for (alpha in c(0.05, 0.01)) two_sample(draw[[shape]](size[1]), draw[[shape]](size[2]), alpha)
}
for (n in c(220, 500)) approximate_signed(round(rnorm(n, 0.05, 1), 1))
for (n in c(60, 120)) approximate_sum(round(rnorm(n, 0, 1), 1), round(rnorm(n + 7, 0.2, 1), 1))
close_file()

# --- quantiles.csv: null distributions of the rank statistics ----------------------------------

open_file("quantiles.csv")
for (n in c(1:60, 80, 100, 113, 160, 200, 300))
  for (p in c(0.5, 0.1, 0.025, 0.0125, 0.005, 0.0025, 1e-4, 1e-6)) row("signed", p, n, qsignrank(p, n))
for (n in c(1:12, 20, 35, 50))
  for (m in c(1:12, 20, 35, 50))
    for (p in c(0.5, 0.025, 0.005, 1e-5)) row("sum", p, n, m, qwilcox(p, n, m))
close_file()

# --- tests.csv: the tests behind the warnings --------------------------------------------------

open_file("tests.csv")
for (shape in names(draw)) for (size in list(c(2, 2), c(4, 4), c(3, 17), c(30, 25))) {
  a <- draw[[shape]](size[1])
  b <- draw[[shape]](size[2])
  for (alpha in c(0.05, 0.01)) {
    w <- t.test(b, a, conf.level = 1 - alpha)
    row("welch", alpha, array_of(a), array_of(b), mean(b) - mean(a), w$conf.int, unname(w$statistic),
        unname(w$parameter), w$p.value)
  }
}
# cor.test shifts S by 1 on the negative side before its t approximation; the plain one is meant.
for (n in c(5, 20, 77)) for (digits in c(1, 9)) {
  x <- round(rnorm(n), digits)
  y <- round(0.3 * x + rnorm(n), digits)
  if (cor(x, y, method = "spearman") < 0) y <- -y
  s <- suppressWarnings(cor.test(x, y, method = "spearman", exact = FALSE))
  row("spearman", array_of(x), array_of(y), unname(s$estimate), s$p.value)
}
for (i in 1:60) {
  t <- rpois(4, sample(c(1, 5, 20, 60), 1))
  row("fisher", t, fisher.test(matrix(t, 2, byrow = TRUE))$p.value)
}
for (t in list(c(0, 0, 3, 4), c(6, 0, 0, 6), c(1, 9, 11, 3), c(500, 520, 480, 500)))
  row("fisher", t, fisher.test(matrix(t, 2, byrow = TRUE))$p.value)
for (n in c(1, 2, 8, 9, 40, 75)) for (x in unique(c(0, 1, n %/% 3, n %/% 2, n)))
  for (p in c(0.5, 0.2)) if (x <= n) row("binomial", x, n, p, binom.test(x, n, p)$p.value)
for (n in c(1, 2, 7, 20)) {
  p <- round(runif(n)^4, 3)
  row("holm", array_of(p), p.adjust(p, "holm"))
}
for (shape in names(draw)) for (n in c(1, 2, 5, 10, 37)) {
  x <- draw[[shape]](n)
  for (p in c(0, 0.1, 0.25, 0.5, 0.9, 1)) row("quantile", p, array_of(x), unname(quantile(x, p)))
  row("mad", array_of(x), mad(x))
  row("median", array_of(x), median(x))
  row("mean", array_of(x), mean(x))
  row("deviation", array_of(x), sd(x))
}
x <- 1e9 + c(4, 7, 13, 16)
row("deviation", array_of(x), sqrt(30))
for (p in c(1e-12, 0.0025, 0.02, 0.3, 0.5, 0.975)) row("normal_quantile", p, qnorm(p))
close_file()

# --- looks.csv: boundaries of planned looks, by another quadrature ------------------------------
# Gauss-Legendre nodes from the eigenvalues of the Jacobi matrix (Golub & Welsch 1969) in place of
# Simpson's rule, and plain root finding.

legendre <- function(n) {
  i <- seq_len(n - 1)
  b <- i / sqrt(4 * i^2 - 1)
  jacobi <- matrix(0, n, n)
  jacobi[cbind(i, i + 1)] <- jacobi[cbind(i + 1, i)] <- b
  e <- eigen(jacobi, symmetric = TRUE)
  list(x = e$values, w = 2 * e$vectors[1, ]^2)
}
rule <- legendre(160)

# Boundaries at pairs n (ascending) for the cumulative chances spent.
boundaries <- function(n, spent) {
  z <- -qnorm(spent[1] / 2)
  bound <- z[1] * sqrt(n[1])
  u <- bound * rule$x
  mass <- bound * rule$w * dnorm(u, 0, sqrt(n[1]))
  for (k in seq_along(n)[-1]) {
    sd <- sqrt(n[k] - n[k - 1])
    exit <- function(z) {
      c <- z * sqrt(n[k])
      sum(mass * (pnorm((u - c) / sd) + pnorm((-c - u) / sd)))
    }
    z[k] <- uniroot(function(z) exit(z) - (spent[k] - spent[k - 1]), c(0, 10), tol = 1e-12)$root
    bound <- z[k] * sqrt(n[k])
    s <- bound * rule$x
    mass <- bound * rule$w * as.vector(dnorm(outer(s, u, "-"), 0, sd) %*% mass)
    u <- s
  }
  z
}
# asked, extended, confidence, share; the pairs of the looks are given, not computed.
plan <- function(asked, extended, confidence, share, n) {
  spent <- ifelse(n <= asked, 0.8 * n / asked, 0.8 + 0.2 * (1 - asked / n)) * (1 - confidence) / share
  row("plan", asked, extended, confidence, share, array_of(n), boundaries(n, spent))
}
# The looks of a plan over asked pairs before n, then all of the 80 % at n, then extensions of n.
cut <- function(asked, n, extended, confidence, share, before, after) {
  spent <- c(0.8 * before / asked, 0.8, 0.8 + 0.2 * (1 - n / after)) * (1 - confidence) / share
  all <- c(before, n, after)
  row("cut", asked, n, extended, confidence, share, array_of(all), boundaries(all, spent))
}

open_file("looks.csv")
plan(10, 10, 0.95, 1, 10)
plan(6, 24, 0.95, 1, c(6, 12, 24))
plan(20, 80, 0.95, 1, c(10, 14, 20, 40, 80))
plan(40, 40, 0.95, 1, c(10, 14, 20, 28, 40))
plan(80, 640, 0.95, 1, c(10, 14, 20, 28, 40, 57, 80, 160, 320, 640))
plan(80, 159, 0.95, 1, c(10, 14, 20, 28, 40, 57, 80))
plan(80, 160, 0.95, 2, c(10, 14, 20, 28, 40, 57, 80, 160))
plan(80, 80, 0.95, 3, c(14, 20, 28, 40, 57, 80)) # 10 pairs cannot reach 0.04/24
plan(80, 80, 0.99, 1, c(14, 20, 28, 40, 57, 80))
plan(80, 80, 0.8, 1, c(10, 14, 20, 28, 40, 57, 80))
plan(64, 64, 0.95, 1, c(10, 14, 20, 28, 40, 64)) # 57 is too near to 64
plan(1000, 2000, 0.95, 1, c(14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 453, 640, 1000, 2000))
cut(80, 33, 132, 0.95, 1, c(10, 14, 20, 28), c(66, 132))
cut(80, 58, 58, 0.95, 1, c(10, 14, 20, 28, 40, 57), NULL)
cut(80, 9, 36, 0.95, 1, NULL, c(18, 36))
cut(80, 20, 50, 0.9, 2, c(10, 14), 40)
cut(1000, 641, 641, 0.95, 1, c(14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 453, 640), NULL)
close_file()
