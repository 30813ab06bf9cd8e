#include "experiments/kinds/heavy_check.hpp"

#include <fcntl.h>
#include <regex.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/applications/containers.hpp"
#include "experiments/applications/draws.hpp"
#include "experiments/applications/scratch_folder.hpp"
#include "experiments/speed/timed_keys.hpp"

namespace bloomlab::experiments {
namespace {

using CheckPoint = HeavyCheck::Point::Parameters;
using CheckKind = HeavyCheck::Point::Check;
using Clock = std::chrono::steady_clock;

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

std::uint64_t nanoseconds_since(Clock::time_point begin) {
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - begin).count());
}

/// One check with its filter, and keys to look up.
class CheckedKeys {
 public:
  CheckedKeys(const MakeMembership& make, const HeavyCheck::Parameters& p, const CheckPoint& at,
              std::uint64_t seed)
      : known_(p.known_bytes / at.key_bytes),
        lookups_(std::min(p.lookups, known_)),
        m_(at.bits_per_key * known_),
        k_(fitting_probes(at.bits_per_key)),
        draws_(seed),
        keys_(draws_.number(), at.key_bytes),
        check_(make_check(at)),
        filter_(make(m_, k_, draws_.number())),
        // As many keys as a core's own cache holds beside other things.
        batch_(static_cast<std::size_t>(std::clamp<std::uint64_t>(131072 / at.key_bytes, 1, 256))) {
    std::string key;
    for (std::uint64_t i = 0; i < known_; ++i) {
      keys_.write(i, true, key);
      check_->insert(std::string_view(key));
      filter_->insert(std::string_view(key));
    }
    check_->ready();
  }

  /// @param part, of parts: the share of hits
  Measurement measure(std::uint64_t part, std::uint64_t parts) {
    std::uint64_t counts[2][2] = {};  // [whether it is known][whether the filter reports it]
    std::uint64_t wrong = 0;
    const std::uint64_t batches = (lookups_ + batch_.size() - 1) / batch_.size();
    const auto parts_timed = static_cast<std::size_t>(std::min<std::uint64_t>(most_parts, batches));
    std::vector<std::uint64_t> plain_ns(parts_timed, 0);
    std::vector<std::uint64_t> filtered_ns(parts_timed, 0);
    std::vector<std::uint64_t> filter_ns(parts_timed, 0);
    std::vector<std::uint64_t> looked_up(parts_timed, 0);
    std::uint64_t reported = 0;
    std::uint64_t hits = 0;
    for (std::uint64_t done = 0; done < lookups_; done += batch_.size()) {
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>(batch_.size(), lookups_ - done));
      const auto now = static_cast<std::size_t>(done / batch_.size() * parts_timed / batches);
      looked_up[now] += count;
      is_known_.assign(count, false);
      for (std::size_t i = 0; i < count; ++i) {
        is_known_[i] = draws_.below(parts) < part;
        hits += is_known_[i] ? 1 : 0;
        keys_.write(is_known_[i] ? draws_.below(known_) : known_ + next_absent_++, is_known_[i],
                    batch_[i]);
      }
      const std::span<const std::string> keys = std::span(batch_).first(count);
      const Check* const ways = order_[draws_.below(order_.size())].data();
      for (int turn = 0; turn < 3; ++turn) {
        const auto begin = Clock::now();
        std::uint64_t found = 0;
        switch (ways[turn]) {
          case Check::plain:
            for (const std::string& key : keys) found += check_->contains(key) ? 1 : 0;
            plain_ns[now] += nanoseconds_since(begin);
            break;
          case Check::filtered:
            for (const std::string& key : keys) {
              found += filter_->contains(std::string_view(key)) && check_->contains(key) ? 1 : 0;
            }
            filtered_ns[now] += nanoseconds_since(begin);
            break;
          case Check::filter:
            for (const std::string& key : keys) {
              found += filter_->contains(std::string_view(key)) ? 1 : 0;
            }
            filter_ns[now] += nanoseconds_since(begin);
            reported += found;
            continue;
        }
        const auto truth =
            static_cast<std::uint64_t>(std::count(is_known_.begin(), is_known_.end(), true));
        wrong += found > truth ? found - truth : truth - found;
      }
      for (std::size_t i = 0; i < count; ++i) {
        ++counts[is_known_[i] ? 1 : 0][filter_->contains(std::string_view(batch_[i])) ? 1 : 0];
      }
    }
    return {part + 1,
            {{"known", known_},
             {"lookups", lookups_},
             {"hits", hits},
             {"true_positives", counts[1][1]},
             {"false_negatives", counts[1][0]},
             {"false_positives", counts[0][1]},
             {"true_negatives", counts[0][0]},
             {"checks", reported},
             {"wrong", wrong},
             {"m", m_},
             {"k", k_}},
            {{"plain_ns", plain_ns},
             {"filtered_ns", filtered_ns},
             {"filter_ns", filter_ns},
             {"looked_up", looked_up}}};
  }

 private:
  /// An interruption of the process spoils the part that it falls in and no other.
  static constexpr std::uint64_t most_parts = 32;

  enum class Check { plain, filtered, filter };
  // Whoever comes first warms the caches for the others.
  static constexpr std::array<std::array<Check, 3>, 3> order_ = {
      {{Check::plain, Check::filtered, Check::filter},
       {Check::filtered, Check::filter, Check::plain},
       {Check::filter, Check::plain, Check::filtered}}};

  std::uint64_t known_;
  std::uint64_t lookups_;
  std::uint64_t m_;
  std::uint64_t k_;
  KeyedDraws draws_;
  LongKeys keys_;
  std::unique_ptr<Membership> check_;
  std::unique_ptr<Membership> filter_;
  std::vector<std::string> batch_;
  std::vector<bool> is_known_;
  std::uint64_t next_absent_ = 0;
};

}  // namespace

std::optional<std::string> HeavyCheck::check(const Parameters& p, const Point::Parameters& at) {
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
  CheckedKeys keys(make, p, at, seed);
  std::vector<Measurement> steps;
  for (std::uint64_t i = 0; i < p.shares; ++i) steps.push_back(keys.measure(i, p.shares - 1));
  return steps;
}

}  // namespace bloomlab::experiments
