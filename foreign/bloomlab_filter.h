/* A filter of one's own as a shared library: what bloomlab calls, in C99 and without any other
 * header of the project. A library that exports the one symbol `bloomlab_filter` is a filter:
 *
 *     "filter": {"kind": "library", "path": "./libmine.so", "bits_per_key": 10}
 *
 * docs/foreign_filters.md has a whole one. The library is loaded in a process of its own with
 * limits of time and memory; a fault of it ends that process and no other.
 *
 * ERRORS. Functions that return `int` return BLOOMLAB_OK or another status below. A filter that
 * returned anything but BLOOMLAB_OK or BLOOMLAB_FULL is destroyed and not called again.
 *
 * KEYS belong to the caller and are valid during the call alone: a filter that keeps keys copies
 * them. Keys are bytes: they may be empty, hold zeros, and come twice. The integer calls take
 * 64-bit keys, each of which is the same key as its 8 bytes in little-endian order.
 *
 * THREADS. Calls on one filter come one after the other, from one thread. With the flag
 * BLOOMLAB_PARALLEL_QUERIES `query`, `query_integers`, `query_one` and `memory_bits` of one filter
 * may come from several threads at once, while nothing changes it. Calls on different filters may
 * always come from different threads at once, `create` and `destroy` too: keep no global state.
 *
 * MEMORY. What a filter allocates it frees in `destroy`. Nothing is freed by the side that did not
 * allocate it.
 *
 * EXCEPTIONS of C++ and the like must not leave a function. Standard output may be written to; it
 * is shown with a failure, as standard error is.
 */
#ifndef BLOOMLAB_FILTER_H
#define BLOOMLAB_FILTER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It grows only when a library compiled for the version before would
 * be called wrongly; members that are added at the end are told by `size`. */
#define BLOOMLAB_FILTER_ABI 1

#if defined(_WIN32)
#define BLOOMLAB_EXPORT __declspec(dllexport)
#else
#define BLOOMLAB_EXPORT __attribute__((visibility("default")))
#endif

/* What a function returns. */
enum bloomlab_status {
  BLOOMLAB_OK = 0,
  BLOOMLAB_FULL = 1,         /* insert: a key was turned away, as there is no room left for it */
  BLOOMLAB_UNSUPPORTED = 2,  /* not with these options, or not at all */
  BLOOMLAB_BAD_ARGUMENT = 3, /* create: a size or an option that the filter cannot have */
  BLOOMLAB_NO_MEMORY = 4,
  BLOOMLAB_FAILED = 5 /* anything else */
};

/* What a filter says of itself, besides the functions that it has. Added up. */
enum bloomlab_flag {
  /* Equal seeds and keys need not give equal answers: its counts are not compared byte by byte. */
  BLOOMLAB_NONDETERMINISTIC = 1,
  /* See THREADS. */
  BLOOMLAB_PARALLEL_QUERIES = 2
};

/* Keys one after the other: key i is the bytes offsets[i] .. offsets[i + 1] - 1. */
typedef struct bloomlab_keys {
  size_t count;
  const uint8_t* bytes;    /* may be NULL where all keys are empty */
  const uint64_t* offsets; /* count + 1 numbers that never fall; the first is 0 */
} bloomlab_keys;

/* What a filter is made for. */
typedef struct bloomlab_request {
  size_t size;         /* bytes of this struct as the caller knows it */
  uint64_t n;          /* keys that will be inserted; more may come */
  double bits_per_key; /* memory to take [bits]; 0: not given */
  double fpr;          /* false-positive rate to keep at n keys, in (0, 1); 0: not given */
  uint64_t seed;       /* of the trial: filters with a seeded hash take it from here */
  const char* options; /* a JSON object as text, "{}" where the config gives none; never NULL */
  char* message;       /* where create fails: room for a line that says why, ended by a zero */
  size_t message_size; /* bytes of that room, at least 256 */
} bloomlab_request;

/* The filter: texts that live as long as the library, and functions. NULL where it says "optional"
 * and the filter has none. `filter` is what create gave. */
typedef struct bloomlab_filter_functions {
  uint32_t abi;        /* BLOOMLAB_FILTER_ABI */
  uint32_t size;       /* sizeof(bloomlab_filter_functions) */
  const char* name;    /* a word, such as "mine" */
  const char* version; /* such as "1.0"; optional */
  const char* help;    /* the options that it knows, for people; optional */
  uint64_t flags;      /* bloomlab_flag, added up */

  /* Makes an empty filter. Where bits_per_key and fpr are both 0 the options must say the size. */
  int (*create)(const bloomlab_request* request, void** filter);
  void (*destroy)(void* filter);
  /* The bits that it has allocated for its filter now, without the keys' own copies. */
  uint64_t (*memory_bits)(const void* filter);

  /* A batch at a time. `answers` gets count bytes: 0 the key was never inserted, 1 it may have
   * been. Each is optional where its twin of one key below is there. */
  int (*insert)(void* filter, const bloomlab_keys* keys);
  int (*query)(const void* filter, const bloomlab_keys* keys, uint8_t* answers);

  /* The same for one key. query_one returns 0 or 1, or a status as a negative number. Optional
   * where the batch functions are there. */
  int (*insert_one)(void* filter, const uint8_t* key, size_t length);
  int (*query_one)(const void* filter, const uint8_t* key, size_t length);

  /* The same for 64-bit integers, which need no offsets. Optional: without them integers come as
   * bytes. */
  int (*insert_integers)(void* filter, const uint64_t* keys, size_t count);
  int (*query_integers)(const void* filter, const uint64_t* keys, size_t count, uint8_t* answers);

  /* Takes out keys that were inserted. Optional. */
  int (*remove)(void* filter, const bloomlab_keys* keys);
  /* Afterwards `filter` holds what both held; both were created by equal requests. Optional. */
  int (*merge)(void* filter, const void* other);
  /* Writes the filter to `to`, if `room` bytes are enough, and says in `size` how many it takes:
   * called with room 0 first. Optional, together with load. */
  int (*save)(const void* filter, uint8_t* to, size_t room, size_t* size);
  /* Makes of an empty filter, created by an equal request, the one that was saved. */
  int (*load)(void* filter, const uint8_t* from, size_t size);
} bloomlab_filter_functions;

/* The one symbol. Returns the same pointer whenever it is called, or NULL where the filter cannot
 * be used on this machine. */
BLOOMLAB_EXPORT const bloomlab_filter_functions* bloomlab_filter(void);

#ifdef __cplusplus
}
#endif

#endif
