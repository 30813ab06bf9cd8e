#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/command_line.hpp"

using namespace bloomlab::tests;

namespace {

nlohmann::json explained(const std::string& arguments) {
  const Said said = bloomlab_says("explain " + arguments + " --json");
  INFO(said.err);
  REQUIRE(said.status == 0);
  return nlohmann::json::parse(said.out);
}

void check_explain_refuses(const std::string& arguments, const std::string& message) {
  INFO(arguments);
  const Said said = bloomlab_says("explain " + arguments);
  CHECK(said.status == 2);
  CHECK(said.out.empty());
  CHECK(said.err == "bloomlab: " + message + "\n");
}

}  // namespace

TEST_CASE("explain shows the slides' example", "[cli][explain]") {
  const auto json = explained("--example slides");
  CHECK(json.at("bits") == "0101100110000000");
  CHECK(json.at("inserted").at(1).at("newly_set") == nlohmann::json({3, 8}));
  CHECK(json.at("inserted").at(1).at("already_set") == nlohmann::json::array({4}));
  CHECK(json.at("queries").at(1).at("key") == "0voice");
  CHECK(json.at("queries").at(1).at("answer") == "absent");
  CHECK(json.at("queries").at(1).at("stopped_by") == 5);
  CHECK(json.at("queries").at(2).at("false_positive") == true);
  CHECK(json.at("rate").at("share") == 0.3125);
}

TEST_CASE("explain takes positions from the command line", "[cli][explain]") {
  const auto json = explained(
      "--m 10 --insert baidu,tencent --query 0voice --positions baidu=1,4,7 "
      "--positions tencent=3,4,8 --positions 0voice=1,5,8");
  CHECK(json.at("bits") == "0101100110");
  CHECK(json.at("queries").at(0).at("stopped_by") == 5);
  CHECK(explained("--insert a=b --positions a=b=7").at("k") == 1);
}

TEST_CASE("explain hashes with what it is told", "[cli][explain]") {
  const auto json = explained("--m 32 --k 4 --hash md5 --probe triple_hashing --seed 3 --insert x");
  CHECK(json.at("hash") == "md5");
  CHECK(json.at("seed") == 3);
  CHECK(json.at("inserted").at(0).at("digest").size() == 3);
  CHECK(json.at("inserted").at(0).at("positions").size() == 4);
  CHECK(explained("--probe lab_shift_xor").at("k") == 5);
  CHECK(explained("").at("inserted").size() == 2);
}

TEST_CASE("explain speaks three languages", "[cli][explain]") {
  CHECK(bloomlab_says("explain --lang en").out.starts_with("A Bloom filter"));
  CHECK(bloomlab_says("explain --lang zh").out.starts_with("布隆过滤器"));
  CHECK(bloomlab_says("explain --lang ru").out.starts_with("Фильтр Блума"));
}

TEST_CASE("explain colours only where it is told to or on a terminal", "[cli][explain]") {
  CHECK(bloomlab_says("explain").out.find('\x1b') == std::string::npos);
  CHECK(bloomlab_says("explain --color never").out.find('\x1b') == std::string::npos);
  CHECK(bloomlab_says("explain --color always").out.find('\x1b') != std::string::npos);
}

TEST_CASE("explain --svg draws into a file", "[cli][explain]") {
  const TemporaryFolder folder;
  CHECK(bloomlab_says("explain --svg " + (folder / "bits.svg")).status == 0);
  CHECK(read(folder / "bits.svg").starts_with("<svg "));
  write(folder / "file", "");
  const Said said = bloomlab_says("explain --svg " + (folder / "file/bits.svg"));
  CHECK(said.status == 1);
  CHECK(said.out.empty());
}

