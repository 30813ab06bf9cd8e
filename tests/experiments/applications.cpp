// Applications in small: their counts follow the closed forms with a filter, and not with a set
// that says "maybe" to everything or knows every key.
#include "core/theory/applications.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/theory/standard.hpp"
#include "experiments/applications/draws.hpp"
#include "experiments/applications/scratch_folder.hpp"
#include "experiments/kinds/catalogue.hpp"
#include "experiments/kinds/own_grid.hpp"
#include "tests/experiments/config_files.hpp"
#include "tests/experiments/counts.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;
using testing::count_of;
using testing::near_to;

class SaysMaybe final : public Membership {
 public:
  void insert(std::string_view /*key*/) override {}
  [[nodiscard]] bool contains(std::string_view /*key*/) const override { return true; }
  void clear() override {}
};

class KnowsEveryKey final : public Membership {
 public:
  void insert(std::string_view key) override { keys_.emplace(key); }
  [[nodiscard]] bool contains(std::string_view key) const override {
    return keys_.contains(std::string(key));
  }
  void clear() override { keys_.clear(); }

 private:
  std::unordered_set<std::string> keys_;
};

template <class Set>
std::unique_ptr<Membership> stand_in(std::uint64_t /*m*/, std::uint64_t /*k*/,
                                     std::uint64_t /*seed*/) {
  return std::make_unique<Set>();
}

/// The check holds with a filter, and with neither stand-in; no key is ever lost.
template <class Kind, class Holds>
void check_application(const typename Kind::Parameters& p,
                       const typename Kind::Point::Parameters& at, Holds&& holds,
                       const MakeMembership& make = standard_filter) {
  static_assert(OwnGrid<Kind>);
  REQUIRE(Kind::check(p, at) == std::nullopt);
  const Json with_filter = Kind::measure_with(make, p, at, 5).measured;
  INFO(with_filter.dump());
  CHECK(holds(with_filter));
  CHECK_FALSE(holds(Kind::measure_with(stand_in<SaysMaybe>, p, at, 5).measured));
  CHECK_FALSE(holds(Kind::measure_with(stand_in<KnowsEveryKey>, p, at, 5).measured));
  CHECK(with_filter == Kind::measure(p, at, 5).front().measured);
  CHECK(with_filter != Kind::measure(p, at, 6).front().measured);
}

class MostPackets final : public FlowCounts::Counter {
 public:
  void add(std::uint64_t /*flow*/, std::uint64_t /*packets*/) override {}
  [[nodiscard]] std::uint64_t count(std::uint64_t /*flow*/) const override { return 1'000'000; }
};

class ExactPackets final : public FlowCounts::Counter {
 public:
  void add(std::uint64_t flow, std::uint64_t packets) override { packets_[flow] += packets; }
  [[nodiscard]] std::uint64_t count(std::uint64_t flow) const override { return packets_.at(flow); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> packets_;
};

}  // namespace

TEST_CASE("listed texts alarm as often as the filter's rate says", "[applications]") {
  const testing::TemporaryFolder folder;
  std::string lines;
  for (int i = 0; i < 20000; ++i) lines += "word" + std::to_string(i * 7919) + "\n";
  const std::string file = folder.write("words.txt", lines).string();
  for (const char* list : {"addresses", "names", file.c_str()}) {
    CAPTURE(list);
    const bool edits = list == file;
    const KnownTexts::Point::Parameters at{list, edits ? 0U : 20000U,
                                           edits ? Unlisted::distance_2 : Unlisted::fresh, 8};
    // 0.0216 of 50 000, whose standard deviation is 3 %.
    check_application<KnownTexts>({50000}, at, [](const Json& measured) {
      return near_to(count_of(measured, "false_positives"),
                     50000 * theory::exact_fpr(160000, 20000, 6), 0.15) &&
             measured.at("true_positives") == 20000 && measured.at("false_negatives") == 0;
    });
  }
}

