// A filter from outside that runs in a child process: one interface for shared libraries and for
// programs in any language.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/answer.hpp"
#include "core/keys/key_batch.hpp"
#include "foreign/failure.hpp"
#include "foreign/target.hpp"

namespace bloomlab::foreign {

/// What a filter says of itself when it starts.
struct Description {
  std::string name;
  std::string version = {};  ///< empty where it says none
  std::string help = {};     ///< the options that it knows, for people
  bool deterministic = true;
  bool removes = false;  ///< deletes keys
  bool merges = false;
  bool saves = false;
  bool hashes = false;  ///< gives digests of keys
};

/// What a filter is made for.
struct Request {
  std::uint64_t n = 0;                      ///< keys that will be inserted
  std::optional<double> bits_per_key = {};  ///< memory to take [bits]
  std::optional<double> fpr = {};           ///< rate to keep at n keys
  std::uint64_t seed = 0;                   ///< of the trial
};

/// One filter in a process of its own. Every call throws Failure where the filter fails, in any
/// way; after that only the destructor may be called. The destructor ends the process and all that
/// it started, and removes its folder. Not for use by several threads at once.
class ForeignFilter {
 public:
  ForeignFilter() = default;
  ForeignFilter(const ForeignFilter&) = delete;
  ForeignFilter& operator=(const ForeignFilter&) = delete;
  virtual ~ForeignFilter() = default;

  [[nodiscard]] virtual const Description& description() const noexcept = 0;

  /// Makes an empty filter, in place of the one before. Options are those of the target.
  virtual void create(const Request& request) = 0;
  /// Inserts every key. @return whether room was found for all of them
  virtual bool insert(const KeyBatch& keys) = 0;
  /// What it says of each key. Precondition: answers.size() == keys.size().
  virtual void query(const KeyBatch& keys, std::span<Answer> answers) = 0;
  /// The bits that it has allocated, as it says.
  [[nodiscard]] virtual std::uint64_t memory_bits() = 0;
  /// Memory that is present of its process and all below it, whatever it says; of this process,
  /// where it has none of its own [bytes].
  [[nodiscard]] virtual std::uint64_t present_bytes();

  /// Deletes keys that were inserted.
  virtual void remove(const KeyBatch& keys) = 0;
  /// The filter as bytes, in a form of its own.
  [[nodiscard]] virtual std::string save() = 0;
  /// Makes of the filter, created by an equal request, the one that was saved.
  virtual void load(std::string_view saved) = 0;
  /// Adds what a saved filter holds, which was created by an equal request.
  virtual void merge(std::string_view saved) = 0;

  /// The digest of every key under the seed; needs no create(). Precondition: digests.size() ==
  /// keys.size().
  virtual void hash(const KeyBatch& keys, std::uint64_t seed, std::span<std::uint64_t> digests);

  /// How many keys of the batch are reported.
  [[nodiscard]] virtual std::uint64_t count_contained(const KeyBatch& keys);
};

/// Starts the target and reads its greeting. Throws Failure.
[[nodiscard]] std::unique_ptr<ForeignFilter> start(const Target& target);

/// Loads a library into this process, for calls as fast as its own: only for a process that was
/// started for this filter alone, since a fault of the library ends it, and nothing limits it here.
/// Throws Failure. Precondition: the target is a library.
[[nodiscard]] std::unique_ptr<ForeignFilter> load_here(const Target& target);

/// The limits for this process, as far as a process can limit itself: it ends by SIGALRM, and with
/// the thread that started it. Call it before load_here(), in a process that was started for that.
/// @param at_most an earlier end [s]; 0: none
void confine_this_process(const Limits& limits, unsigned at_most);

}  // namespace bloomlab::foreign