TEST_CASE("explain solves the puzzle of the bottles", "[cli][explain]") {
  const auto slides = explained("--example bottles");
  CHECK(slides.at("mice") == 10);
  CHECK(slides.at("code") == "1111101000");
  CHECK(slides.at("named") == 1000);
  CHECK(slides.at("rightly_named") == 1000);
  const auto other = explained("--example bottles --bottles 16 --poisoned 5");
  CHECK(other.at("mice") == 4);
  CHECK(other.at("dead_mice") == nlohmann::json({3, 1}));
  CHECK(explained("--example bottles --bottles 1G").at("rightly_named").is_null());
}

// The claims book counts the same in SQL.
TEST_CASE("explain counts the article's word over all pairs of multipliers", "[cli][explain]") {
  const auto json = explained("--example fruits");
  CHECK(json.at("m") == 127);
  const auto& remarks = json.at("remarks");
  CHECK(remarks.at("example.fruits.pairs").at("pairs") == 1024);
  CHECK(remarks.at("example.fruits.pairs").at("key") == "cabbage");
  CHECK(remarks.at("example.fruits.pairs").at("reported") == 19);
  CHECK(remarks.at("example.fruits.mended").at("reported") == 32);
  const Said claim = bloomlab_says("claims --only S3-3 --json");
  REQUIRE(claim.status == 0);
  CHECK(nlohmann::json::parse(claim.out).at("claims").at(0).at("computed") ==
        remarks.at("example.fruits.pairs").at("share"));
  CHECK(remarks.at("example.fruits.why").at("short") == 9);
  const auto& theory = remarks.at("example.fruits.theory");
  CHECK(theory.at("textbook").get<double>() == Approx(0.00367078).epsilon(1e-5));
  CHECK(theory.at("exact").get<double>() == Approx(0.00374852).epsilon(1e-5));
  CHECK(explained("--example fruits --query kiwi").at("remarks").empty());
}

TEST_CASE("explain removes a key that shares a bit", "[cli][explain]") {
  const auto remarks = explained("--example shared_bit").at("remarks");
  const auto& plain = remarks.at("example.shared_bit.plain");
  CHECK(plain.at("left") == "0 0 1");
  CHECK(plain.at("kept") == "pear");
  CHECK(plain.at("answer") == "absent");
  const auto& counting = remarks.at("example.shared_bit.counting");
  CHECK(counting.at("before") == "1 2 1");
  CHECK(counting.at("after") == "0 1 1");
  CHECK(counting.at("answer") == "maybe");
  CHECK(counting.at("removed_answer") == "absent");
  const auto told = [](const std::string& language) {
    return bloomlab_says("explain --example shared_bit --lang " + language).out;
  };
  CHECK_THAT(told("en"), Catch::Contains("The answer for pear is maybe, for apple absent."));
  CHECK_THAT(told("zh"),
             Catch::Contains("对 pear 的回答是“可能存在”，对 apple 的回答是“不存在”。"));
  CHECK_THAT(told("ru"),
             Catch::Contains("Ответ на pear: «возможно, есть», на apple: «отсутствует»."));
}

TEST_CASE("explain puts one sequence into a hash table and into a filter", "[cli][explain]") {
  const auto json = explained("--example probing");
  const auto& last = json.at("inserted").back();
  CHECK(last.at("positions") == nlohmann::json({6, 1, 9}));
  const auto& remarks = json.at("remarks");
  CHECK(remarks.at("example.probing").at("sequence") == "6 → 1 → 9");
  CHECK(remarks.at("example.probing.table").at("tried") == "6 → 1 → 9");
  CHECK(remarks.at("example.probing.table").at("slot") == 9);
  CHECK(remarks.at("example.probing.filter").at("bits") == 3);
}

