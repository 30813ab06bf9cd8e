// The student's filter (student_filter.hpp) as a peer.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "experiments/peers/peer.hpp"
#include "experiments/peers/student_filter.hpp"

namespace bloomlab::experiments {

/// Classic, with the best k; its k functions are the hash under the seeds 0 .. k-1, whatever the
/// trial's seed: only the keys are redrawn.
class Student final : public PeerImplementation {
 public:
  static constexpr std::string_view name = "student";
  static constexpr std::string_view summary =
      "a naive filter: vector<bool>, MurmurHash2 under k seeds, remainder";
  static constexpr std::string_view source = "own, frozen: experiments/peers/student_filter.hpp";
  static constexpr std::string_view sized_as = "standard";
  [[nodiscard]] record::Json law() const;
  explicit Student(const PeerSetup& setup);

  void insert(const KeyBatch& keys) override;
  FilterState state() const override;
  std::unique_ptr<Asker> asker() const override;
  std::unique_ptr<Deduplicator> deduplicator() override;

 private:
  std::uint64_t k_;
  StudentFilter filter_;
};

/// SHA-256 of the text of student_filter.hpp, 64 hexadecimal digits, taken by the build.
[[nodiscard]] std::string_view student_filter_sha256();

}  // namespace bloomlab::experiments
