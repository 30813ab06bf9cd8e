/* A Bloom filter for bloomlab as a shared library in C99:
 *     cc -std=c99 -O2 -fPIC -shared -I <folder of bloomlab_filter.h> my_filter.c -o libmy_filter.so */
#include <stdlib.h>
#include <string.h>

#include "bloomlab_filter.h"

typedef struct {
  uint64_t m, k, seed;
  uint8_t *bytes;
} my_filter;

/* Two 64-bit numbers of a key: FNV-1a, finished twice by the mixer of SplitMix64 (Steele, Lea and
 * Flood 2014). */
static uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static uint64_t hashed(const uint8_t *key, size_t length, uint64_t seed) {
  uint64_t h = 0xCBF29CE484222325u ^ mixed(seed + 1);
  size_t i;
  for (i = 0; i < length; ++i) h = (h ^ key[i]) * 0x100000001B3u;
  return mixed(h ^ length);
}

static int create(const bloomlab_request *request, void **filter) {
  my_filter *mine;
  if (request->bits_per_key <= 0) {
    strcpy(request->message, "my_filter is sized by bits_per_key");
    return BLOOMLAB_BAD_ARGUMENT;
  }
  mine = malloc(sizeof *mine);
  if (mine == NULL) return BLOOMLAB_NO_MEMORY;
  mine->m = (uint64_t)((double)request->n * request->bits_per_key) + 1;
  mine->k = (uint64_t)(0.6931 * request->bits_per_key + 0.5);
  if (mine->k == 0) mine->k = 1;
  mine->seed = request->seed;
  mine->bytes = calloc((size_t)(mine->m / 8 + 1), 1);
  if (mine->bytes == NULL) {
    free(mine);
    return BLOOMLAB_NO_MEMORY;
  }
  *filter = mine;
  return BLOOMLAB_OK;
}

static void destroy(void *filter) {
  free(((my_filter *)filter)->bytes);
  free(filter);
}

static uint64_t memory_bits(const void *filter) { return ((const my_filter *)filter)->m; }

static int insert_one(void *filter, const uint8_t *key, size_t length) {
  my_filter *mine = filter;
  uint64_t at = hashed(key, length, mine->seed), step = mixed(at) | 1, i;
  for (i = 0; i < mine->k; ++i, at += step) {
    const uint64_t bit = at % mine->m;
    mine->bytes[bit / 8] |= (uint8_t)(1u << bit % 8);
  }
  return BLOOMLAB_OK;
}

static int query_one(const void *filter, const uint8_t *key, size_t length) {
  const my_filter *mine = filter;
  uint64_t at = hashed(key, length, mine->seed), step = mixed(at) | 1, i;
  for (i = 0; i < mine->k; ++i, at += step) {
    const uint64_t bit = at % mine->m;
    if ((mine->bytes[bit / 8] >> bit % 8 & 1) == 0) return 0;
  }
  return 1;
}

const bloomlab_filter_functions *bloomlab_filter(void) {
  static bloomlab_filter_functions functions;
  functions.abi = BLOOMLAB_FILTER_ABI;
  functions.size = sizeof functions;
  functions.name = "my_filter";
  functions.version = "1.0";
  functions.help = "no options; sized by bits_per_key";
  functions.flags = BLOOMLAB_PARALLEL_QUERIES;
  functions.create = create;
  functions.destroy = destroy;
  functions.memory_bits = memory_bits;
  functions.insert_one = insert_one;
  functions.query_one = query_one;
  return &functions;
}
