#include "core/filters/fault.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstdio>
#include <stdexcept>

#include "core/parameters.hpp"

namespace bloomlab::detail {
namespace {

/// A text that parts are appended to, numbers as a stream writes them; without the weight of one.
class Line {
 public:
  Line& operator<<(std::string_view part) {
    text_ += part;
    return *this;
  }
  template <std::integral Number>
  Line& operator<<(Number number) {
    text_ += std::to_string(number);
    return *this;
  }
  Line& operator<<(double number) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%g", number);
    text_ += digits.data();
    return *this;
  }
  [[nodiscard]] const std::string& str() const noexcept { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string out_of_range(std::string_view filter, std::string_view field, std::uint64_t value,
                         std::uint64_t max) {
  return field_fault(filter, IntegerField{field, {}, {}, 1, max}, value).value_or("");
}

std::optional<std::string> field_fault(std::string_view filter, const IntegerField& field,
                                       std::uint64_t value) {
  if (value >= field.min && value <= field.max) return std::nullopt;
  Line text;
  text << filter << ": " << field.name << " is " << value << "; it must be from " << field.min
       << " to " << field.max;
  return text.str();
}

std::optional<std::string> field_fault(std::string_view filter, const RealField& field,
                                       double value) {
  const bool above = field.min_excluded ? value > field.min : value >= field.min;
  const bool below = field.max_excluded ? value < field.max : value <= field.max;
  if (above && below) return std::nullopt;
  Line text;
  text << filter << ": " << field.name << " is ";
  if (field.min_excluded) {
    text << value << "; it must be above " << field.min << " and below " << field.max;
  } else {
    text << std::to_string(value) << "; it must be from " << field.min << " to " << field.max;
  }
  return text.str();
}

std::optional<std::string> power_of_two_fault(std::string_view filter, std::string_view field,
                                              std::uint64_t value, std::uint64_t min,
                                              std::uint64_t max) {
  if (std::has_single_bit(value) && value >= min && value <= max) return std::nullopt;
  Line text;
  text << filter << ": " << field << " is " << value << "; it must be a power of two from " << min
       << " to " << max;
  return text.str();
}

std::optional<std::string> whole_blocks_fault(std::string_view filter, std::uint64_t m,
                                              std::uint64_t block_bits, std::uint64_t max) {
  const std::uint64_t most = max / block_bits * block_bits;
  if (m % block_bits == 0 && m != 0 && m <= most) return std::nullopt;
  Line text;
  text << filter << ": m is " << m << "; it must be a multiple of " << block_bits
       << ", the bits of a block";
  const std::uint64_t below = m / block_bits * block_bits;
  if (m > most) {
    text << ", and at most " << most;
  } else if (below == 0) {
    text << ": choose " << block_bits;
  } else {
    text << ": choose " << below << " or " << below + block_bits;
  }
  return text.str();
}

std::optional<std::string> probe_fault(std::string_view filter, const Probe& probe, std::uint64_t m,
                                       std::uint64_t k) {
  Line text;
  text << filter << ": ";
  if (!probe.accepts(m)) {
    text << "the reduction " << probe.reduction() << " does not take m = " << m
         << "; choose multiply_shift or modulo, or " << probe.sizes() << " for m";
    return text.str();
  }
  if (probe.only_k() && static_cast<std::uint64_t>(*probe.only_k()) != k) {
    text << "the probe " << probe.family() << " has k = " << *probe.only_k() << ", not " << k;
    return text.str();
  }
  return std::nullopt;
}

std::optional<std::string> any_shape_fault(std::string_view filter, const Probe& probe) {
  constexpr std::uint64_t no_power_of_two_nor_odd = 6;
  if (!probe.accepts(no_power_of_two_nor_odd)) {
    return std::string(filter) + ": the reduction " + std::string(probe.reduction()) +
           " does not take layers of any size; choose multiply_shift or modulo";
  }
  if (probe.only_k()) {
    return std::string(filter) + ": the probe " + std::string(probe.family()) +
           " has one k only and the layers differ in theirs; choose another probe";
  }
  return std::nullopt;
}

std::string first_layer_fault(std::string_view filter) {
  return std::string(filter) + ": the first layer would need more than " +
         std::to_string(max_filter_bits) + " bits or more than " + std::to_string(max_probes) +
         " probes; choose a smaller one or a higher rate";
}

void require_words(const DigestBatch& digests, const Probe& probe, std::uint64_t k) {
  const int words = probe.need(static_cast<int>(k)).words;
  if (digests.width >= words || digests.size == 0) return;
  Line text;
  text << "the probe " << probe.family() << " needs " << words << " words per key for k = " << k
       << "; the digests have " << digests.width;
  throw std::invalid_argument(text.str());
}

void require_words(const DigestBatch& digests, int words) {
  if (digests.width >= words || digests.size == 0) return;
  throw std::invalid_argument("the filter needs " + std::to_string(words) +
                              " words per key; the digests have " + std::to_string(digests.width));
}

void require_mergeable(std::string_view filter, bool same) {
  if (same) return;
  throw std::invalid_argument(std::string(filter) +
                              ": only filters of the same parameters and the same probe can be "
                              "merged; make both alike, with one hash and seed");
}

void throw_fault(const std::optional<std::string>& fault) {
  if (fault) throw std::invalid_argument(*fault);
}

}  // namespace bloomlab::detail
