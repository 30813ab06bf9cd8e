// What a membership filter can say of a key.
#pragma once

#include <cstdint>

namespace bloomlab {

/// The answer of a filter to "was this key inserted?". A filter never errs with `absent`, and errs
/// with `maybe` at its false-positive rate.
enum class Answer : std::uint8_t { absent = 0, maybe = 1 };

/// An answer that is also a condition: true for `maybe`.
class Verdict {
 public:
  [[gnu::always_inline]] constexpr explicit Verdict(bool reported) noexcept : reported_(reported) {}

  [[gnu::always_inline]] constexpr operator bool() const noexcept {  // NOLINT: reads in an if
    return reported_;
  }
  [[gnu::always_inline]] constexpr operator Answer() const noexcept {  // NOLINT: is one already
    return reported_ ? Answer::maybe : Answer::absent;
  }
  [[gnu::always_inline]] friend constexpr bool operator==(Verdict one, Answer other) noexcept {
    return one.reported_ == (other == Answer::maybe);
  }

 private:
  bool reported_;
};

/// What became of a key that a filter was given which may refuse it.
enum class [[nodiscard]] Insertion{
    added,    ///< it is in the filter, which did not report it before
    known,    ///< it is in the filter, which reported it before
    refused,  ///< there was no room: it is not in the filter, as if it had not been given
};

/// Of many keys those that were refused.
struct [[nodiscard]] RefusedKeys {
  std::uint64_t count = 0;
  friend bool operator==(const RefusedKeys&, const RefusedKeys&) = default;
};

}  // namespace bloomlab