TEST_CASE("explain derives the optimum with numbers that agree", "[cli][explain]") {
  const auto json = explained("--example optimum");
  const auto& remarks = json.at("remarks");
  const auto number = [&](const char* text, const char* tag) {
    return remarks.at(std::string("example.optimum.") + text).at(tag).get<double>();
  };
  CHECK(number("exponent", "rate") == Approx(json.at("rate").at("textbook").get<double>()));
  CHECK(number("symmetry", "g") == Approx(number("exponent", "g")));
  CHECK(number("symmetry", "half_slope") == 0.0);
  CHECK(number("symmetry", "low_slope") == Approx(-number("symmetry", "high_slope")));
  CHECK(number("symmetry", "low_slope") > 0.0);
  CHECK(number("best", "k_real") == Approx(6.931472));
  CHECK(number("best", "rate") == Approx(0.00819255).epsilon(1e-5));
  CHECK(number("bound", "ratio") == Approx(1.442695));
  // The variance by `bloomlab theory standard_exact`.
  const Said theory = bloomlab_says("theory standard_exact m=40 n=4 k=4 --json");
  REQUIRE(theory.status == 0);
  const auto exact = nlohmann::json::parse(theory.out);
  const double deviation = number("concentration", "deviation") * 40;
  CHECK(deviation * deviation == Approx(exact.at("var_set_bits").get<double>()));
  CHECK(number("concentration", "mean") * 40 == Approx(exact.at("mean_set_bits").get<double>()));
  CHECK(number("concentration", "larger") ==
        Approx(number("concentration", "deviation") / 10).epsilon(0.05));
}

TEST_CASE("explain refuses nonsense with one line", "[cli][explain]") {
  check_explain_refuses("--m 257",
                        "explain: m is 257; it must be from 1 to 256, as every bit is drawn; "
                        "bloomlab plan speaks of larger filters");
  check_explain_refuses("--m 0",
                        "--m: found \"0\"; a whole number of bits from 1 to 256 is allowed");
  check_explain_refuses("--m 1k",
                        "--m: found \"1k\"; a whole number of bits from 1 to 256 is allowed");
  check_explain_refuses("--k 0",
                        "--k: found \"0\"; a whole number of probes from 1 to 256 is allowed");
  check_explain_refuses("--seed -1",
                        "--seed: found \"-1\"; a whole number from 0 to 2^64 - 1 is allowed");
  check_explain_refuses("--hash xxhash3",
                        "explain: unknown hash \"xxhash3\"; did you mean "
                        "\"xxhash3_64\"?");
  check_explain_refuses("--reduction mask --m 10",
                        "explain: standard: the reduction mask does not take m = 10; choose "
                        "multiply_shift or modulo, or a power of two for m");
  check_explain_refuses("--insert a,,b",
                        "explain: a key is empty; give texts of at least one letter");
  check_explain_refuses("--insert a --positions a",
                        "--positions: found \"a\"; a key and its positions are allowed, written "
                        "KEY=POSITION,POSITION,..., such as baidu=1,4,7");
  check_explain_refuses("--insert a --positions a=1,x",
                        "--positions: found \"a=1,x\"; a key and its positions are allowed, "
                        "written KEY=POSITION,POSITION,..., such as baidu=1,4,7");
  check_explain_refuses("--insert a --positions a=1 --positions a=2",
                        "--positions: \"a\" is given twice; give it once");
  check_explain_refuses("--insert a --positions b=1",
                        "explain: the positions of \"b\" are given, but the key is neither "
                        "inserted nor queried; name it there too");
  check_explain_refuses("--example slide",
                        "--example: unknown example \"slide\"; did you mean \"slides\"?");
  check_explain_refuses("--example xyz",
                        "--example: unknown example \"xyz\"; known: \"slides\", \"bottles\", "
                        "\"fruits\", \"shared_bit\", \"probing\", \"optimum\"");
  check_explain_refuses("--example bottles --m 16",
                        "explain: --m does not go with --example bottles, which has no filter; "
                        "leave it out");
  check_explain_refuses("--bottles 10",
                        "explain: --bottles and --poisoned are for --example bottles; add it, or "
                        "leave them out");
  check_explain_refuses("--example bottles --bottles 10 --poisoned 11",
                        "--poisoned: found \"11\"; the number of a bottle from 1 to 10 is allowed");
  check_explain_refuses("--lang de", "--lang: unknown language \"de\"; allowed: en, ru, zh");
  check_explain_refuses("--color blue", "--color: found \"blue\"; allowed: auto, always, never");
}
