#include "experiments/kinds/heavy_check.hpp"

#include <fcntl.h>
#include <regex.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/applications/containers.hpp"
#include "experiments/applications/draws.hpp"
#include "experiments/applications/scratch_folder.hpp"
#include "experiments/speed/noise.hpp"
#include "experiments/speed/timed_keys.hpp"
#include "experiments/speed/timed_loops.hpp"

namespace bloomlab::experiments {
namespace {

using CheckPoint = HeavyCheck::Point::Parameters;
using CheckKind = HeavyCheck::Point::Check;

/// Distinct keys of one length: letters and digits drawn anew for each, its number, and at the end
/// what tells known keys from others. Key i is always the same.
class LongKeys {
 public:
  LongKeys(std::uint64_t seed, std::uint64_t key_bytes) : seed_(seed), key_bytes_(key_bytes) {}

  void write(std::uint64_t i, bool known, std::string& out) const {
    out.resize(static_cast<std::size_t>(key_bytes_));
    Draws draws(seed_ + 0x9e3779b97f4a7c15ULL * (i + 1));
    const std::size_t body = out.size() - 1;
    for (std::size_t at = 0; at < body;) {
      std::uint64_t drawn = draws.next();
      for (int part = 0; part < 12 && at < body; ++part, drawn >>= 5) {
        out[at++] = "abcdefghijklmnopqrstuvwxyz234567"[drawn & 31];
      }
    }
    // Thirteen digits to base 32 of the number in the middle: no two keys are equal.
    for (std::size_t digit = 0; digit < 13; ++digit, i >>= 5) {
      out[body / 2 - 5 + digit] = "abcdefghijklmnopqrstuvwxyz234567"[i & 31];
    }
    out[body] = known ? '+' : '-';
  }

 private:
  std::uint64_t seed_;
  std::uint64_t key_bytes_;
};

/// A sorted file of records of one length, searched by halves; every comparison reads a record.
class SortedFile final : public Membership {
 public:
  explicit SortedFile(std::uint64_t key_bytes)
      : size_(static_cast<std::size_t>(key_bytes)), record_(size_, '\0') {}
  ~SortedFile() override {
    if (file_ >= 0) ::close(file_);
  }

  void insert(std::string_view key) override { keys_.emplace_back(key); }
  void ready() override {
    std::ranges::sort(keys_);
    const auto path = folder_.path() / "known";
    {
      std::ofstream out(path, std::ios::binary);
      for (const std::string& key : keys_) out << key;
      if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
    }
    count_ = keys_.size();
    keys_ = {};
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) throw std::runtime_error("cannot read " + path.string());
  }
  [[nodiscard]] bool contains(std::string_view key) const override {
    std::size_t low = 0;
    std::size_t high = count_;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (::pread(file_, record_.data(), size_, static_cast<off_t>(middle * size_)) !=
          static_cast<ssize_t>(size_)) {
        throw std::runtime_error("cannot read the file of known keys");
      }
      const int order = std::string_view(record_).compare(key);
      if (order == 0) return true;
      (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
    }
    return false;
  }
  void clear() override { count_ = 0; }

 private:
  ScratchFolder folder_{"bloomlab-heavy-check"};
  std::size_t size_;
  std::vector<std::string> keys_;
  std::size_t count_ = 0;
  int file_ = -1;
  mutable std::string record_;
};

/// Whether a key is what known keys are, by their form alone.
class Pattern final : public Membership {
 public:
  Pattern() {
    if (::regcomp(&pattern_, "^([a-m]*[n-z]|[2-7])*[a-z2-7]*[+]$", REG_EXTENDED | REG_NOSUB) != 0) {
      throw std::runtime_error("the pattern of known keys is refused");
    }
  }
  ~Pattern() override { ::regfree(&pattern_); }

  void insert(std::string_view /*key*/) override {}
  [[nodiscard]] bool contains(std::string_view key) const override {
    regmatch_t range{0, static_cast<regoff_t>(key.size())};
    return ::regexec(&pattern_, key.data(), 1, &range, REG_STARTEND) == 0;
  }
  void clear() override {}

