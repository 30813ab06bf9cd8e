// bloomlab-cache: one trial of the kind cache_penetration, which starts this program. It starts a
// Redis in a folder of its own; both are gone when this program is, and this program when its
// parent is.

#include <poll.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <charconv>
#include <cmath>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/applications/draws.hpp"
#include "experiments/applications/membership.hpp"
#include "experiments/applications/scratch_folder.hpp"
#include "experiments/kinds/cache_penetration.hpp"
#include "experiments/kinds/trial_program.hpp"
#include "experiments/speed/timed_loops.hpp"
#include "experiments/store/pairs.hpp"
#include "experiments/store/redis.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using Scene = CachePenetration::Point::Scene;

/// What stands before the store; `names` has their words.
enum class Guard : std::uint32_t { none, filter, untold, loader };
constexpr std::array<const char*, 4> names = {"none", "filter", "untold", "loader"};

/// Answers one query after the other, and counts them.
class SlowStore {
 public:
  explicit SlowStore(std::uint64_t value_bytes) : value_bytes_(value_bytes) {}

  void insert(std::uint64_t key) { keys_.insert(key); }

  /// @param service_us what each query takes at least, from now on
  void begin(std::uint64_t service_us) {
    service_.tv_sec = static_cast<std::time_t>(service_us / 1'000'000);
    service_.tv_nsec = static_cast<long>(service_us % 1'000'000 * 1000);
    reads_ = 0;
    found_ = 0;
  }

  /// The value of a key; nothing where there is none.
  [[nodiscard]] std::optional<std::string> find(std::uint64_t key) {
    const std::scoped_lock one_at_a_time(mutex_);
    if (service_.tv_sec > 0 || service_.tv_nsec > 0) ::nanosleep(&service_, nullptr);
    ++reads_;
    if (!keys_.contains(key)) return std::nullopt;
    ++found_;
    std::string value;
    write_value(key, value_bytes_, value);
    return value;
  }

  [[nodiscard]] std::uint64_t reads() const noexcept { return reads_; }
  [[nodiscard]] std::uint64_t found() const noexcept { return found_; }

 private:
  std::uint64_t value_bytes_;
  std::unordered_set<std::uint64_t> keys_;
  timespec service_{};
  std::mutex mutex_;
  std::uint64_t reads_ = 0;
  std::uint64_t found_ = 0;
};

struct Query {
  std::uint64_t key = 0;
  bool is_present = false;
};

class GuardedCache {
 public:
  using Kind = CachePenetration;

  GuardedCache(const CachePenetration::Parameters& p, const CachePenetration::Point::Parameters& at,
               std::uint64_t seed)
      : p_(p),
        at_(at),
        later_(at.scene == Scene::later_keys ? at.n / 10 : 0),
        permutation_(seed),
        draws_(seed),
        store_(at.value_bytes),
        server_((std::uint64_t{64} << 20) + 2 * at.n * (at.value_bytes + 256)) {
    const std::uint64_t hash_seed = draws_.number();
    for (auto* filter : {&filter_, &untold_}) {
      *filter = default_filter(at.n * at.bits_per_key, fitting_probes(at.bits_per_key), hash_seed);
    }
    for (std::uint64_t i = 0; i < at.n; ++i) {
      const std::uint64_t key = permutation_(i);
      store_.insert(key);
      filter_->insert(key);
      if (i < at.n - later_) untold_->insert(key);
    }
    for (std::uint64_t i = 0; i < at.clients; ++i) clients_.push_back(server_.connect());
  }

  [[nodiscard]] Json count() {
    const std::vector<Query> queries = draw();
    Json measured = {{"queries", queries.size()},
                     {"absent", std::ranges::count(queries, false, &Query::is_present)},
                     {"later", later_},
                     {"m", at_.n * at_.bits_per_key},
                     {"k", fitting_probes(at_.bits_per_key)}};
    std::uint64_t expired = 0;
    for (const Guard guard : {Guard::none, Guard::filter, Guard::untold, Guard::loader}) {
      const std::string name = names.at(static_cast<std::size_t>(guard));
      begin(0);
      const std::uint64_t wrong =
          at_.scene == Scene::breakdown ? break_down(guard, queries) : ask_all(guard, queries);
      measured[name + "_reads"] = store_.reads();
      measured[name + "_found"] = store_.found();
      measured[name + "_misses"] = statistic("keyspace_misses");
      measured[name + "_wrong"] = wrong;
      expired += statistic("expired_keys");
    }
    measured["expired"] = expired;
    return measured;
  }

