# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes judge.csv, whole judgements that tests/unit/judge_oracle.c compares
# src/judge with: values of both sides in, change, interval, p and verdict out.
#
#   cd tests/oracle && Rscript judge.R
#
# The pipeline is written here a second time, from docs/method.md and on base R
# alone (wilcox.test, t.test, p.adjust, quantile), sharing nothing with the C
# code but the splitmix64 constants. Written by R 4.2.2; the seed is fixed.

set.seed(20240612, kind = "Mersenne-Twister", normal.kind = "Inversion")

out <- file("judge.csv", "w")
number <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))
row <- function(what, ...) {
  fields <- lapply(list(...), number)
  writeLines(paste(c(what, unlist(fields)), collapse = ","), out)
}
array_of <- function(x) c(length(x), x)

# --- splitmix64 on four limbs of 16 bits, lowest first ------------------------------------------

limbs <- function(hex)
  as.numeric(strtoi(substring(hex, c(13, 9, 5, 1), c(16, 12, 8, 4)), 16L))
of_number <- function(x) floor(x / 65536^(0:3)) %% 65536
carry <- function(v) {
  for (i in 1:4) {
    if (i < 4) v[i + 1] <- v[i + 1] + floor(v[i] / 65536)
    v[i] <- v[i] %% 65536
  }
  v
}
add <- function(a, b) carry(a + b)
times <- function(a, b) {
  v <- numeric(4)
  for (i in 1:4) for (j in 1:(5 - i)) {
    product <- a[i] * b[j]
    v[i + j - 1] <- v[i + j - 1] + product %% 65536
    if (i + j <= 4) v[i + j] <- v[i + j] + floor(product / 65536)
  }
  carry(v)
}
right <- function(v, bits) {
  whole <- bits %/% 16
  rest <- bits %% 16
  v <- c(v, 0, 0, 0, 0, 0)[1:5 + whole]
  floor(v[1:4] / 2^rest) + (v[2:5] %% 2^rest) * 2^(16 - rest)
}
xor <- function(a, b) as.numeric(mapply(bitwXor, a, b))
splitmix <- function(state) {
  z <- add(state, limbs("9e3779b97f4a7c15"))
  z <- times(xor(z, right(z, 30)), limbs("bf58476d1ce4e5b9"))
  z <- times(xor(z, right(z, 27)), limbs("94d049bb133111eb"))
  xor(z, right(z, 31))
}
uniform <- function(state) sum(right(splitmix(of_number(state)), 11) * 65536^(0:3)) * 2^-53

# --- the pipeline -------------------------------------------------------------------------------

dither <- function(x, q, seed, side)
  x + q * (sapply(seq_along(x) - 1, function(i) uniform(seed + 2 * i + side)) - 0.5)

prepare <- function(a, b, q, seed) {
  span <- function(x) diff(quantile(x, c(0.1, 0.9), type = 7, names = FALSE))
  guard <- if (q > 0 && (span(a) < 2 * q || span(b) < 2 * q)) q / min(median(a), median(b)) else 0
  if (q > 0 && anyDuplicated(c(a, b)) > 0)
    list(a = dither(a, q, seed, 0), b = dither(b, q, seed, 1), guard = guard)
  else
    list(a = a, b = b, guard = guard)
}

bartels_p <- function(d) {
  n <- length(d)
  r <- rank(d)
  ratio <- sum(diff(r)^2) / sum((r - mean(r))^2)
  pnorm((ratio - 2) / sqrt(4 * (n - 2) * (5 * n^2 - 2 * n - 9) / (5 * n * (n + 1) * (n - 1)^2)))
}
unstable <- function(d)
  length(d) >= 20 && (bartels_p(d) < 0.01 ||
    cor.test(seq_along(d), d, method = "spearman", exact = FALSE)$p.value < 0.01)

# Numbers of enum verdict.
BETTER <- 1; WORSE <- 2; EQUIVALENT <- 4; UNDECIDED <- 6

decide <- function(low, high, margin, n, floor) {
  if (n < floor) UNDECIDED
  else if (low > -margin && high < margin) EQUIVALENT
  else if (high < 0) BETTER
  else if (low > 0) WORSE
  else UNDECIDED
}

# Nothing varies on either side: the effect is known to the clock's step.
judge_constant <- function(a, b, q, sign, margin, floor) {
  n <- min(length(a), length(b))
  guard <- if (q > 0) q / min(a, b) else 0
  cost <- sign * log(b[1] / a[1])
  half <- if (n < floor) Inf else guard
  list(estimate = cost, low = cost - half, high = cost + half, p = NA, guard = guard,
       verdict = decide(cost - half, cost + half, log1p(margin), n, floor))
}
is_constant <- function(x) length(unique(x)) == 1

# Of all pairs, and where the effect wanders also of two to four consecutive parts.
bounds <- function(d, alpha) {
  one <- function(d)
    if (qsignrank(alpha / 2, length(d)) == 0 || length(d) < 6) c(-Inf, Inf) else
      as.numeric(suppressWarnings(
        wilcox.test(d, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE))$conf.int)
  if (!unstable(d)) return(one(d))
  least <- 10
  while (2^(1 - least) >= alpha) least <- least + 1
  parts <- min(4, length(d) %/% least)
  if (parts < 2) return(c(-Inf, Inf))
  ends <- (0:parts * length(d)) %/% parts
  range(one(d), sapply(seq_len(parts), function(k) one(d[(ends[k] + 1):ends[k + 1]])))
}

