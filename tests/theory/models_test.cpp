#include "core/theory/models.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "tests/paths.hpp"
#include "tests/theory/golden_file.hpp"

using namespace bloomlab::theory;

namespace {

using Arguments = std::vector<Argument>;

const std::uint64_t beyond = (1ULL << 63) + 4096;

}  // namespace

TEST_CASE("every model is described in full, under a name of its own", "[theory][models]") {
  std::set<std::string_view> names;
  for (const Model& each : models()) {
    CAPTURE(each.name);
    CHECK(names.insert(each.name).second);
    CHECK_FALSE(each.summary.empty());
    CHECK_FALSE(each.unit.empty());
    CHECK_FALSE(each.source.empty());
    CHECK(each.summary.find('\n') == std::string_view::npos);
    CHECK(&model(each.name) == &each);
    std::set<std::string_view> arguments;
    for (const ArgumentInfo& info : each.arguments) {
      CAPTURE(info.name);
      CHECK(arguments.insert(info.name).second);
      CHECK_FALSE(info.meaning.empty());
      if (info.kind == ArgumentInfo::Kind::word) {
        CHECK_FALSE(info.words.empty());
      } else {
        CHECK(info.min < info.max);
      }
      CHECK((!info.optional || info.kind == ArgumentInfo::Kind::real));
    }
  }
  CHECK(names.size() == 34);
}

TEST_CASE("every file of reference values belongs to a model", "[theory][models]") {
  const std::set<std::string> tables{"textbook_table", "textbook_printed", "lab_report_predicted"};
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(BLOOMLAB_SOURCE_DIR "/tests/theory/golden")) {
    const std::string stem = entry.path().stem().string();
    ++files;
    if (!tables.contains(stem)) CHECK_NOTHROW(model(stem));
  }
  CHECK(files == 19);
}