  [[nodiscard]] Json time() {
    if (at_.scene == Scene::later_keys) return Json::object();
    begin(at_.service_us);
    const std::array loops = {loop("none_ns", Guard::none), loop("filter_ns", Guard::filter),
                              loop("loader_ns", Guard::loader)};
    const auto durations = run_in_every_order(loops, p_.repetitions / CachePenetration::orders);
    Json timing;
    for (std::size_t i = 0; i < loops.size(); ++i) timing[loops[i].name] = durations[i];
    return timing;
  }

 private:
  /// The working folder: names in it are short, as those of sockets are to be.
  struct WorkingFolder {
    WorkingFolder() { std::filesystem::current_path(folder.path()); }
    ScratchFolder folder{"bloomlab-cache"};
  };

  [[nodiscard]] std::uint64_t next_absent_key() { return permutation_(at_.n + next_absent_++); }
  [[nodiscard]] std::uint64_t draw_present_key() { return permutation_(draws_.below(at_.n)); }

  /// The queries that every guard meets; in the scene breakdown one for each client and expiry.
  [[nodiscard]] std::vector<Query> draw() {
    std::vector<Query> queries;
    if (at_.scene == Scene::later_keys) {
      for (std::uint64_t i = at_.n - later_; i < at_.n; ++i) {
        queries.push_back({permutation_(i), true});
      }
    } else if (at_.scene == Scene::breakdown) {
      for (std::uint64_t i = 0; i < p_.expiries; ++i) {
        queries.insert(queries.end(), at_.clients, {draw_present_key(), true});
      }
    } else {
      // In whole numbers, so that the same keys are drawn everywhere.
      const auto share = static_cast<std::uint64_t>(std::llround(p_.attack * 0x1p32));
      for (std::uint64_t i = 0; i < p_.queries; ++i) {
        const bool is_absent = draws_.number() >> 32 < share;
        queries.push_back({is_absent ? next_absent_key() : draw_present_key(), !is_absent});
      }
    }
    return queries;
  }

  void begin(std::uint64_t service_us) {
    clients_.front().ask({"FLUSHALL"});
    clients_.front().ask({"CONFIG", "RESETSTAT"});
    store_.begin(service_us);
  }

  [[nodiscard]] std::uint64_t statistic(const std::string& name) {
    const std::string all = clients_.front().ask({"INFO", "stats"}).text.value_or("");
    const std::size_t at = all.find("\n" + name + ":");
    std::uint64_t value = 0;
    if (at != std::string::npos) {
      const char* const text = all.data() + at + name.size() + 2;
      if (std::from_chars(text, all.data() + all.size(), value).ec == std::errc{}) return value;
    }
    throw record::InputError("redis-server: its statistics have no " + name);
  }

  [[nodiscard]] bool lets_by(Guard guard, std::uint64_t key) const {
    if (guard == Guard::filter) return filter_->contains(key);
    return guard != Guard::untold || untold_->contains(key);
  }

  /// The answer to one query.
  /// @param looked is called when the cache was looked into
  std::optional<std::string> ask(Guard guard, std::uint64_t key, RedisConnection& cache,
                                 const std::function<void()>& looked = {}) {
    if (!lets_by(guard, key)) return std::nullopt;
    std::string text;
    write_key(key, text);
    auto value = cache.ask({"GET", text}).text;
    if (looked) looked();
    if (value) return value;
    std::unique_lock one_loader(loading_, std::defer_lock);
    if (guard == Guard::loader) {
      one_loader.lock();
      value = cache.ask({"GET", text}).text;
      if (value) return value;
    }
    value = store_.find(key);
    if (value) cache.ask({"SET", text, *value});
    return value;
  }

