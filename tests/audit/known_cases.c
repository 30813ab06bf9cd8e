/* Mistakes that filters in the wild have made, as one shared library; the options name one:
 *   {"fault": "none"}, "power_of_two", "even_strides", "signed_remainder" */
#include <stdlib.h>
#include <string.h>

#include "bloomlab_filter.h"

typedef struct {
  uint64_t m, k, seed;
  int even, is_signed;
  uint8_t *bytes;
} known_case;

static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static int create(const bloomlab_request *request, void **filter) {
  known_case *made = calloc(1, sizeof *made);
  if (made == NULL) return BLOOMLAB_NO_MEMORY;
  made->m = (uint64_t)((double)request->n * request->bits_per_key);
  made->k = (uint64_t)(0.6931 * request->bits_per_key + 0.5);
  made->seed = request->seed;
  made->even = strstr(request->options, "even_strides") != NULL;
  made->is_signed = strstr(request->options, "signed_remainder") != NULL;
  if (strstr(request->options, "power_of_two") != NULL) {
    uint64_t power = 1;
    while (2 * power <= made->m) power *= 2;
    made->m = power;
  }
  made->bytes = calloc((size_t)made->m, 1);
  *filter = made;
  return made->bytes == NULL ? BLOOMLAB_NO_MEMORY : BLOOMLAB_OK;
}

static void destroy(void *filter) {
  free(((known_case *)filter)->bytes);
  free(filter);
}

static uint64_t memory_bits(const void *filter) { return ((const known_case *)filter)->m; }

static uint64_t hash_of(const known_case *from, const uint8_t *key, size_t length) {
  uint64_t h = 0xCBF29CE484222325u ^ mixed(from->seed + 1);
  size_t i;
  for (i = 0; i < length; ++i) h = (h ^ key[i]) * 0x100000001B3u;
  return mixed(h ^ length);
}

/* Position i: by double hashing, or as JavaScript's `hash % m` with hash & 0xFFFFFFFF signed, which
 * an array of bytes has no element for where it is negative: then m. */
static uint64_t position(const known_case *from, uint64_t hash, uint64_t i) {
  const int32_t word = (int32_t)(uint32_t)mixed(hash + i * 0x9E3779B97F4A7C15u);
  int64_t rest;
  if (from->even) {
    const uint64_t stride = mixed(hash) % (from->m / 2) * 2;
    return (hash % from->m + i * stride) % from->m;
  }
  if (!from->is_signed) return mixed(hash + i * 0x9E3779B97F4A7C15u) % from->m;
  rest = word % (int64_t)from->m;
  return rest < 0 ? from->m : (uint64_t)rest;
}

static int insert_one(void *filter, const uint8_t *key, size_t length) {
  known_case *into = filter;
  const uint64_t hash = hash_of(into, key, length);
  uint64_t i;
  for (i = 0; i < into->k; ++i) {
    const uint64_t at = position(into, hash, i);
    if (at < into->m) into->bytes[at] = 1;
  }
  return BLOOMLAB_OK;
}

static int query_one(const void *filter, const uint8_t *key, size_t length) {
  const known_case *from = filter;
  const uint64_t hash = hash_of(from, key, length);
  uint64_t i;
  for (i = 0; i < from->k; ++i) {
    const uint64_t at = position(from, hash, i);
    if (at >= from->m || from->bytes[at] == 0) return 0;
  }
  return 1;
}

const bloomlab_filter_functions *bloomlab_filter(void) {
  static bloomlab_filter_functions functions;
  functions.abi = BLOOMLAB_FILTER_ABI;
  functions.size = sizeof functions;
  functions.name = "known_case";
  functions.create = create;
  functions.destroy = destroy;
  functions.memory_bits = memory_bits;
  functions.insert_one = insert_one;
  functions.query_one = query_one;
  return &functions;
}