TEST_CASE("answers have the columns that their model names", "[theory][models]") {
  const std::vector<Query> queries{
      {"standard_exact", {{"m", 1024ULL}, {"n", 102ULL}, {"k", 7ULL}}},
      {"standard_approx", {{"k", 7ULL}, {"n", 102ULL}, {"m", 1024ULL}}},
      {"standard_classic", {{"m", 1024ULL}, {"n", 102ULL}, {"k", 7ULL}}},
      {"conjunction", {{"m", 1024ULL}, {"n", 102ULL}, {"k", 7ULL}, {"keys", 3ULL}}},
      {"partitioned", {{"m", 1024ULL}, {"n", 102ULL}, {"k", 7ULL}}},
      {"blocked", {{"nblocks", 16ULL}, {"block_bits", 64ULL}, {"n", 102ULL}, {"k", 5ULL}}},
      {"split_block", {{"nblocks", 4ULL}, {"lanes", 8ULL}, {"lane_bits", 32ULL}, {"n", 102ULL}}},
      {"cache_sectorized",
       {{"nblocks", 4ULL},
        {"sectors", 4ULL},
        {"sector_bits", 64ULL},
        {"groups", 2ULL},
        {"bits_per_group", 3ULL},
        {"n", 102ULL}}},
      {"double_hashing_exact", {{"m", 64ULL}, {"n", 6ULL}, {"k", 4ULL}, {"stride", "odd"}}},
      {"hash_width_floor", {{"hash_bits", 32ULL}, {"n", 102ULL}, {"m", 1024ULL}, {"k", 7ULL}}},
      {"scalable", {{"P", 0.01}, {"r", 0.5}, {"s", 2ULL}, {"n0", 100ULL}, {"n", 1000ULL}}},
      {"scalable_partitioned",
       {{"P", 0.01}, {"r", 0.5}, {"s", 2ULL}, {"n0", 100ULL}, {"n", 1000ULL}}},
      {"scalable_untightened", {{"m", 1000ULL}, {"k", 5ULL}, {"fp", 0.01}, {"n", 1000ULL}}},
      {"dynamic", {{"m", 1024ULL}, {"k", 7ULL}, {"c", 100ULL}, {"n", 230ULL}}},
      {"folding", {{"m", 1024ULL}, {"m2", 300ULL}, {"n", 20ULL}, {"k", 3ULL}}},
      {"compressed", {{"z_over_n", 8.0}, {"k", 2ULL}}},
      {"counting_overflow", {{"m", 1000ULL}, {"N_hashes", 700ULL}, {"j", 5ULL}}},
      {"cardinality", {{"m", 1000ULL}, {"k", 7ULL}, {"popcount", 400ULL}}},
      {"cardinality", {{"m", 1000ULL}, {"k", 7ULL}, {"popcount", 1000ULL}}},
      {"peers", {{"filter", "cuckoo_b4"}, {"f_bits", 12ULL}, {"load", 0.95}}},
      {"peers", {{"filter", "xor"}, {"f_bits", 8ULL}, {"overhead", 1.23}}},
      {"cuckoo", {{"f_bits", 12ULL}, {"slots", 4ULL}, {"buckets", 64ULL}, {"n", 200ULL}}},
      {"fingerprint", {{"f_bits", 8ULL}, {"n", 102ULL}}},
      {"exact_set", {{"n", 102ULL}}},
      {"smaller_filter", {{"m", 1024ULL}, {"k", 7ULL}, {"popcount", 300ULL}, {"fpr", 0.01}}},
      {"optimal_k", {{"m", 1024ULL}, {"n", 102ULL}}},
      {"optimal_sizing", {{"n", 102ULL}, {"p", 0.01}}},
      {"lower_bound", {{"n", 102ULL}, {"eps", 0.01}}},
      {"lower_bound_finite", {{"u", 10000ULL}, {"n", 102ULL}, {"eps", 0.01}}},
      {"false_loop", {{"m", 256ULL}, {"k", 4ULL}, {"hops", 16ULL}}},
      {"rotating_filters", {{"m", 1024ULL}, {"k", 4ULL}, {"window", 100ULL}, {"lag", 151ULL}}},
      {"crawl_losses", {{"pages", 1000ULL}, {"links", 3ULL}, {"m", 8000ULL}, {"k", 5ULL}}},
      {"tree_forwards",
       {{"fanout", 2ULL}, {"levels", 4ULL}, {"documents", 10ULL}, {"bits", 8ULL}, {"k", 5ULL}}},
      {"flows_wrongly_admitted",
       {{"m", 1000ULL}, {"k", 3ULL}, {"flows", 200ULL}, {"largest", 500ULL}, {"threshold", 20ULL}}},
      {"guarded_lookup",
       {{"hit_ratio", 0.5},
        {"fpr", 0.01},
        {"filter_absent", 10.0},
        {"filter_present", 20.0},
        {"store_absent", 300.0},
        {"store_present", 500.0}}},
      {"chosen_keys", {{"m", 1024ULL}, {"n", 102ULL}, {"k", 7ULL}}},
  };
  std::set<std::string> asked;
  for (const Query& query : queries) {
    CAPTURE(query.model);
    asked.insert(query.model);
    const Evaluation answer = evaluate(query);
    const auto& promised = model(query.model).columns;
    REQUIRE(answer.columns.size() == promised.size());
    for (std::size_t i = 0; i < promised.size(); ++i) {
      CHECK(answer.columns[i].name == promised[i]);
    }
  }
  CHECK(asked.size() == models().size());
}

TEST_CASE("a saturated filter has no estimate of its keys", "[theory][models]") {
  const Evaluation full =
      evaluate({"cardinality", {{"m", 64ULL}, {"k", 3ULL}, {"popcount", 64ULL}}});
  CHECK(std::holds_alternative<std::monostate>(full.value));
  CHECK_THROWS_WITH(full.number(), "the value of this model is not a number here");
  CHECK(std::isnan(full.number("swamidass_baldi")));
  CHECK(std::get<bool>(full.columns.back().value));
  CHECK(full.columns.back().name == "saturated");
  const Evaluation some =
      evaluate({"cardinality", {{"m", 64ULL}, {"k", 3ULL}, {"popcount", 63ULL}}});
  CHECK_FALSE(std::get<bool>(some.columns.back().value));
  CHECK(std::isnan(some.number("no_such_column")));
}