  [[nodiscard]] bool is_wrong(const Query& query, const std::optional<std::string>& answer) const {
    std::string value;
    if (query.is_present) write_value(query.key, at_.value_bytes, value);
    return query.is_present ? answer != value : answer.has_value();
  }

  [[nodiscard]] std::uint64_t ask_all(Guard guard, const std::vector<Query>& queries) {
    std::uint64_t wrong = 0;
    for (const Query& query : queries) {
      wrong += is_wrong(query, ask(guard, query.key, clients_.front())) ? 1 : 0;
    }
    return wrong;
  }

  [[nodiscard]] std::uint64_t break_down(Guard guard, const std::vector<Query>& queries) {
    std::uint64_t wrong = 0;
    for (std::size_t i = 0; i < queries.size(); i += clients_.size()) {
      let_expire(queries[i].key);
      wrong += ask_at_once(guard, queries[i]);
    }
    return wrong;
  }

  /// Puts the key into the cache and waits until Redis has let it expire.
  void let_expire(std::uint64_t key) {
    RedisConnection& cache = clients_.front();
    std::string text;
    std::string value;
    write_key(key, text);
    write_value(key, at_.value_bytes, value);
    cache.ask({"SET", text, value});
    for (int tries = 0; tries < 1000; ++tries) {
      // It tells a key that is there from one that is not, and enters no statistic of lookups.
      if (cache.ask({"PEXPIRE", text, "1"}).integer == 0) return;
      ::poll(nullptr, 0, 2);
    }
    throw record::InputError("redis-server: does not let a key expire after 1 ms");
  }

  /// All clients query the key, and each has looked into the cache before one goes to the store:
  /// the store answers more slowly than they come. @return wrong answers
  std::uint64_t ask_at_once(Guard guard, const Query& query) {
    std::barrier all_looked(static_cast<std::ptrdiff_t>(clients_.size()));
    std::atomic<std::uint64_t> wrong = 0;
    std::vector<std::exception_ptr> faults(clients_.size());
    const auto ask_one = [&](std::size_t client) {
      bool has_looked = false;
      try {
        const auto answer = ask(guard, query.key, clients_[client], [&] {
          has_looked = true;
          all_looked.arrive_and_wait();
        });
        wrong += is_wrong(query, answer) ? 1 : 0;
      } catch (...) {
        faults[client] = std::current_exception();
      }
      if (!has_looked) all_looked.arrive_and_drop();
    };
    {
      std::vector<std::jthread> threads;
      try {
        while (threads.size() < clients_.size()) threads.emplace_back(ask_one, threads.size());
      } catch (...) {
        // Those that were started must not wait for the others.
        for (auto i = threads.size(); i < clients_.size(); ++i) all_looked.arrive_and_drop();
        throw;
      }
    }
    for (const std::exception_ptr& fault : faults) {
      if (fault) std::rethrow_exception(fault);
    }
    return wrong;
  }

  [[nodiscard]] TimedLoop loop(const char* name, Guard guard) {
    const bool breaks_down = at_.scene == Scene::breakdown;
    return {.name = name,
            .prepare =
                [this, breaks_down](unsigned, std::uint64_t) {
                  timed_ = {breaks_down ? draw_present_key() : next_absent_key(), breaks_down};
                  if (breaks_down) let_expire(timed_.key);
                },
            .run =
                [this, breaks_down, guard](unsigned, std::uint64_t) {
                  if (breaks_down) {
                    ask_at_once(guard, timed_);
                  } else {
                    (void)ask(guard, timed_.key, clients_.front());
                  }
                }};
  }

  CachePenetration::Parameters p_;
  CachePenetration::Point::Parameters at_;
  std::uint64_t later_;
  KeyedPermutation permutation_;
  KeyedDraws draws_;
  SlowStore store_;
  WorkingFolder folder_;
  RedisServer server_;
  std::unique_ptr<Membership> filter_;
  std::unique_ptr<Membership> untold_;
  std::vector<RedisConnection> clients_;
  std::mutex loading_;  ///< of the one key that is queried at a time
  std::uint64_t next_absent_ = 0;
  Query timed_;
};

}  // namespace
}  // namespace bloomlab::experiments

int main() {
  using namespace bloomlab::experiments;
  return answer_request<GuardedCache>();
}
