// The side of a filter from outside, for filters of the catalogue: docs/foreign_filters.md.
#include "cli/commands/audit_catalogue.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "audit/expected_layout.hpp"
#include "core/filters/sizing.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/cell_resolve.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/cells/implementation_factory.hpp"
#include "experiments/peers/limits.hpp"
#include "foreign/frames.hpp"
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
    } catch (const std::bad_alloc& fault) {  // of this machine, which is no fault of the filter
      throw record::RunError(std::string("audit: ") + fault.what());
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

/// "N BITS_PER_KEY FPR SEED OPTIONS"; the options are of no use here.
foreign::Request request_of(const std::string& text) {
  std::istringstream words(text);
  foreign::Request request;
  double bits_per_key = 0.0;
  double fpr = 0.0;
  words >> request.n >> bits_per_key >> fpr >> request.seed;
  if (bits_per_key > 0.0) request.bits_per_key = bits_per_key;
  if (fpr > 0.0) request.fpr = fpr;
  return request;
}

int digit_of(char hex) { return hex <= '9' ? hex - '0' : (hex | 0x20) - 'a' + 10; }

/// Keys as they came: integers where each has 8 bytes, as within one process.
class Keys {
 public:
  void clear() { bytes_.clear(); }
  void add(std::string_view bytes) { bytes_.emplace_back(bytes); }
  [[nodiscard]] KeyBatch batch() {
    values_.clear();
    views_.assign(bytes_.begin(), bytes_.end());
    for (const std::string& key : bytes_) {
      if (key.size() != sizeof(std::uint64_t)) return KeyBatch::texts(views_);
      values_.emplace_back();
      std::memcpy(&values_.back(), key.data(), key.size());
    }
    return KeyBatch::integers(values_, 8);
  }

 private:
  std::vector<std::string> bytes_;
  std::vector<std::string_view> views_;
  std::vector<std::uint64_t> values_;
};

void serve_lines(foreign::ForeignFilter& filter) {
  std::ios::sync_with_stdio(false);
  std::cout << "bloomlab-filter 1 text name=" << filter.description().name << std::endl;
  Keys keys;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string call;
    std::size_t count = 0;
    words >> call;
    try {
      if (call == "create") {
        filter.create(request_of(line.substr(call.size())));
        std::cout << "ok" << std::endl;
      } else if (call == "memory") {
        std::cout << filter.memory_bits() << std::endl;
      } else if ((call == "insert" || call == "query") && words >> count) {
        keys.clear();
        std::string hex;
        for (std::size_t i = 0; i < count && std::getline(std::cin, hex); ++i) {
          std::string key(hex.size() / 2, '\0');
          for (std::size_t j = 0; j < key.size(); ++j) {
            key[j] = static_cast<char>(16 * digit_of(hex[2 * j]) + digit_of(hex[2 * j + 1]));
          }
          keys.add(key);
        }
        if (call == "insert") {
          std::cout << (filter.insert(keys.batch()) ? "ok" : "full") << std::endl;
          continue;
        }
        std::vector<Answer> answers(count);
        filter.query(keys.batch(), answers);
        for (const Answer answer : answers) std::cout << (answer == Answer::maybe ? '1' : '0');
        std::cout << std::endl;
      } else {
        std::cout << "unsupported" << std::endl;
      }
    } catch (const foreign::Failure& failure) {
      std::cout << "error " << failure.what() << std::endl;
    }
  }
}

/// Frames over standard input and output.
class Frames {
 public:
  explicit Frames(foreign::ForeignFilter& filter) : filter_(filter) {}

  void serve() {
    std::printf("bloomlab-filter 1 binary name=%s\n", filter_.description().name.c_str());
    std::fflush(stdout);
    for (foreign::CallHeader call; read(&call, sizeof call);) {
      words_.resize((call.payload_bytes + 7) / 8);
      if (!read(words_.data(), call.payload_bytes)) return;
      try {
        answer(call);
      } catch (const foreign::Failure& failure) {
        constexpr std::uint32_t failed = 3;
        write(failed, failure.what(), std::strlen(failure.what()));
      }
    }
  }

 private:
  static bool read(void* to, std::size_t size) { return std::fread(to, 1, size, stdin) == size; }
  static void write(std::uint32_t status, const void* payload, std::size_t size) {
    const foreign::AnswerHeader header{.status = status, .payload_bytes = size};
    std::fwrite(&header, sizeof header, 1, stdout);
    if (size > 0) std::fwrite(payload, 1, size, stdout);
    std::fflush(stdout);
  }
  static void write(foreign::Status status) {
    write(static_cast<std::uint32_t>(status), nullptr, 0);
  }

  void answer(const foreign::CallHeader& call) {
    using foreign::Operation;
    using foreign::Status;
    switch (static_cast<Operation>(call.operation)) {
      case Operation::create:
        filter_.create(request_of({bytes(), call.payload_bytes}));
        return write(Status::ok);
      case Operation::insert:
        return write(filter_.insert(keys_of(call)) ? Status::ok : Status::full);
      case Operation::query: {
        const KeyBatch keys = keys_of(call);
        answers_.resize(keys.size());
        filter_.query(keys, answers_);
        static_assert(sizeof(Answer) == 1 && static_cast<int>(Answer::maybe) == 1);
        return write(0, answers_.data(), answers_.size());
      }
      case Operation::memory_bits: {
        const std::uint64_t bits = filter_.memory_bits();
        return write(0, &bits, sizeof bits);
      }
      default:
        write(Status::unsupported);
    }
  }

  [[nodiscard]] const char* bytes() const { return reinterpret_cast<const char*>(words_.data()); }

  KeyBatch keys_of(const foreign::CallHeader& call) {
    const auto count = static_cast<std::size_t>(call.count);
    if (call.key_bytes == sizeof(std::uint64_t)) {
      return KeyBatch::integers(std::span(words_).first(count), 8);
    }
    keys_.clear();
    const char* const first = bytes() + (call.key_bytes == 0 ? 8 * (count + 1) : 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t begin = call.key_bytes == 0 ? words_[i] : i * call.key_bytes;
      const std::uint64_t end = call.key_bytes == 0 ? words_[i + 1] : begin + call.key_bytes;
      keys_.add({first + begin, static_cast<std::size_t>(end - begin)});
    }
    return keys_.batch();
  }

  foreign::ForeignFilter& filter_;
  std::vector<std::uint64_t> words_;  // of a frame
  Keys keys_;
  std::vector<Answer> answers_;
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
  const Json json = cell.json().at("filter");
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

void serve(const CatalogueFilter& filter, std::string_view protocol) {
  const auto served = start_here(filter);
  if (protocol == "text") return serve_lines(*served);
  if (protocol == "binary") return Frames(*served).serve();
  throw record::InputError("audit: --serve is \"" + std::string(protocol) +
                           "\"; give text or binary");
}

}  // namespace bloomlab::cli