TEST_CASE("a filter that is made smaller to be sent keeps its keys and the planned rate",
          "[applications]") {
  const Shrinking::Parameters p{200000};
  const Shrinking::Plan plan = Shrinking::plan({20000, 0.01, 0, Shrinking::Way::whole});
  CHECK(plan.m % 64 == 0);
  CHECK(plan.m - 191701 < 64);  // 20000 keys of 9.585058 bits
  CHECK(plan.k == 7);
  // Bits that the receiver's filter has, of 4800 keys: rebuilt for them, or half of half.
  for (const auto& [way, bits] :
       std::map<Shrinking::Way, double>{{Shrinking::Way::whole, double(plan.m)},
                                        {Shrinking::Way::rebuilt, 4800 * 9.585058},
                                        {Shrinking::Way::folded, double(plan.m) / 4},
                                        {Shrinking::Way::encoded, double(plan.m)}}) {
    CAPTURE(Shrinking::ways[static_cast<std::size_t>(way)]);
    check_application<Shrinking>(
        p, {20000, 0.01, 4800, way}, [&, way = way, bits = bits](const Json& m) {
          const double rate =
              theory::exact_fpr(m.at("sent_bits").get<std::uint64_t>(), 4800, plan.k);
          const double least = way == Shrinking::Way::encoded ? 0.5 : 0.99;
          return m.at("false_negatives") == 0 &&
                 std::abs(count_of(m, "false_positives") - 200000 * rate) <
                     6 * std::sqrt(200000 * rate) + 0.05 * 200000 * rate &&
                 near_to(count_of(m, "sent_bits"), bits, 0.02) &&
                 near_to(count_of(m, "estimated_keys"), 4800, 0.02) &&
                 count_of(m, "sent_bytes") <= bits / 8 * 1.02 &&
                 count_of(m, "sent_bytes") > least * bits / 8 * 0.98;
        });
  }
  CHECK(Shrinking::check(p, {20000, 0.01, 20001, Shrinking::Way::whole}).has_value());
}

TEST_CASE("a filter of hyphenation exceptions spares what its rate says", "[applications]") {
  const testing::TemporaryFolder folder;
  std::string words = "table\nproject\n";
  for (int i = 0; i < 20000; ++i) words += "word" + std::to_string(i) + "\n";
  const std::string path = folder.write("words.txt", words).string();
  const std::string list(hyphenation_exceptions);
  const KnownTexts::Point::Parameters at{list, 0, Unlisted::lines, 10, path};
  // The rate of one filter has a standard deviation of 0.33 of the mean, that of fifty one of
  // 0.046: 0.25 is more than five.
  double spared = 0.0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Json measured = KnownTexts::measure({20000}, at, seed).front().measured;
    CHECK(measured.at("true_positives") == 14);
    CHECK(measured.at("false_negatives") == 0);
    CHECK(measured.at("m") == 140);
    spared += count_of(measured, "true_negatives");
  }
  CHECK(near_to(1.0 - spared / 1e6, theory::exact_fpr(140, 14, 7), 0.25));
  CHECK_THROWS_WITH(KnownTexts::measure({20001}, at, 1),
                    path +
                        ": has 20000 lines that are not on the list, but unlisted is more; use "
                        "a larger file or a smaller unlisted");
  CHECK(KnownTexts::check({1}, {list, 0, Unlisted::lines, 10}) ==
        "unlisted_are is \"lines\": give the file that has them as unlisted_path");
  CHECK(KnownTexts::check({1}, {list, 0, Unlisted::fresh, 10, path}) ==
        "unlisted_path is given: unlisted_are must be \"lines\", or leave it out");
  CHECK(KnownTexts::check({1}, {list, 0, Unlisted::distance_1, 10}) ==
        "list \"hyphenation_exceptions\" is no file: unlisted_are must be \"lines\"");
}

TEST_CASE("without a filter the list is a hash set whose memory is counted", "[applications]") {
  const Json measured =
      KnownTexts::measure({1000}, {"addresses", 1000, Unlisted::fresh, 0}, 3).front().measured;
  CHECK(measured.at("false_positives") == 0);
  CHECK(measured.at("true_positives") == 1000);
  CHECK(measured.at("filter_bytes") == 0);
  // A node has the text, its pointer to the next and the bucket's pointer to it at least.
  CHECK(measured.at("set_bytes") > measured.at("list_bytes").get<std::uint64_t>() + 16 * 1000);
}

TEST_CASE("texts are distinct, and no unlisted one is listed", "[applications]") {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("words.txt", "a\nab\nabc\nzebra\n").string();
  for (const std::string& list : {std::string("addresses"), std::string("names"), file}) {
    CAPTURE(list);
    const auto texts = make_texts(list, list == file ? 0 : 30000, Unlisted::distance_1, 4);
    std::unordered_set<std::string> seen;
    std::string text;
    for (std::uint64_t i = 0; i < texts->size(); ++i) {
      texts->listed(i, text);
      CHECK(seen.insert(text).second);
    }
    for (int i = 0; i < 100; ++i) {
      texts->next_unlisted(text);
      CHECK_FALSE(text.empty());
      CHECK(seen.insert(text).second);
    }
  }
}