TEST_CASE("no keys give rate 0 in every model of a rate", "[theory][models]") {
  for (const Model& each : models()) {
    const bool has_n = std::ranges::any_of(each.arguments, [](const ArgumentInfo& info) {
      return info.name == "n" && info.min == 0.0;
    });
    if (!has_n || each.unit != "probability") continue;
    Query query{std::string(each.name), {}};
    for (const ArgumentInfo& info : each.arguments) {
      if (info.name == "n") {
        query.arguments.push_back({"n", 0ULL});
      } else if (info.kind == ArgumentInfo::Kind::integer) {
        query.arguments.push_back({std::string(info.name), 4ULL});
      } else if (info.kind == ArgumentInfo::Kind::real) {
        query.arguments.push_back({std::string(info.name), std::max(0.25, info.min)});
      } else {
        query.arguments.push_back({std::string(info.name), std::string(info.words[0])});
      }
    }
    CAPTURE(each.name);
    CHECK(evaluate(query).number() == 0.0);
  }
}

TEST_CASE("integers serve as real numbers, not the reverse", "[theory][models]") {
  CHECK(evaluate({"lower_bound", {{"n", 5ULL}, {"eps", 1ULL}}}).number() == 0.0);
  CHECK_THROWS_WITH(evaluate({"lower_bound", {{"n", 5.0}, {"eps", 0.5}}}),
                    "lower_bound: argument \"n\" is 5; allowed: an integer from 0 to "
                    "9223372036854775808 [keys]");
}

TEST_CASE("the value alone is the value that stands before the columns", "[theory][models]") {
  const std::uint64_t n = 5000;
  const std::vector<Query> queries = {
      {"standard_exact", {{"m", std::uint64_t{8000}}, {"n", n}, {"k", std::uint64_t{5}}}},
      {"scalable",
       {{"P", 0.01}, {"r", 0.85}, {"s", std::uint64_t{2}}, {"n0", std::uint64_t{700}}, {"n", n}}},
      {"scalable_partitioned",
       {{"P", 0.01}, {"r", 0.85}, {"s", std::uint64_t{2}}, {"n0", std::uint64_t{700}}, {"n", n}}},
      {"scalable_untightened",
       {{"m", std::uint64_t{8000}}, {"k", std::uint64_t{5}}, {"fp", 0.02}, {"n", n}}}};
  std::size_t alone = 0;
  for (const Query& query : queries) {
    INFO(query.model);
    REQUIRE(model(query.model).value_alone != nullptr);
    CHECK(evaluate_value(query) == evaluate(query).value);
  }
  for (const Model& one : models()) alone += one.value_alone != nullptr ? 1 : 0;
  CHECK(alone == queries.size());
}

