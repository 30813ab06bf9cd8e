#include "cli/commands/audit_catalogue.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/filters/sizing.hpp"
#include "experiments/cell_parts.hpp"
#include "experiments/cell_resolve.hpp"
#include "experiments/implementation.hpp"
#include "experiments/implementation_factory.hpp"
#include "experiments/peers/limits.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::cli {
namespace {

using record::Json;

/// Filters that grow are given words for so many times the keys that they are made for.
constexpr std::uint64_t room = 16;
constexpr double usual_bits_per_key = 10.0;

SizingGoal goal_of(const foreign::Request& request) {
  SizingGoal goal{.n = request.n};
  if (request.fpr) {
    goal.rate = request.fpr;
  } else {
    const double bits = request.bits_per_key.value_or(usual_bits_per_key);
    goal.memory_bits = experiments::peer_bits(request.n, std::max(1.0, bits));
  }
  return goal;
}

/// {"kind": ..., parameters}, sized for the request; what the options say stands.
Json sized_json(const CatalogueFilter& filter, const foreign::Request& request) {
  Json json{{"kind", filter.name}};
  experiments::visit_name<Filters>(filter.name, [&]<class Filter>(std::type_identity<Filter>) {
    const SizingGoal goal = goal_of(request);
    const auto sizing = Filter::sizing(goal);
    if (!sizing.unavailable.empty()) {
      throw record::InputError("audit: " + filter.name + ": " + sizing.unavailable);
    }
    const auto parameters = best_parameters<Filter>(sizing, goal);
    if (!parameters) {
      throw record::InputError("audit: " + filter.name + ": no size for " +
                               std::to_string(request.n) +
                               " keys reaches what is requested; allow a higher rate or more bits");
    }
    record::write_parameters<Filter>(*parameters, json);
  });
  for (const auto& [name, value] : filter.options.items()) {
    if (name != "hash" && name != "probe" && name != "reduction") json[name] = value;
  }
  return json;
}

experiments::Cell cell_of(const CatalogueFilter& filter, const foreign::Request& request) {
  Json hash{{"name", filter.options.value("hash", Json("xxhash3_64"))}};
  for (const char* const part : {"probe", "reduction"}) {
    if (filter.options.contains(part)) hash[part] = filter.options[part];
  }
  const Json point{{"keys", {{"source", "uniform"}}},
                   {"n", request.n},
                   {"filter", sized_json(filter, request)},
                   {"hash", hash}};
  const record::Origin origin{"audit: " + filter.name};
  experiments::Cell cell = experiments::resolve_cell({point, origin});
  cell.n = room * request.n;
  return cell;
}

/// Whether filters of the name turn keys away and say so.
bool refuses_keys(const std::string& name) {
  bool refuses = false;
  experiments::visit_name<Filters>(name, [&]<class Filter>(std::type_identity<Filter>) {
    refuses = requires(const Filter& filter) { filter.refused(); };
  });
  return refuses;
}

class FilterHere final : public foreign::ForeignFilter {
 public:
  explicit FilterHere(CatalogueFilter filter)
      : filter_(std::move(filter)),
        description_{.name = filter_.name},
        refuses_(filter_.name != limit_name && refuses_keys(filter_.name)) {}

  [[nodiscard]] const foreign::Description& description() const noexcept override {
    return description_;
  }
  void create(const foreign::Request& request) override {
    guarded([&] {
      if (filter_.name == limit_name) {
        implementation_ = std::make_unique<experiments::Limit>(experiments::PeerSetup{
            .n = request.n,
            .bits_per_key = std::max(1.0, request.bits_per_key.value_or(usual_bits_per_key)),
            .hasher = make_hasher("xxhash3_64"),
            .seed = request.seed});
      } else {
        implementation_ = experiments::make_implementation(cell_of(filter_, request), request.seed);
      }
    });
  }
  bool insert(const KeyBatch& keys) override {
    try {
      implementation_->insert(keys);
    } catch (const std::length_error&) {
      return false;
    }
    return !refuses_ || implementation_->state().refused == 0;
  }
  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    guarded([&] {
      for (std::size_t first = 0; first < keys.size(); first += at_once) {
        const std::size_t count = std::min(at_once, keys.size() - first);
        answer(keys.slice(first, count), answers.subspan(first, count));
      }
    });
  }
  [[nodiscard]] std::uint64_t count_contained(const KeyBatch& keys) override {
    std::uint64_t count = 0;
    guarded([&] { count = implementation_->count_contained(keys); });
    return count;
  }
  [[nodiscard]] std::uint64_t memory_bits() override {
    std::uint64_t bits = 0;
    guarded([&] { bits = implementation_->state().memory_bits; });
    return bits;
  }
  void remove(const KeyBatch& /*keys*/) override { unsupported("remove"); }
  [[nodiscard]] std::string save() override { return unsupported("save"); }
  void load(std::string_view /*saved*/) override { unsupported("load"); }
  void merge(std::string_view /*saved*/) override { unsupported("merge"); }

 private:
  static constexpr std::size_t at_once = 32;

  /// An implementation counts: all, none, or else key by key.
  void answer(const KeyBatch& keys, std::span<Answer> answers) {
    const std::uint64_t reported = implementation_->count_contained(keys);
    std::ranges::fill(answers, reported == 0 ? Answer::absent : Answer::maybe);
    if (reported == 0 || reported == keys.size()) return;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (implementation_->count_contained(keys.slice(i, 1)) == 0) answers[i] = Answer::absent;
    }
  }

  template <class Call>
  static void guarded(Call call) {
    try {
      call();
    } catch (const std::exception& fault) {
      throw foreign::Failure(foreign::FailureKind::refused, fault.what());
    }
  }
  static std::string unsupported(const std::string& call) {
    throw foreign::Failure(foreign::FailureKind::unsupported, call + " is not supported");
  }

  CatalogueFilter filter_;
  foreign::Description description_;
  bool refuses_;
  std::unique_ptr<experiments::Implementation> implementation_;
};

}  // namespace

bool is_in_catalogue(std::string_view name) {
  bool found = false;
  for_each_type<Filters>(
      [&]<class Filter>(std::type_identity<Filter>) { found = found || Filter::name == name; });
  return found;
}

std::unique_ptr<foreign::ForeignFilter> start_here(const CatalogueFilter& filter) {
  return std::make_unique<FilterHere>(filter);
}

audit::Layout layout_of(const CatalogueFilter& filter, const foreign::Request& request) {
  const experiments::Cell cell = cell_of(filter, request);
  const Json& json = cell.json.at("filter");
  audit::Layout layout;
  experiments::visit_filter(
      cell, [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
        if constexpr (!std::is_same_v<Filter, experiments::ForeignCell>) {
          constexpr std::string_view known[] = {"standard", "counting", "partitioned", "blocked",
                                                "split_block"};
          if (std::ranges::find(known, Filter::name) != std::end(known)) {
            Json expected = json;
            expected["probe"] = cell.probe;
            layout = audit::layout_of(expected, request.n, request.n, 0);
          } else {
            layout.kind = audit::Layout::Kind::other;
            layout.bits = static_cast<double>(Filter::memory_bits(parameters, request.n));
            layout.form = Filter::prediction(parameters, request.n);
          }
        }
      });
  return layout;
}

}  // namespace bloomlab::cli