TEST_CASE("packets are taken for looping as the chain of set bits says", "[applications]") {
  const LoopDetection::Point::Parameters at{64, 4, 16};
  const double expected = 20000 * theory::false_loop(64, 4, 16);
  check_application<LoopDetection>({20000}, at, [&](const Json& measured) {
    return near_to(count_of(measured, "false_positives"), expected, 0.1) &&
           measured.at("false_negatives") == 0;
  });
}

TEST_CASE("new packets are dropped and duplicates missed as two filters say", "[applications]") {
  const PacketBroadcast::Point::Parameters at{1000, 4, 200, 301};
  const theory::RotatingFilters expected = theory::rotating_filters(1000, 4, 200, 301);
  check_application<PacketBroadcast>({100000}, at, [&](const Json& measured) {
    return near_to(count_of(measured, "false_positives"), 50000 * expected.new_dropped, 0.1) &&
           near_to(count_of(measured, "false_negatives"), 50000 * expected.duplicates_missed, 0.02);
  });
  // Within the window none is missed.
  const Json soon = PacketBroadcast::measure({10000}, {1000, 4, 200, 199}, 3).front().measured;
  CHECK(soon.at("false_negatives") == 0);
  CHECK(soon.at("true_positives") == 5000);
}

TEST_CASE("a crawl loses the pages that its recurrence says", "[applications]") {
  for (const std::uint64_t links : {std::uint64_t{1}, std::uint64_t{3}}) {
    CAPTURE(links);
    const Crawler::Point::Parameters at{20000, links, 6};
    const theory::CrawlLosses expected = theory::crawl_losses(20000, links, 120000, 4);
    check_application<Crawler>({}, at, [&](const Json& measured) {
      return near_to(count_of(measured, "false_positives"), expected.skipped, 0.25) &&
             std::abs(count_of(measured, "unreached") - expected.unreached) <=
                 0.8 * expected.unreached + 5 &&
             measured.at("false_negatives") == 0;
    });
  }
  // Links follow a power law: the most that one page gives is far from the mean of 3.
  const Json measured = Crawler::measure({}, {20000, 3, 20}, 3).front().measured;
  CHECK(measured.at("most_links") > 200);
}

TEST_CASE("queries go astray as the tree of links says", "[applications]") {
  const PeerToPeer::Point::Parameters at{4, 3, 50, 4};
  const theory::TreeForwards expected = theory::tree_forwards(4, 3, 50, 4, 3);
  check_application<PeerToPeer>({20000}, at, [&](const Json& measured) {
    return near_to(count_of(measured, "extra_present"), 10000 * expected.present, 0.15) &&
           near_to(count_of(measured, "extra_absent"), 10000 * expected.absent, 0.15) &&
           measured.at("true_positives") == 30000 && measured.at("false_negatives") == 0;
  });
}

TEST_CASE("summaries of caches err as their filters' rate says", "[applications]") {
  const ProxyCaches::Point::Parameters at{4, 20000, 500, 4, 50};
  const double rate = theory::exact_fpr(2000, 500, 3);
  check_application<ProxyCaches>({20000}, at, [&](const Json& measured) {
    const double absent =
        count_of(measured, "false_positives") + count_of(measured, "true_negatives");
    return near_to(count_of(measured, "false_positives"), absent * rate, 0.1);
  });
  const Json measured = ProxyCaches::measure({20000}, at, 3).front().measured;
  CHECK(measured.at("updates").get<double>() > 100);
  CHECK(measured.at("plain_bytes") == 3 * 250 * measured.at("updates").get<std::uint64_t>());
  CHECK(measured.at("false_negatives") > 0);
  // Told after every new document, a summary is never old.
  const Json fresh = ProxyCaches::measure({5000}, {4, 20000, 500, 4, 1}, 3).front().measured;
  CHECK(fresh.at("false_negatives") == 0);
  CHECK(fresh.at("stale_positives") == 0);
  CHECK(fresh.at("missed_hits") == 0);
}

