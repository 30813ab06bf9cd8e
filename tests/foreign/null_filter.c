/* A library that answers "certainly absent" to everything: what the protocol costs alone. */
#include <string.h>

#include "bloomlab_filter.h"

static int nothing;

static int create(const bloomlab_request* request, void** filter) {
  (void)request;
  *filter = &nothing;
  return BLOOMLAB_OK;
}
static void destroy(void* filter) { (void)filter; }
static uint64_t memory_bits(const void* filter) {
  (void)filter;
  return 0;
}
static int insert(void* filter, const bloomlab_keys* keys) {
  (void)filter;
  (void)keys;
  return BLOOMLAB_FULL;
}
static int query(const void* filter, const bloomlab_keys* keys, uint8_t* answers) {
  (void)filter;
  memset(answers, 0, keys->count);
  return BLOOMLAB_OK;
}
static int query_integers(const void* filter, const uint64_t* keys, size_t count,
                          uint8_t* answers) {
  (void)filter;
  (void)keys;
  memset(answers, 0, count);
  return BLOOMLAB_OK;
}

const bloomlab_filter_functions* bloomlab_filter(void) {
  static bloomlab_filter_functions functions;
  functions.abi = BLOOMLAB_FILTER_ABI;
  functions.size = sizeof functions;
  functions.name = "null_filter";
  functions.create = create;
  functions.destroy = destroy;
  functions.memory_bits = memory_bits;
  functions.insert = insert;
  functions.query = query;
  functions.query_integers = query_integers;
  return &functions;
}