 private:
  regex_t pattern_{};
};

std::unique_ptr<Membership> make_check(const CheckPoint& at) {
  switch (at.check) {
    case CheckKind::hash_table:
      return make_container(Container::unordered_set);
    case CheckKind::sorted_list:
      return make_container(Container::sorted_vector);
    case CheckKind::file:
      return std::make_unique<SortedFile>(at.key_bytes);
    case CheckKind::regular_expression:
      break;
  }
  return std::make_unique<Pattern>();
}

/// Keys of which some are known: as many as a core's own cache holds beside other things.
class Batch {
 public:
  /// @param known how many known keys there are
  Batch(const LongKeys& keys, std::uint64_t known, std::uint64_t most)
      : keys_(keys), known_(known), texts_(static_cast<std::size_t>(most)) {}

  [[nodiscard]] std::size_t most() const noexcept { return texts_.size(); }

  /// @param hits of `shares` keys on average   @param next_absent number of the next absent key
  void draw(std::size_t count, std::uint64_t hits, std::uint64_t shares, KeyedDraws& draws,
            std::uint64_t& next_absent) {
    is_known_.assign(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      is_known_[i] = draws.below(shares) < hits;
      keys_.write(is_known_[i] ? draws.below(known_) : known_ + next_absent++, is_known_[i],
                  texts_[i]);
    }
  }
  [[nodiscard]] std::span<const std::string> texts() const {
    return std::span(texts_).first(is_known_.size());
  }
  [[nodiscard]] bool is_known(std::size_t i) const { return is_known_[i]; }

 private:
  const LongKeys& keys_;
  std::uint64_t known_;
  std::vector<std::string> texts_;
  std::vector<bool> is_known_;
};

std::uint64_t keys_in_cache(std::uint64_t key_bytes, std::uint64_t most) {
  return std::clamp<std::uint64_t>(131072 / key_bytes, 1, most);
}

/// One check with its filter, and keys to look up.
class CheckedKeys {
 public:
  CheckedKeys(const MakeMembership& make, const HeavyCheck::Parameters& p, const CheckPoint& at,
              std::uint64_t seed)
      : shares_(p.shares - 1),
        rounds_(p.repetitions / HeavyCheck::orders),
        known_(p.known_bytes / at.key_bytes),
        lookups_(std::min(p.lookups, known_)),
        m_(at.bits_per_key * known_),
        k_(fitting_probes(at.bits_per_key)),
        draws_(seed),
        timed_draws_(~seed),
        keys_(draws_.number(), at.key_bytes),
        check_(make_check(at)),
        filter_(make(m_, k_, draws_.number())),
        counted_(keys_, known_, keys_in_cache(at.key_bytes, 256)),
        timed_(keys_, known_, std::min(lookups_, keys_in_cache(at.key_bytes, 512))) {
    std::string key;
    for (std::uint64_t i = 0; i < known_; ++i) {
      keys_.write(i, true, key);
      check_->insert(std::string_view(key));
      filter_->insert(std::string_view(key));
    }
    check_->ready();
  }

  /// @param hits of p.shares - 1 keys on average
  Measurement measure(std::uint64_t hits) {
    record::Json measured = count(hits);
    return {hits + 1, std::move(measured), time(hits)};
  }

 private:
  record::Json count(std::uint64_t hits) {
    std::uint64_t counts[2][2] = {};  // [whether it is known][whether the filter reports it]
    std::uint64_t wrong = 0;
    for (std::uint64_t done = 0; done < lookups_; done += counted_.most()) {
      counted_.draw(
          static_cast<std::size_t>(std::min<std::uint64_t>(counted_.most(), lookups_ - done)), hits,
          shares_, draws_, next_absent_);
      // Passed over: so equal seeds give the counts of the results that are kept.
      static_cast<void>(draws_.number());
      for (std::size_t i = 0; i < counted_.texts().size(); ++i) {
        const std::string& key = counted_.texts()[i];
        const bool known = counted_.is_known(i);
        const bool reported = filter_->contains(std::string_view(key));
        const bool found = check_->contains(key);
        ++counts[known ? 1 : 0][reported ? 1 : 0];
        wrong += (found != known ? 1U : 0U) + ((reported && found) != known ? 1U : 0U);
      }
    }
    return {{"known", known_},
            {"lookups", lookups_},
            {"hits", counts[1][0] + counts[1][1]},
            {"true_positives", counts[1][1]},
            {"false_negatives", counts[1][0]},
            {"false_positives", counts[0][1]},
            {"true_negatives", counts[0][0]},
            {"checks", counts[0][1] + counts[1][1]},
            {"wrong", wrong},
            {"m", m_},
            {"k", k_}};
  }