TEST_CASE("flows are admitted wrongly as the law of a counter's load says", "[applications]") {
  const FlowCounts::Point::Parameters at{20000, 2000, 30000, 2, 8, 10};
  REQUIRE(FlowCounts::check({}, at) == std::nullopt);
  const double wrong = theory::flows_wrongly_admitted(30000, 2, 20000, 2000, 10);
  const double too_high = 20000 * theory::exact_fpr(30000, 19999, 2);
  const auto holds = [&](const Json& measured) {
    // Large counters saturate at 255: 7 flows send more.
    return near_to(count_of(measured, "false_positives"), wrong, 0.25) &&
           near_to(count_of(measured, "over"), too_high, 0.05) && measured.at("under") == 7 &&
           measured.at("false_negatives") == 0;
  };
  CHECK(holds(FlowCounts::measure({}, at, 5).front().measured));
  MostPackets most;
  CHECK_FALSE(holds(FlowCounts::measure_with(most, at, KeyedPermutation(5)).measured));
  ExactPackets exact;
  CHECK_FALSE(holds(FlowCounts::measure_with(exact, at, KeyedPermutation(5)).measured));
}

TEST_CASE("a filter beside containers errs as its rate says, and they never", "[applications]") {
  using Structure = MapAgainstFilter::Point::Structure;
  const MapAgainstFilter::Parameters p{50000, "https://example.com/", 3};
  const MapAgainstFilter::Point::Parameters at{Structure{MapAgainstFilter::Point::filter}, 20000,
                                               8};
  const auto holds = [](const Json& measured) {
    return near_to(count_of(measured, "false_positives"),
                   50000 * theory::exact_fpr(160000, 20000, 6), 0.15) &&
           measured.at("true_positives") == 50000 && measured.at("false_negatives") == 0 &&
           measured.at("requested_bytes") == 20000;
  };
  check_application<MapAgainstFilter>(p, at, holds, default_filter);
  for (std::uint32_t i = 0; i < MapAgainstFilter::Point::filter; ++i) {
    CAPTURE(container_names.at(i));
    const Measurement one = MapAgainstFilter::measure(p, {Structure{i}, 20000, 8}, 3).front();
    CHECK(one.measured.at("true_positives") == 50000);
    CHECK(one.measured.at("true_negatives") == 50000);
    CHECK(one.timing.at("insert_ns").size() == 1);
    CHECK(one.timing.at("present_ns").size() == 3);
    CHECK(one.timing.at("absent_ns").size() == 3);
    // 20 characters and the digits of 0 .. 19 999, and a text's own 32 bytes at least.
    const std::uint64_t key_bytes = 20 * 20000 + 10 + 180 + 2700 + 36000 + 50000;
    CHECK(one.measured.at("key_bytes") == key_bytes);
    CHECK(one.measured.at("requested_bytes").get<std::uint64_t>() >= key_bytes + 32 * 20000);
  }
}

TEST_CASE("a filter in front of a check lets by what its rate says", "[applications]") {
  using Check = HeavyCheck::Point::Check;
  for (const auto kind :
       {Check::hash_table, Check::sorted_list, Check::file, Check::regular_expression}) {
    const HeavyCheck::Point::Parameters at{kind, 50, 4};
    const HeavyCheck::Parameters p{20000, 1000000, 3, 6};
    REQUIRE(HeavyCheck::check(p, at) == std::nullopt);
    const auto holds = [](const std::vector<Measurement>& steps) {
      bool all = steps.size() == 3 && steps.front().measured.at("hits") == 0 &&
                 steps.back().measured.at("hits") == 20000;
      for (const Measurement& step : steps) {
        const double absent = 20000 - count_of(step.measured, "hits");
        all = all && step.measured.at("wrong") == 0 && step.measured.at("false_negatives") == 0 &&
              near_to(count_of(step.measured, "false_positives"),
                      absent * theory::exact_fpr(80000, 20000, 3), 0.15) &&
              count_of(step.measured, "checks") == count_of(step.measured, "true_positives") +
                                                       count_of(step.measured, "false_positives");
      }
      return all;
    };
    CHECK(holds(HeavyCheck::measure(p, at, 5)));
    for (const Measurement& step : HeavyCheck::measure(p, at, 5)) {
      for (const char* way : {"plain_ns", "filtered_ns", "filter_ns"}) {
        CHECK(step.timing.at(way).size() == 6);
      }
    }
    CHECK_FALSE(holds(HeavyCheck::measure_with(stand_in<SaysMaybe>, p, at, 5)));
    CHECK_FALSE(holds(HeavyCheck::measure_with(stand_in<KnowsEveryKey>, p, at, 5)));
  }
  CHECK(HeavyCheck::check({1, 1024, 2, 6}, {Check::file, 2000, 8}) ==
        "known_bytes is 1024, less than one key of 2000");
  CHECK(HeavyCheck::check({1, 1024, 2, 10}, {Check::file, 100, 8}) ==
        "repetitions is 10; the three ways take turns in all six orders: write a multiple of 6");
}

