/* libbloom as a shared library for bloomlab, made for n keys and a rate. It has no seed. */
#include <bloom.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bloomlab_filter.h"

static int create(const bloomlab_request* request, void** filter) {
  struct bloom* bloom = calloc(1, sizeof *bloom);
  const double per_bit = log(2) * log(2);
  /* A size in bits becomes the rate that the usual formula gives for it. */
  const double rate = request->fpr > 0 ? request->fpr : exp(-request->bits_per_key * per_bit);
  if (bloom == NULL) return BLOOMLAB_NO_MEMORY;
  /* It is made for at least 1000 keys, and refuses less. */
  if (bloom_init(bloom, request->n < 1000 ? 1000 : (int)request->n, rate) != 0) {
    free(bloom);
    strcpy(request->message, "libbloom refuses this size");
    return BLOOMLAB_BAD_ARGUMENT;
  }
  *filter = bloom;
  return BLOOMLAB_OK;
}

static void destroy(void* filter) {
  bloom_free(filter);
  free(filter);
}

static uint64_t memory_bits(const void* filter) {
  return 8 * (uint64_t)((const struct bloom*)filter)->bytes;
}

static int insert_one(void* filter, const uint8_t* key, size_t length) {
  return bloom_add(filter, key, (int)length) < 0 ? BLOOMLAB_FAILED : BLOOMLAB_OK;
}

static int query_one(const void* filter, const uint8_t* key, size_t length) {
  const int answer = bloom_check((struct bloom*)filter, key, (int)length);
  return answer < 0 ? -BLOOMLAB_FAILED : answer;
}

const bloomlab_filter_functions* bloomlab_filter(void) {
  static bloomlab_filter_functions functions;
  functions.abi = BLOOMLAB_FILTER_ABI;
  functions.size = sizeof functions;
  functions.name = "c/libbloom";
  functions.version = WILD_VERSION;
  functions.create = create;
  functions.destroy = destroy;
  functions.memory_bits = memory_bits;
  functions.insert_one = insert_one;
  functions.query_one = query_one;
  return &functions;
}