TEST_CASE("a bad query is one clear line", "[theory][models]") {
  const auto fault = [](const std::string& name, Arguments arguments) -> std::string {
    try {
      (void)evaluate({name, std::move(arguments)});
    } catch (const DomainError& error) {
      return error.what();
    }
    return "no fault";
  };
  const Argument m{"m", 1024ULL};
  const Argument n{"n", 102ULL};
  const Argument k{"k", 7ULL};
  CHECK(fault("standard_exat", {m, n, k}) ==
        "unknown model \"standard_exat\"; did you mean \"standard_exact\"?");
  CHECK(fault("", {}) == "unknown model \"\"; `bloomlab theory --list` names all");
  CHECK(fault("nosuch", {}) == "unknown model \"nosuch\"; `bloomlab theory --list` names all");
  CHECK(fault("standard_exact", {m, n, k, {"q", 1ULL}}) ==
        "standard_exact: unknown argument \"q\"; allowed: m, n, k");
  CHECK(fault("standard_exact", {m, n}) ==
        "standard_exact: argument \"k\" is missing (positions set for a key); give m, n, k");
  CHECK(fault("standard_exact", {m, n, k, m}) == "standard_exact: argument \"m\" is given twice");
  CHECK(fault("standard_exact", {{"m", 0ULL}, n, k}) ==
        "standard_exact: argument \"m\" is 0; allowed: an integer from 1 to 9223372036854775808 "
        "[bits]");
  CHECK(fault("standard_exact", {{"m", beyond}, n, k}) ==
        "standard_exact: argument \"m\" is 9223372036854779904; allowed: an integer from 1 to "
        "9223372036854775808 [bits]");
  CHECK(fault("standard_exact", {m, n, {"k", 0ULL}}) ==
        "standard_exact: argument \"k\" is 0; allowed: an integer from 1 to 256 [probes per key]");
  CHECK(fault("standard_exact", {m, n, {"k", 257ULL}}) ==
        "standard_exact: argument \"k\" is 257; allowed: an integer from 1 to 256 [probes per "
        "key]");
  CHECK(fault("standard_exact", {m, n, {"k", 7.5}}) ==
        "standard_exact: argument \"k\" is 7.5; allowed: an integer from 1 to 256 [probes per "
        "key]");
  CHECK(fault("standard_exact", {m, n, {"k", "seven"}}) ==
        "standard_exact: argument \"k\" is \"seven\"; allowed: an integer from 1 to 256 [probes "
        "per key]");
  CHECK(fault("optimal_sizing", {n, {"p", std::nan("")}}) ==
        "optimal_sizing: argument \"p\" is not a number; allowed: a number above 0 and below 1 "
        "[probability]");
  CHECK(fault("optimal_sizing", {n, {"p", std::numeric_limits<double>::infinity()}}) ==
        "optimal_sizing: argument \"p\" is inf; allowed: a number above 0 and below 1 "
        "[probability]");
  CHECK(fault("optimal_sizing", {n, {"p", 1.0}}) ==
        "optimal_sizing: argument \"p\" is 1; allowed: a number above 0 and below 1 "
        "[probability]");
  CHECK(fault("optimal_sizing", {n, {"p", -0.25}}) ==
        "optimal_sizing: argument \"p\" is -0.25; allowed: a number above 0 and below 1 "
        "[probability]");
  CHECK(fault("optimal_sizing", {{"n", 0ULL}, {"p", 0.1}}) ==
        "optimal_sizing: argument \"n\" is 0; allowed: an integer from 1 to 9223372036854775808 "
        "[keys]");
  CHECK(fault("lower_bound", {n, {"eps", 0.0}}) ==
        "lower_bound: argument \"eps\" is 0; allowed: a number above 0 to 1 [probability]");
  CHECK(fault("double_hashing_exact", {m, n, k, {"stride", "even"}}) ==
        "double_hashing_exact: argument \"stride\" is \"even\"; allowed: any, nz, odd");
  CHECK(fault("double_hashing_exact", {m, n, k, {"stride", 3ULL}}) ==
        "double_hashing_exact: argument \"stride\" is 3; allowed: any, nz, odd");
  CHECK(fault("cardinality", {m, k, {"popcount", 1025ULL}}) ==
        "cardinality: popcount is above m; a filter has at most m set bits");
  CHECK(fault("partitioned", {{"m", 3ULL}, n, k}) ==
        "partitioned: m is below k; every slice has at least 1 bit");
  CHECK(fault("peers", {{"filter", "xor"}, {"f_bits", 8ULL}, {"load", 0.5}}) ==
        "peers: xor: argument \"overhead\" is needed, and \"load\" is not allowed");
  CHECK(fault("peers", {{"filter", "cuckoo_b4"}, {"f_bits", 8ULL}}) ==
        "peers: cuckoo_b4: argument \"load\" is needed, and \"overhead\" is not allowed");
  CHECK(fault("peers", {{"filter", "cuckoo_b4"}, {"f_bits", 8ULL}, {"load", 0.0}}) ==
        "peers: argument \"load\" is 0; allowed: a number above 0 to 1");
  CHECK(fault("blocked",
              {{"nblocks", 1ULL << 46}, {"block_bits", 65536ULL}, {"n", 1ULL}, {"k", 256ULL}}) ==
        "no fault");
  CHECK(fault("split_block",
              {{"nblocks", 1ULL << 46}, {"lanes", 256ULL}, {"lane_bits", 65536ULL}, {"n", 1ULL}}) ==
        "blocks: the filter would pass 2^63 bits; fewer blocks are allowed");
}