TEST_CASE("a scratch folder is gone with its owner, also a killed one", "[applications]") {
  std::filesystem::path path;
  {
    const ScratchFolder folder("bloomlab-test");
    path = folder.path();
    std::ofstream(path / "file") << "text";
    CHECK(std::filesystem::exists(path / "file"));
  }
  CHECK_FALSE(std::filesystem::exists(path));

  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t owner = ::fork();
  if (owner == 0) {
    const ScratchFolder folder("bloomlab-test");
    const std::string name = folder.path().string();
    if (::write(ends[1], name.data(), name.size()) < 0) ::_exit(1);
    ::pause();
  }
  std::array<char, 256> name{};
  REQUIRE(::read(ends[0], name.data(), name.size() - 1) > 0);
  path = name.data();
  CHECK(std::filesystem::exists(path));
  REQUIRE(::kill(owner, SIGKILL) == 0);
  REQUIRE(::waitpid(owner, nullptr, 0) == owner);
  for (int i = 0; i < 300 && std::filesystem::exists(path); ++i) ::usleep(100'000);
  CHECK_FALSE(std::filesystem::exists(path));
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("ranks follow Zipf's law", "[applications]") {
  const ZipfRanks ranks(100);
  KeyedDraws draws(3);
  std::array<double, 100> times = {};
  for (int i = 0; i < 100000; ++i) times.at(static_cast<std::size_t>(ranks(draws))) += 1;
  // The sum of 1/r to 100 is 5.187: 19 278 of the first, half as many of the second.
  CHECK(times[0] == Approx(19278).margin(650));
  CHECK(times[1] == Approx(9639).margin(500));
  CHECK(times[99] == Approx(193).margin(70));
}

TEST_CASE("applications refuse what they cannot be", "[applications][errors]") {
  CHECK(KnownTexts::check({1}, {"addresses", 0, Unlisted::fresh, 8}) ==
        "n is 0, which means all lines of a file; the list \"addresses\" is generated and needs an "
        "n from 1");
  CHECK(KnownTexts::check({1}, {"addresses", 5, Unlisted::distance_1, 8}) ==
        "list \"addresses\" is generated: unlisted_are must be \"fresh\"");
  CHECK(KnownTexts::check({1}, {"w.txt", 5, Unlisted::fresh, 8}) ==
        "list \"w.txt\" is a file: unlisted_are must be \"distance_1\", \"distance_2\" or "
        "\"lines\" (or the list \"addresses\" or \"names\")");
  CHECK(KnownTexts::check({1}, {"names", 50331648, Unlisted::fresh, 8}) ==
        "n and unlisted are 50331649 names; at most 50331648 are there");
  CHECK(
      MapAgainstFilter::check({3, "a", 10}, {}) ==
      "repetitions is 10, which share lookups = 3 among them; fewer repetitions, or more lookups");
  CHECK(LoopDetection::check({1}, {64, 4, 20000}) ==
        "k hops = 80000 is more than 65536; fewer hops");
  CHECK(PacketBroadcast::check({1}, {64, 4, 5, 3}) ==
        "window is 5; it must be even, for new packets and duplicates come in turn");
  CHECK(PacketBroadcast::check({1}, {64, 4, 6, 2}) ==
        "lag is 2; it must be odd, for new packets and duplicates come in turn");
  CHECK(Crawler::check({}, {20000000, 64, 8}) ==
        "pages links = 1280000000 links are more than 10^8; fewer pages or links");
  CHECK(PeerToPeer::check({2}, {64, 16, 1, 8}) ==
        "documents fanout^levels is more than 10^7 documents; fewer levels or documents");
  CHECK(ProxyCaches::check({1}, {2, 10, 10, 8, 1}) ==
        "cached is 10 of 10 documents; it must be less, or nothing ever leaves a cache");
  CHECK(FlowCounts::check({}, {10, 10, 10, 1, 4, 16}) ==
        "threshold is 16; counters of 4 bits count to 15");
}

}  // namespace bloomlab::experiments
