# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes crossing.csv, which tests/unit/stats_crossing.c compares src/stats/crossing.c with:
#
#   cd tests/oracle && Rscript crossing.R
#
# By another way than there: the bounds of wilcox.test as functions of the place, looked at on a
# fine grid and solved by uniroot. Base R alone; written by R 4.2.2.

set.seed(20260311, kind = "Mersenne-Twister", normal.kind = "Inversion")

number <- function(x) ifelse(is.na(x), "NA", sprintf("%.17g", x))
array_of <- function(x) c(length(x), number(x))

# x where a share t of the way from level k to the next has passed.
x_at <- function(x, k, t)
  if (x[k] > 0) x[k] * (x[k + 1] / x[k])^t else x[k] + t * (x[k + 1] - x[k])

bounds <- function(d, k, t, alpha) {
  v <- (1 - t) * d[k, ] + t * d[k + 1, ]
  w <- suppressWarnings(wilcox.test(v, conf.int = TRUE, conf.level = 1 - alpha, exact = TRUE))
  if (qsignrank(alpha / 2, length(v)) == 0) c(-Inf, w$estimate, Inf)
  else c(w$conf.int[1], w$estimate, w$conf.int[2])
}

# All places where one of the three changes its sign, as fractions of levels.
roots <- function(d, which, alpha) {
  found <- numeric(0)
  grid <- seq(0, 1, length.out = 201)
  for (k in seq_len(nrow(d) - 1)) {
    f <- function(t) bounds(d, k, t, alpha)[which]
    values <- sapply(grid, f)
    if (any(!is.finite(values))) next
    for (i in seq_len(length(grid) - 1))
      if (sign(values[i]) != sign(values[i + 1]))
        found <- c(found, k - 1 +
                   uniroot(f, grid[c(i, i + 1)], tol = 1e-12)$root)
  }
  found
}

place_to_x <- function(x, place) {
  k <- min(floor(place), length(x) - 2)
  x_at(x, k + 1, place - k)
}

# Falling curves only: lows end the part above 0, highs begin the one below.
case <- function(x, middle, slope, sd, n, alpha, out) {
  levels <- length(x)
  curve <- slope * (middle - seq_len(levels))
  d <- t(sapply(curve, function(m) rnorm(n, m, sd)))
  low <- roots(d, 1, alpha)
  high <- roots(d, 3, alpha)
  estimate <- roots(d, 2, alpha)
  if (length(low) > 1 || length(high) > 1 || length(estimate) != 1) return(FALSE)
  writeLines(paste(c("falls", number(alpha), array_of(x), array_of(as.vector(t(d))),
                     number(if (length(low)) place_to_x(x, low) else -Inf),
                     number(place_to_x(x, estimate)),
                     number(if (length(high)) place_to_x(x, high) else Inf)), collapse = ","), out)
  TRUE
}

out <- file("crossing.csv", "w")
bytes <- c(0, 8192, 32768, 65536, 262144, 1048576)
threads <- c(1, 2, 4)
rows <- 0
for (n in c(6, 8, 12, 20, 40))
  for (alpha in c(0.05, 0.05 / 12))
    for (sd in c(0.1, 0.5, 2))
      for (x in list(bytes, threads))
        for (middle in c(1.6, 2.4))
          rows <- rows + case(x, middle, 0.5, sd, n, alpha, out)
close(out)
cat(rows, "rows\n")
