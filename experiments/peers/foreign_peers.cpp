#include "experiments/peers/foreign_peers.hpp"

#include <utility>

namespace bloomlab::experiments {
namespace {

/// Asks the one filter: its calls keep nothing between them but room for keys, so that only one
/// thread may have one.
class ForeignAsker final : public Asker {
 public:
  explicit ForeignAsker(foreign::ForeignFilter& filter) : filter_(filter) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    return filter_.count_contained(keys);
  }
  /// Its hash cannot be had apart from it: the keys are read.
  std::uint64_t only_hash(const KeyBatch& keys) override { return only_read(keys); }

 private:
  foreign::ForeignFilter& filter_;
};

}  // namespace

ForeignPeer::ForeignPeer(const PeerSetup& setup, std::unique_ptr<foreign::ForeignFilter> filter)
    : target_(setup.target), filter_(std::move(filter)) {
  filter_->create({.n = setup.n, .bits_per_key = setup.bits_per_key, .seed = setup.seed});
}

record::Json ForeignPeer::law() const {
  if (target_.library.empty()) return {{"kind", "command"}, {"command", target_.text()}};
  return {{"kind", "library"}, {"path", target_.text()}};
}

void ForeignPeer::insert(const KeyBatch& keys) { filter_->insert(keys); }

FilterState ForeignPeer::state() const { return {.memory_bits = filter_->memory_bits()}; }

std::unique_ptr<Asker> ForeignPeer::asker() const {
  return std::make_unique<ForeignAsker>(*filter_);
}

ForeignLibrary::ForeignLibrary(const PeerSetup& setup)
    : ForeignPeer(setup, foreign::load_here(setup.target)) {}

ForeignCommand::ForeignCommand(const PeerSetup& setup)
    : ForeignPeer(setup, foreign::start(setup.target)) {}

}  // namespace bloomlab::experiments
