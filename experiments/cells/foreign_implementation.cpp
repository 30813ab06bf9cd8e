#include "experiments/cells/foreign_implementation.hpp"

#include <utility>

#include "experiments/cells/foreign_cell.hpp"
#include "experiments/cells/own_filters.hpp"

namespace bloomlab::experiments {
namespace {

/// What a program says of itself.
void annotate_with(const foreign::Description& said, record::Json& measured) {
  measured["implementation"] = said.version.empty() ? said.name : said.name + " " + said.version;
  if (!said.deterministic) measured["nondeterministic"] = true;
}

class ForeignImplementation final : public Implementation {
 public:
  explicit ForeignImplementation(std::unique_ptr<foreign::ForeignFilter> filter)
      : filter_(std::move(filter)) {}

  void insert(const KeyBatch& keys) override { has_room_ = filter_->insert(keys) && has_room_; }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return filter_->count_contained(keys);
  }
  FilterState state() const override { return {.memory_bits = filter_->memory_bits()}; }
  bool grows() const noexcept override { return false; }

  void annotate(record::Json& measured) const override {
    annotate_with(filter_->description(), measured);
    annotate_unseen_filter(has_room_, measured);
  }

 private:
  std::unique_ptr<foreign::ForeignFilter> filter_;
  bool has_room_ = true;
};

class HashedByProgram final : public Implementation {
 public:
  HashedByProgram(std::unique_ptr<ForeignHash> hash, std::unique_ptr<Implementation> filter)
      : hash_(std::move(hash)), filter_(std::move(filter)) {}

  void insert(const KeyBatch& keys) override { filter_->insert(keys); }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return filter_->count_contained(keys);
  }
  FilterState state() const override { return filter_->state(); }
  bool grows() const noexcept override { return filter_->grows(); }

  void annotate(record::Json& measured) const override {
    filter_->annotate(measured);
    hash_->annotate(measured);
    const auto denied = measured.at("false_negatives").get<std::uint64_t>();
    if (denied <= measured.value("refused", std::uint64_t{0})) return;
    measured["status"] = "false_negatives";
    measured["reason"] =
        "denies " + std::to_string(denied) + " of " + measured.at("inserted").dump() +
        " inserted keys: the hash gives a key other digests when it is asked again";
  }

 private:
  std::unique_ptr<ForeignHash> hash_;  // which the filter's stage asks
  std::unique_ptr<Implementation> filter_;
};

}  // namespace

std::unique_ptr<Implementation> make_foreign_implementation(const Cell& cell, std::uint64_t seed) {
  const ForeignCell::Parameters parameters = ForeignCell::parameters_of(cell.json().at("filter"));
  if (const OwnFilterType* const own = own_filter(cell.filter)) {
    const record::Json options = cell.json().at("filter").value("options", record::Json::object());
    return make_own_filter(*own,
                           {.n = cell.n,
                            .bits_per_key = parameters.bits_per_key.value_or(0.0),
                            .fpr = parameters.fpr.value_or(0.0),
                            .seed = hash_seed(seed),
                            .options = options.dump()},
                           hash_of_own_filter(cell.json()));
  }
  auto filter = foreign::start(target_of(cell));
  filter->create({.n = cell.n,
                  .bits_per_key = parameters.bits_per_key,
                  .fpr = parameters.fpr,
                  .seed = hash_seed(seed)});
  return std::make_unique<ForeignImplementation>(std::move(filter));
}

std::unique_ptr<Implementation> hashed_by(std::unique_ptr<ForeignHash> hash,
                                          std::unique_ptr<Implementation> implementation) {
  return std::make_unique<HashedByProgram>(std::move(hash), std::move(implementation));
}

ForeignHash::ForeignHash(const foreign::Target& target)
    : program_(foreign::start(target)),
      operations_{.name = command_kind, .source = "a program", .holder = this} {
  if (program_->description().hashes) return;
  throw foreign::Failure(foreign::FailureKind::unsupported,
                         target.text() + ": is no hash; one says \"hashes\" in its greeting");
}

void ForeignHash::annotate(record::Json& measured) const {
  annotate_with(program_->description(), measured);
}

void ForeignHash::digest_batch(const KeyBatch& keys, std::uint64_t seed,
                               const DigestPlanes& out) const {
  program_->hash(keys, seed, {out.words, keys.size()});
}

}  // namespace bloomlab::experiments
