// A library in this process: for processes that are a filter's own already.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <utility>
#include <vector>

#include "foreign/foreign_filter.hpp"
#include "foreign/greeting.hpp"
#include "foreign/library.hpp"
#include "foreign/protocol.hpp"

namespace bloomlab::foreign {
namespace {

class LoadedFilter final : public ForeignFilter {
 public:
  LoadedFilter(std::string name, const std::string& path, record::Json options)
      : name_(std::move(name)),
        library_(path),
        filter_(library_),
        description_(read_greeting(library_.greeting()).value_or(Greeting{}).description),
        options_(std::move(options)) {}

  const Description& description() const noexcept override { return description_; }

  void create(const Request& request) override {
    guarded([&] { filter_.create(create_text(request, options_)); });
  }
  bool insert(const KeyBatch& keys) override {
    return guarded([&] { return filter_.insert(keys_of(keys)) == BLOOMLAB_OK; });
  }
  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    static_assert(sizeof(Answer) == 1);
    auto* const bytes = reinterpret_cast<std::uint8_t*>(answers.data());
    guarded([&] { filter_.query(keys_of(keys), bytes); });
    std::uint8_t all = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) all |= bytes[i];
    if (all > 1) {
      throw Failure(FailureKind::garbage, name_ + ": answered a byte other than 0 or 1 to query");
    }
  }
  std::uint64_t memory_bits() override { return filter_.memory_bits(); }
  void remove(const KeyBatch& keys) override {
    guarded([&] { filter_.remove(keys_of(keys)); });
  }
  std::string save() override {
    return guarded([&] {
      const std::vector<std::uint8_t> saved = filter_.save();
      return std::string(saved.begin(), saved.end());
    });
  }
  void load(std::string_view saved) override {
    guarded([&] { filter_.load(saved); });
  }
  void merge(std::string_view saved) override {
    guarded([&] { filter_.merge(saved); });
  }

 private:
  template <class Call>
  auto guarded(Call call) -> decltype(call()) {
    try {
      return call();
    } catch (const LibraryRefusal& refusal) {
      const bool lacks = refusal.status == BLOOMLAB_UNSUPPORTED;
      throw Failure(lacks ? FailureKind::unsupported : FailureKind::refused,
                    name_ + ": " + refusal.text);
    }
  }

  LibraryKeys keys_of(const KeyBatch& keys) {
    if (keys.integer_bytes() == sizeof(std::uint64_t)) {
      return {.count = keys.size(),
              .bytes = reinterpret_cast<const std::uint8_t*>(keys.values().data()),
              .key_bytes = sizeof(std::uint64_t)};
    }
    bytes_.clear();
    offsets_.assign(1, 0);
    const auto take = [&](const char* key, std::size_t length) {
      bytes_.insert(bytes_.end(), key, key + length);
      offsets_.push_back(bytes_.size());
    };
    for (const std::uint64_t& value : keys.values()) {
      take(reinterpret_cast<const char*>(&value), static_cast<std::size_t>(keys.integer_bytes()));
    }
    for (const std::string_view text : keys.texts()) take(text.data(), text.size());
    return {.count = keys.size(), .bytes = bytes_.data(), .offsets = offsets_.data()};
  }

  std::string name_;
  Library library_;
  LibraryFilter filter_;
  Description description_;
  record::Json options_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> offsets_;
};

}  // namespace

void confine_this_process(const Limits& limits, unsigned at_most) {
  const auto seconds = static_cast<unsigned>(std::max(1.0, std::ceil(limits.seconds)));
  ::alarm(at_most == 0 ? seconds : std::min(seconds, at_most));
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto lower = [](__rlimit_resource resource, rlim_t most) {
    rlimit now{};
    if (::getrlimit(resource, &now) != 0) return;
    now.rlim_cur = now.rlim_max = std::min(now.rlim_max, most);
    ::setrlimit(resource, &now);
  };
  lower(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their own memory would count
  lower(RLIMIT_DATA, static_cast<rlim_t>(limits.memory_mib) << 20);
#endif
  if (!limits.network) static_cast<void>(::unshare(CLONE_NEWNET));  // where that is allowed
}

std::unique_ptr<ForeignFilter> load_here(const Target& target) {
  const bool bare = !target.library.has_parent_path();
  const auto path = target.folder / (bare ? "." / target.library : target.library);
  try {
    return std::make_unique<LoadedFilter>(target.text(), path.string(), target.options);
  } catch (const LibraryRefusal& refusal) {
    throw Failure(FailureKind::not_started, target.text() + ": " + refusal.text);
  }
}

}  // namespace bloomlab::foreign
