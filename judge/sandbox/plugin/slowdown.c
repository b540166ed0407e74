/*
 * A program of known work, which runs without and under the emulator: slowdown.go
 * compares the times.
 *
 *   slowdown integers|floats|vectors|memory|branches N
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

static uint64_t integers(long n)
{
	uint64_t x = 1;
	while (n--)
		x = next(x);
	return x;
}

static double floats(long n)
{
	double x = 1, sum = 0;
	while (n--) {
		x = sqrt(x * 1.000001 + 1);
		sum += x / (sum + 1);
	}
	return sum;
}

typedef float vector __attribute__((vector_size(16)));

static double vectors(long n)
{
	vector x = {1, 2, 3, 4}, y = {4, 3, 2, 1}, z = {2, 2, 2, 2};
	while (n--) {
		x = x * 0.999f + z;
		y = y * 0.998f + z;
		z = z * 0.5f + (vector){1, 1, 1, 1};
	}
	return x[0] + y[1] + z[2];
}

static uint64_t memory(long n)
{
	enum { words = 1 << 21 };
	static uint64_t place[words];
	uint64_t x = 1;
	while (n--) {
		x = next(x);
		place[x % words] += x;
	}
	return place[0];
}

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static uint64_t branches(long n)
{
	uint32_t *list = malloc(n * sizeof *list);
	uint64_t x = 1;
	for (long i = 0; i < n; i++)
		list[i] = x = next(x);
	qsort(list, n, sizeof *list, ascending);
	return list[n / 2];
}

int main(int argc, char **argv)
{
	long n = argc == 3 ? atol(argv[2]) : 0;
	if (n < 1)
		return 2;
	if (!strcmp(argv[1], "integers"))
		printf("%llu\n", (unsigned long long)integers(n));
	else if (!strcmp(argv[1], "floats"))
		printf("%g\n", floats(n));
	else if (!strcmp(argv[1], "vectors"))
		printf("%g\n", vectors(n));
	else if (!strcmp(argv[1], "memory"))
		printf("%llu\n", (unsigned long long)memory(n));
	else if (!strcmp(argv[1], "branches"))
		printf("%llu\n", (unsigned long long)branches(n));
	else
		return 2;
	return 0;
}
