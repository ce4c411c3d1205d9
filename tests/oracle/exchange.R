# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes exchange.csv, answers at a stated rate (--worth) that
# tests/unit/judge_exchange_oracle.c compares src/judge/exchange.c with: the terms and
# the values of both sides in; change, interval and verdict out.
#
#   cd tests/oracle && Rscript exchange.R
#
# Written from docs/pareto.md ("What is worth what") on base R alone: in each
# round the costs of all terms are added up, each in units of its share, and the
# sum is counted in the first metric. Fewer than 20 rounds, so that no drift is
# looked for; no clock steps, so that nothing is dithered. Written by R 4.2.2; the
# seed is fixed.

set.seed(20261201, kind = "Mersenne-Twister", normal.kind = "Inversion")

out <- file("exchange.csv", "w")
number <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))
row <- function(what, ...)
  writeLines(paste(c(what, unlist(lapply(list(...), number))), collapse = ","), out)

# Numbers of enum verdict.
BETTER <- 1; WORSE <- 2; EQUIVALENT <- 4; UNDECIDED <- 6
FEWEST <- 6

answer <- function(terms, margin, alpha) {
  share <- sapply(terms, function(t) t$share)
  # A cost is a log ratio that rises as things get worse; NA where a round lacks either side.
  costs <- sapply(terms, function(t) t$sign * (log(t$b) - log(t$a)))
  total <- as.vector(costs %*% (1 / log1p(share))) * log1p(share[1])
  total <- total[!is.na(total)]
  n <- length(total)
  decidable <- n >= FEWEST && qsignrank(alpha / 2, n) > 0
  w <- suppressWarnings(wilcox.test(total, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE))
  low <- if (decidable) w$conf.int[1] else -Inf
  high <- if (decidable) w$conf.int[2] else Inf
  band <- log1p(margin)
  verdict <- if (!decidable) UNDECIDED
    else if (low > -band && high < band) EQUIVALENT
    else if (high < 0) BETTER
    else if (low > 0) WORSE
    else UNDECIDED
  # Shown in the first metric's own direction.
  raw <- sort(terms[[1]]$sign * c(low, high))
  list(change = expm1(terms[[1]]$sign * unname(w$estimate)),
       low = if (is.infinite(raw[1])) raw[1] else expm1(raw[1]),
       high = if (is.infinite(raw[2])) raw[2] else expm1(raw[2]), verdict = verdict)
}

term <- function(n, effect, spread, share, sign, exact, holes) {
  if (exact) return(list(share = share, sign = sign, exact = 1, a = rep(50000, n),
                         b = rep(round(50000 * effect), n)))
  shared <- exp(rnorm(n, 0, 0.2)) # of a round, which cancels
  a <- shared * exp(rnorm(n, 0, spread))
  b <- shared * effect * exp(rnorm(n, 0, spread))
  if (holes > 0) b[sample(n, holes)] <- NA
  list(share = share, sign = sign, exact = 0, a = a, b = b)
}

case <- function(n, count, alpha, exact, holes) {
  margin <- sample(c(0.01, 0.03), 1)
  terms <- lapply(seq_len(count), function(k)
    term(n, sample(c(1, 1, 0.96, 1.05, 1.3), 1), sample(c(0.002, 0.02), 1),
         sample(c(0.005, 0.01, 0.02, 0.1, 2.5), 1), sample(c(-1, 1), 1), k == exact,
         if (k == 2) holes else 0))
  j <- answer(terms, margin, alpha)
  row("exchange", margin, alpha, n, count,
      unlist(lapply(terms, function(t) c(t$share, t$sign, t$exact, t$a, t$b))),
      j$change, j$low, j$high, j$verdict)
}

for (n in c(5, 6, 9, 14, 19))
  for (count in 2:4)
    for (alpha in c(0.05, 0.01))
      for (exact in 0:2) # which term is exact; 0: none
        for (holes in c(0, 2))
          case(n, count, alpha, exact, if (exact == 2) 0 else holes)

close(out)