judge_pairs <- function(a, b, q, seed, sign, margin, alpha) {
  if (is_constant(a) && is_constant(b)) return(judge_constant(a, b, q, sign, margin, 6))
  p <- prepare(a, b, q, seed)
  d <- sign * log(p$b / p$a)
  w <- suppressWarnings(wilcox.test(d, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE))
  interval <- bounds(d, alpha)
  list(estimate = unname(w$estimate), low = interval[1] - p$guard, high = interval[2] + p$guard,
       p = w$p.value, guard = p$guard,
       verdict = decide(interval[1] - p$guard, interval[2] + p$guard, log1p(margin), length(d), 6))
}

judge_lists <- function(a, b, q, seed, sign, margin, alpha) {
  p <- prepare(a, b, q, seed)
  x <- sign * log(p$a)
  y <- sign * log(p$b)
  w <- suppressWarnings(wilcox.test(y, x, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE))
  interval <- if (qwilcox(alpha / 2, length(x), length(y)) == 0 ||
                  min(length(x), length(y)) < 4) c(-Inf, Inf) else as.numeric(w$conf.int)
  raw <- if (anyDuplicated(c(a, b)) > 0) NA else wilcox.test(a, b, exact = TRUE)$p.value
  welch <- t.test(sign * log(b), sign * log(a), conf.level = 1 - alpha)
  list(estimate = unname(w$estimate), low = interval[1] - p$guard, high = interval[2] + p$guard,
       p = raw, guard = p$guard, welch = c(as.numeric(welch$conf.int), welch$p.value),
       verdict = decide(interval[1] - p$guard, interval[2] + p$guard, log1p(margin),
                        min(length(x), length(y)), 4))
}

# Costs as they are shown: raw ratios, whatever the direction.
shown <- function(sign, low, high) {
  raw <- sort(sign * c(low, high))
  ifelse(is.infinite(raw), raw, expm1(raw))
}

# --- cases --------------------------------------------------------------------------------------

noise <- list(function(n) exp(rnorm(n, 0, 0.005)), function(n) exp(rnorm(n, 0, 0.03)),
              function(n) 1 + rexp(n) * 0.02,
              function(n) exp(rnorm(n, 0, 0.004) + ifelse(runif(n) < 0.2, 0.1, 0)),
              function(n) exp(cumsum(rnorm(n, 0, 0.004)) + rnorm(n, 0, 0.002)),
              function(n) exp(rnorm(n, 0, 0.005)))

draw <- function(n, effect, kind, q, digits) {
  a <- 0.02 * noise[[kind]](n)
  b <- 0.02 * effect * noise[[kind]](n)
  if (kind == 5) b <- a * effect * exp(rnorm(n, 0, 0.004)) # drift common to a pair
  if (kind == 6) b <- b * exp(seq(-0.02, 0.02, length.out = n)) # the effect itself trends
  if (q > 0) list(a = round(a / q) * q, b = round(b / q) * q) else list(a = a, b = b)
}

case <- function(what, judge, n, m, effect, kind, q, sign, margin, alpha) {
  seed <- floor(runif(1, 0, 2^31))
  x <- draw(max(n, m), effect, kind, q)
  a <- x$a[1:n]
  b <- x$b[1:m]
  j <- judge(a, b, q, seed, sign, margin, alpha)
  row(what, q, seed, sign, margin, alpha, array_of(a), array_of(b),
      expm1(sign * j$estimate), shown(sign, j$low, j$high), j$p, j$guard, j$verdict,
      if (!is.null(j$welch)) c(shown(sign, j$welch[1], j$welch[2]), j$welch[3]))
}

effects <- c(1, 1.004, 1.012, 0.97, 1.1)
for (n in c(5, 6, 7, 10, 14, 20, 28, 40, 48))
  for (kind in 1:5)
    for (q in c(0, 1e-9, 2e-5, 1e-3)) {
      effect <- sample(effects, 1)
      # Without dither R has no exact answer for ties; a whole step leaves nothing but ties.
      case("pairs", judge_pairs, n, n, effect, kind, q, sample(c(-1, 1), 1),
           sample(c(0.01, 0.03), 1), sample(c(0.05, 0.02, 0.005), 1))
    }
for (n in c(3, 4, 5, 8, 20, 45))
  for (m in c(3, 4, 7, 30))
    for (kind in 1:4)
      for (q in c(0, 2e-5))
        case("lists", judge_lists, n, m, sample(effects, 1), kind, q, sample(c(-1, 1), 1), 0.01,
             sample(c(0.05, 0.01), 1))

# A primary metric and a family of others: levels, adjusted p and intervals by Holm's steps.
family <- function(n, metrics, alpha) {
  values <- lapply(0:metrics, function(k) draw(n, sample(c(1, 1, 1.02), 1), 1 + k %% 3, 0))
  p <- sapply(values[-1], function(v)
    wilcox.test(log(v$b / v$a), exact = TRUE)$p.value)
  step <- rank(p, ties.method = "first")
  levels <- alpha / (metrics - step + 1)
  failed <- which(sort(p) > alpha / (metrics - seq_along(p) + 1))
  if (length(failed) > 0) levels[step >= failed[1]] <- alpha / (metrics - failed[1] + 1)
  row("family", n, metrics, alpha, unlist(lapply(values, function(v) c(v$a, v$b))),
      sapply(seq_len(metrics), function(k) {
        v <- values[[k + 1]]
        ends <- bounds(log(v$b / v$a), levels[k])
        c(levels[k], p.adjust(p, "holm")[k], shown(1, ends[1], ends[2]))
      }))
}
for (n in c(10, 25, 45)) for (metrics in c(1, 3, 8)) family(n, metrics, 0.05)

for (n in c(20, 23, 28, 40, 48))
  for (effect in c(0.1, 0.97, 1, 1.05))
    for (alpha in c(0.05, 0.0005))
      case("pairs", judge_pairs, n, n, effect, 6, sample(c(0, 2e-5), 1), sample(c(-1, 1), 1), 0.01,
           alpha)

close(out)