  record::Json time(std::uint64_t hits) {
    const auto plain = [this](const std::string& key) { return check_->contains(key); };
    const auto filter = [this](const std::string& key) {
      return filter_->contains(std::string_view(key));
    };
    const auto filtered = [&](const std::string& key) { return filter(key) && plain(key); };
    const std::array<TimedLoop, 3> loops = {way("plain_ns", hits, plain),
                                            way("filtered_ns", hits, filtered),
                                            way("filter_ns", hits, filter)};
    const auto durations = run_in_every_order(loops, rounds_);
    record::Json timing = {{"looked_up", timed_.most()}};
    for (std::size_t i = 0; i < loops.size(); ++i) timing[loops[i].name] = durations[i];
    return timing;
  }

  template <class Lookup>
  TimedLoop way(const char* name, std::uint64_t hits, Lookup lookup) {
    return {.name = name,
            .prepare =
                [this, hits](unsigned, std::uint64_t) {
                  timed_.draw(timed_.most(), hits, shares_, timed_draws_, next_absent_timed_);
                },
            .run =
                [this, lookup](unsigned, std::uint64_t) {
                  for (const std::string& key : timed_.texts()) found_ += lookup(key) ? 1 : 0;
                }};
  }

  std::uint64_t shares_;
  std::uint64_t rounds_;
  std::uint64_t known_;
  std::uint64_t lookups_;
  std::uint64_t m_;
  std::uint64_t k_;
  KeyedDraws draws_;
  KeyedDraws timed_draws_;
  LongKeys keys_;
  std::unique_ptr<Membership> check_;
  std::unique_ptr<Membership> filter_;
  Batch counted_;
  Batch timed_;
  std::uint64_t next_absent_ = 0;
  std::uint64_t next_absent_timed_ = std::uint64_t{1} << 40;  // beyond all that are counted
  std::uint64_t found_ = 0;                                   // what the timed lookups yield
};

}  // namespace

std::optional<std::string> HeavyCheck::check(const Parameters& p, const Point::Parameters& at) {
  if (p.repetitions % orders != 0) {
    return "repetitions is " + std::to_string(p.repetitions) +
           "; the three ways take turns in all six orders: write a multiple of 6";
  }
  if (p.known_bytes >= at.key_bytes) return std::nullopt;
  return "known_bytes is " + std::to_string(p.known_bytes) + ", less than one key of " +
         std::to_string(at.key_bytes);
}

std::uint64_t HeavyCheck::memory_bytes(const Point::Parameters& at) {
  return (std::uint64_t{256} << 20) + 512 * at.key_bytes;
}

double HeavyCheck::seconds(const Parameters& p, const Point::Parameters& at) {
  const auto bytes = static_cast<double>(at.key_bytes);
  const double making = static_cast<double>(p.known_bytes) * 5e-9;
  const double checks = at.check == Point::Check::regular_expression ? 10e-9 : 1e-9;
  return making +
         static_cast<double>(std::min(p.lookups, p.known_bytes / at.key_bytes) * p.shares) *
             (5e-6 + bytes * checks);
}

std::vector<Measurement> HeavyCheck::measure_with(const MakeMembership& make, const Parameters& p,
                                                  const Point::Parameters& at, std::uint64_t seed) {
  stay_on_one_processor(0);
  CheckedKeys keys(make, p, at, seed);
  std::vector<Measurement> steps;
  for (std::uint64_t i = 0; i < p.shares; ++i) steps.push_back(keys.measure(i));
  return steps;
}

}  // namespace bloomlab::experiments
