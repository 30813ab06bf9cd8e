#include "experiments/cells/own_filters.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "core/catalogue.hpp"
#include "core/hash_stage.hpp"
#include "experiments/cells/cell_names.hpp"
#include "foreign/failure.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::experiments {
namespace {

std::vector<OwnFilterType>& brought() {
  static std::vector<OwnFilterType> filters;
  return filters;
}

bool is_word(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
  });
}

void require_free_name(const std::string& what, std::string_view name,
                       const std::vector<std::string_view>& known) {
  const std::string of = what + " \"" + std::string(name) + "\" of this program: ";
  if (!is_word(name)) {
    throw record::InputError(of + "a name is a word of a to z, 0 to 9 and _; choose another one");
  }
  if (std::ranges::find(known, name) != known.end()) {
    throw record::InputError(of + "there is one of that name already; choose another one by " +
                             "`static constexpr std::string_view name`");
  }
}

/// What the filter throws is its failure; too little memory is the run's.
template <class Call>
auto guarded(std::string_view name, Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& fault) {
    throw foreign::Failure(foreign::FailureKind::refused, std::string(name) + ": " + fault.what());
  }
}

/// Gives keys, or their digests, to the filter.
template <class Use>
void give(const std::optional<HashStage>& stage, const KeyBatch& keys, Use use) {
  if (!stage) return use(keys);
  stage->for_each_part(keys, [&](std::size_t, const DigestBatch& digests) {
    use(KeyBatch::integers(digests.word(0), sizeof(std::uint64_t)));
  });
}

class OwnAsker final : public Asker {
 public:
  OwnAsker(const HiddenFilter& filter, const std::optional<HashStage>& stage)
      : filter_(filter), stage_(stage) {}

  std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    give(stage_, keys, [&](const KeyBatch& part) { count += filter_.count_contained(part); });
    return count;
  }
  std::uint64_t only_hash(const KeyBatch& keys) override {
    std::uint64_t fold = 0;
    give(stage_, keys, [&](const KeyBatch& part) {
      for (const std::uint64_t value : part.values()) fold ^= value;
      for (const std::string_view text : part.texts()) fold ^= text.size();
    });
    return fold == 0 ? 1 : 0;
  }

 private:
  const HiddenFilter& filter_;
  const std::optional<HashStage>& stage_;
};

class OwnImplementation final : public Implementation {
 public:
  OwnImplementation(std::string_view name, std::unique_ptr<HiddenFilter> filter,
                    std::optional<HashStage> stage)
      : name_(name), filter_(std::move(filter)), stage_(std::move(stage)) {}

  void insert(const KeyBatch& keys) override {
    guarded(name_, [&] {
      give(stage_, keys, [&](const KeyBatch& part) { has_room_ &= filter_->insert(part); });
    });
  }
  std::uint64_t count_contained(const KeyBatch& keys) override {
    return guarded(name_, [&] { return OwnAsker(*filter_, stage_).count_contained(keys); });
  }
  FilterState state() const override { return {.memory_bits = filter_->memory_bits()}; }
  bool grows() const noexcept override { return false; }
  void annotate(record::Json& measured) const override {
    measured["implementation"] = name_;  // whose bits nobody sees
    annotate_unseen_filter(has_room_, measured);
  }
  std::unique_ptr<Asker> asker() const override {
    return std::make_unique<OwnAsker>(*filter_, stage_);
  }

 private:
  std::string name_;
  std::unique_ptr<HiddenFilter> filter_;
  std::optional<HashStage> stage_;
  bool has_room_ = true;
};

}  // namespace

void bring_own_filters(std::span<const OwnFilterType> filters) {
  for (const OwnFilterType& filter : filters) {
    std::vector<std::string_view> known = catalogue_names<Filters>();
    for (const OwnFilterType& own : brought()) known.push_back(own.name);
    known.insert(known.end(), {library_kind, command_kind});
    require_free_name("filter", filter.name, known);
    brought().push_back(filter);
  }
}

void bring_own_hashes(std::span<const HashOperations> hashes) {
  std::vector<std::string_view> known = catalogue_names<Hashes>();
  known.insert(known.end(), {library_kind, command_kind});
  for (const HashOperations& hash : hashes) {
    require_free_name("hash", hash.name, known);
    known.push_back(hash.name);
  }
  record::bring_hashes(hashes);
}

bool is_own_hash(std::string_view name) {
  return std::ranges::find(record::brought_hashes(), name, &HashOperations::name) !=
         record::brought_hashes().end();
}

std::string hash_named_in(const record::Json& cell) {
  if (!cell.contains("hash")) return "";
  const record::Json& hash = cell.at("hash");
  if (hash.is_string()) return hash.get<std::string>();
  return hash.is_object() ? hash.value("name", "") : "";
}

std::span<const OwnFilterType> own_filters() { return brought(); }

const OwnFilterType* own_filter(std::string_view name) {
  const auto found = std::ranges::find(brought(), name, &OwnFilterType::name);
  return found == brought().end() ? nullptr : &*found;
}

std::span<const std::pair<std::string_view, std::string_view>> own_filter_parameters() {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> parameters = {{
      {"bits_per_key", "memory to take [bits per key]"},
      {"fpr", "false-positive rate to keep at n keys"},
      {"options", "an object, which the filter gets as text"},
      {"expected", "the closed form of its rate: a model of `theory` with its numbers"},
  }};
  return parameters;
}

const std::string& digest_of_this_program() {
  static const std::string digest = record::sha256_hex(
      record::read_text("/proc/self/exe", std::numeric_limits<std::uintmax_t>::max()));
  return digest;
}

std::unique_ptr<Implementation> make_own_filter(const OwnFilterType& type,
                                                const FilterRequest& request,
                                                std::string_view hash) {
  std::optional<HashStage> stage;
  if (type.takes_digests) stage.emplace(record::make_hasher(hash), DigestNeed{}, request.seed);
  return guarded(type.name, [&] {
    return std::make_unique<OwnImplementation>(type.name, type.make(request), std::move(stage));
  });
}

void annotate_unseen_filter(bool has_room, record::Json& measured) {
  for (const char* const unseen : {"bits", "bits_set", "layers", "conditional_rate"}) {
    measured.erase(unseen);
  }
  const auto denied = measured.at("false_negatives").get<std::uint64_t>();
  if (!has_room) {
    measured["status"] = "full";
    measured["reason"] = "turned keys away, as it had no room left";
  } else if (denied > 0) {
    measured["status"] = "false_negatives";
    measured["reason"] = "denies " + std::to_string(denied) + " of " +
                         measured.at("inserted").dump() + " inserted keys";
  }
}

}  // namespace bloomlab::experiments