TEST_CASE("refused numbers are shown in full where they are whole, else as they read back",
          "[theory][models]") {
  const auto shown = [](double value) -> std::string {
    try {
      (void)evaluate({"optimal_sizing", {{"n", 5ULL}, {"p", value}}});
    } catch (const DomainError& error) {
      return error.what();
    }
    return "no fault";
  };
  const auto fault = [](const std::string& number) {
    return "optimal_sizing: argument \"p\" is " + number +
           "; allowed: a number above 0 and below 1 [probability]";
  };
  CHECK(shown(-1e-7) == fault("-1e-07"));
  CHECK(shown(-1e-300) == fault("-1e-300"));
  CHECK(shown(1e300) == fault("1e+300"));
  CHECK(shown(-1e300) == fault("-1e+300"));
  CHECK(shown(1e15) == fault("1000000000000000"));
  CHECK(shown(0x1p63) == fault("9223372036854775808"));
  CHECK(shown(1.5) == fault("1.5"));
}

TEST_CASE("the model with the fewest letters to change is proposed", "[theory][models]") {
  const auto proposal = [](const std::string& name) -> std::string {
    try {
      (void)model(name);
    } catch (const DomainError& error) {
      return error.what();
    }
    return "known";
  };
  const auto meant = [](const std::string& name, const std::string& model) {
    return "unknown model \"" + name + "\"; did you mean \"" + model + "\"?";
  };
  // One letter more at the front, in the middle and at the end; one less; another one; two changed.
  for (const std::string name : {"xfolding", "folxding", "foldingx", "olding", "foldng", "foldin",
                                 "bolding", "foldong", "foldinn", "fodling", "foldinxx"}) {
    CAPTURE(name);
    CHECK(proposal(name) == meant(name, "folding"));
  }
  CHECK(proposal("folding") == "known");
  // As many changes as a third of the letters, or two.
  CHECK(proposal("xxfoldingx") == meant("xxfoldingx", "folding"));
  CHECK(proposal("pexxs") == meant("pexxs", "peers"));
  CHECK(proposal("pxxxs") == "unknown model \"pxxxs\"; `bloomlab theory --list` names all");
  // The nearest one of several that are alike.
  CHECK(proposal("scalable_partitione") == meant("scalable_partitione", "scalable_partitioned"));
  CHECK(proposal("scalabl") == meant("scalabl", "scalable"));
  CHECK(proposal("standard_approxx") == meant("standard_approxx", "standard_approx"));
}

TEST_CASE("folding says whether the smaller size divides the larger", "[theory][models]") {
  const std::set<std::uint64_t> divisors{1, 2, 3, 4, 6, 12};
  for (std::uint64_t m2 = 1; m2 <= 12; ++m2) {
    CAPTURE(m2);
    const Evaluation folded =
        evaluate({"folding", {{"m", 12ULL}, {"m2", m2}, {"n", 2ULL}, {"k", 1ULL}}});
    REQUIRE(folded.columns.front().name == "divides");
    CHECK(std::get<bool>(folded.columns.front().value) == divisors.contains(m2));
  }
}
