// Printed tables: every slip is found, and nothing else is called one.
#include "analysis/claims/printed_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <random>

#include "core/theory/standard.hpp"
#include "record/strict_json.hpp"
#include "tests/paths.hpp"

namespace bloomlab::analysis::claims {
namespace {

std::string printed(double rate, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, rate);
  return text;
}

std::vector<JudgedRow> judged(const std::string& text) {
  const ReadTable read = read_printed_table(text, "t.csv");
  for (const std::string& fault : read.faults) UNSCOPED_INFO(fault);
  REQUIRE(read.faults.empty());
  return judge_table(read.table);
}

/// The verdict and the notes of one row of n, m, k.
std::string said_of(const std::string& row) {
  const JudgedRow one = judged("n,m,k,printed\n" + row).front();
  std::string text(name_of(one.verdict));
  for (const std::string& note : one.notes) text += ": " + note;
  return text;
}

bool says(const JudgedRow& row, const std::string& words) {
  return std::ranges::any_of(
      row.notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

std::vector<std::string> faults_of(const std::string& text) {
  return read_printed_table(text, "t.csv").faults;
}

}  // namespace

TEST_CASE("a table printed from the closed form is right to the last digit", "[claims][table]") {
  std::mt19937 random(20261126);
  std::string text = "m_over_n,k,printed\n";
  for (int i = 0; i < 400; ++i) {
    const int tenths = std::uniform_int_distribution(10, 400)(random);
    const int k = std::uniform_int_distribution(1, 24)(random);
    const int digits = std::uniform_int_distribution(1, 12)(random);
    const double rate =
        theory::approx_fpr(static_cast<std::uint64_t>(tenths), 10, static_cast<std::uint64_t>(k));
    text += std::to_string(tenths / 10.0) + "," + std::to_string(k) + "," + printed(rate, digits);
    text += "\n";
  }
  for (const JudgedRow& row : judged(text)) {
    INFO("line " << row.row.line << ", printed " << row.row.text);
    CHECK(row.verdict == RowVerdict::right);
  }
}

TEST_CASE("each slip of a printed number is found", "[claims][table]") {
  // Right values at m/n = 8: k = 5 0.021679, k = 6 0.021577, k = 7 0.022929.
  const auto row = [](double rate) { return "1000,8000,6," + printed(rate, 5) + "\n"; };
  const auto closed = [](std::uint64_t m, std::uint64_t n, std::uint64_t k) {
    return theory::approx_fpr(m, n, k);
  };
  CHECK(said_of(row(closed(8, 1, 6))) == "RIGHT");
  CHECK(said_of(row(theory::exact_fpr(8000, 1000, 6))) ==
        "RIGHT: of the exact FPR, not of the closed form");
  CHECK(said_of("1000,8000,6," + printed(theory::classic_fpr(8000, 1000, 6), 9)) ==
        "RIGHT: of (1 - (1 - 1/m)^(kn))^k, not of the closed form");
  CHECK(said_of("1000,8000,6,0.0215") == "TRUNCATED");
  CHECK(said_of(row(closed(8, 1, 5))) == "MISPRINT: the FPR of k = 5");
  CHECK(said_of(row(closed(8, 1, 7))) == "MISPRINT: the FPR of k = 7");
  CHECK(said_of("1000,16000,6," + printed(closed(16, 1, 11), 5)) ==
        "MISPRINT: the FPR of k = 11, the best whole k");
  CHECK(said_of(row(closed(6, 1, 8))) == "MISPRINT: m/n and k exchanged");
  CHECK(said_of(row(closed(1, 8, 6))) == "MISPRINT: n and m exchanged");
  CHECK(said_of(row(1 - std::exp(-0.75))) == "MISPRINT: 1 - e^(-kn/m), the power k left out");
  CHECK(said_of(row(std::pow(1 - std::exp2(-0.75), 6))) ==
        "MISPRINT: 2^(-kn/m) in the place of e^(-kn/m)");
  CHECK(said_of(row(std::pow(1 - std::pow(10, -0.75), 6))) ==
        "MISPRINT: 10^(-kn/m) in the place of e^(-kn/m)");
  CHECK(said_of(row(std::exp2(-6))) == "MISPRINT: (1/2)^k, as if half of the bits were set");
  CHECK(said_of(row(std::exp2(-8 * std::log(2)))) ==
        "MISPRINT: (1/2)^(m/n ln 2), the FPR at the best real k");
  CHECK(said_of("1000,8000,6,0.021757") == "MISPRINT: two digits transposed");
  CHECK(said_of("1000,8000,6,0.2016") == "MISPRINT: two digits transposed");
}

TEST_CASE("powers of ten, one digit, and what nothing explains", "[claims][table]") {
  CHECK(said_of("1000,8000,6,0.0216%") ==
        "MISPRINT: the right digits times 10^-2, as by a percent sign or two zeros lost or added");
  CHECK(said_of("1000,8000,6,0.216") == "MISPRINT: the right digits times 10^1");
  CHECK(said_of("1000,8000,1,0.1176") == "MISPRINT: rounded up where the next digit is below 5");
  CHECK(said_of("1000,64000,45,0.000000000004") ==
        "MISPRINT: the right digits times 10^2, as by a percent sign or two zeros lost or added "
        "(one digit: this may be chance)");
  CHECK(said_of("1000,8000,6,0.0377") == "WRONG");
}

TEST_CASE("rows of one table explain each other", "[claims][table]") {
  const auto shifted = judged("m_over_n,k,printed\n8,4,0.0943\n8,2,0.0489\n9,4,0.0240\n");
  CHECK(says(shifted[2], "the FPR of m/n = 8, the neighbour in this table"));
  const auto pair = judged("m_over_n,k,printed\n8,4,0.0609\n6,3,0.0240\n");
  CHECK(says(pair[0], "exchanged with the number of line 3"));
  CHECK(says(pair[1], "exchanged with the number of line 2"));
}

TEST_CASE("printed digits are read as they stand", "[claims][table]") {
  for (const char* text : {"0.0216", "2.16e-2", ".0216", "2.16%", "2.16 %", "2.16E-02"}) {
    INFO(text);
    const auto row = judged("k,printed,m_over_n\n6," + std::string(text) + ",8\n").front();
    CHECK(row.verdict == RowVerdict::right);
    CHECK(row.row.printed.digits == 216);
    CHECK(row.row.printed.exponent == -4);
  }
  const auto row = judged(
                       "\xEF\xBB\xBF# the book\r\n\r\nlabel,n,m,k,printed\r\n\"a, "
                       "\"\"b\"\"\",10k,\"80,000\",6,.0216\r\n")
                       .front();
  CHECK(row.row.label == "a, \"b\"");
  CHECK(row.row.n == 10'000);
  CHECK(row.row.m == 80'000);
  CHECK(row.row.line == 4);
}

TEST_CASE("each bad line of a table is refused with its place", "[claims][table]") {
  const auto only = [](const std::string& text) {
    const auto faults = faults_of(text);
    REQUIRE(faults.size() == 1);
    return faults.front();
  };
  const std::string rule =
      "write m_over_n,k,printed or n,m,k,printed in the first line that is no "
      "comment";
  CHECK(only("") == "t.csv: holds no table; " + rule);
  CHECK(only("# a comment\n") == "t.csv: holds no table; " + rule);
  CHECK(only("m_over_n,k,printed\n") == "t.csv: holds a header alone; write a row a line below it");
  CHECK(only("m_over_n,printed\n8,0.1\n") == "t.csv:1: the column \"k\" is missing; " + rule);
  CHECK(only("m_over_n,k,printd\n") ==
        "t.csv:1: unknown column \"printd\"; did you mean \"printed\"?; " + rule);
  CHECK(only("m_over_n,k,k,printed\n") == "t.csv:1: the column \"k\" stands twice; keep one");
  CHECK(only("m_over_n,m,k,printed\n") ==
        "t.csv:1: the columns m_over_n and m say the same; keep one of them");
  const auto row = [&](const std::string& text) { return only("m_over_n,k,printed\n" + text); };
  const std::string rate = "\"; a rate above 0 is allowed, such as 0.0216, 2.16e-2 or 2.16%";
  for (const std::string bad : {"nan", "inf", "-0.1", "0", "0.000", "0x1", "", "\u0660.\u0661"}) {
    CHECK(row("8,6," + bad) == "t.csv:2: printed: found \"" + bad + rate);
  }
  CHECK(row("8,6,2.16") ==
        "t.csv:2: printed: found \"2.16\"; a rate is at most 1; write a "
        "percentage with its sign, such as 2.16%");
  CHECK(row("8,6,0.1234567890123456") ==
        "t.csv:2: printed: found \"0.1234567890123456\"; at most 15 digits are judged; leave out "
        "the last");
  CHECK(row("8,6,1e-301") ==
        "t.csv:2: printed: found \"1e-301\"; the last digit may stand for 1e-300 or more");
  for (const std::string bad : {"0", "2.5", "-1", "257", "x"}) {
    CHECK(row("8," + bad + ",0.1") ==
          "t.csv:2: k: found \"" + bad + "\"; a whole number of probes from 1 to 256 is allowed");
  }
  for (const std::string bad : {"0", "-8", "nan", "1e7", "8x"}) {
    CHECK(row(bad + ",6,0.1") ==
          "t.csv:2: m_over_n: found \"" + bad +
              "\"; a number above 0 and at most 10^6 is allowed, such as 8 or 9.6");
  }
  CHECK(row("8,6") ==
        "t.csv:2: found 2 fields; the header has 3, separated by commas; write a decimal point, "
        "and quotes around a comma");
  CHECK(row("8,\"6,0.1") == "t.csv:2: found a quote that is not closed; write \" on both sides");
  CHECK(row("8,\"6\"x,0.1") == "t.csv:2: found text behind a closing quote; end the field there");
  CHECK(row("8,6,0." + std::string(1'000'000, '1')) ==
        "t.csv:2: found a line of 1000006 bytes; at most 1000 are allowed; write one row a line");
  CHECK(row(std::string("8,6,0.1\0", 8)).starts_with("t.csv:2: found U+0000"));
  CHECK(row("8,6,0.1\xFF").find("the byte FF, which is no UTF-8; plain text in UTF-8") !=
        std::string::npos);
  std::string many = "m_over_n,k,printed\n";
  for (int i = 0; i < 1'000'000; ++i) many += "8,6,.02\n";
  CHECK(only(many) == "t.csv:10002: more than 10000 rows; split the table");
  CHECK(faults_of("m_over_n,k,printed\n8,6,x\n8,6,0.0216\n8,y,0.1\n").size() == 2);
}

TEST_CASE("the sources' tables are right but for one number", "[claims][table]") {
  const auto counts = [](const std::string& name) {
    return table_counts(judged(
        record::read_text(BLOOMLAB_SOURCE_DIR "/configs/claims/" + name + ".csv", 1U << 20U)));
  };
  const std::string none =
      " right to the last digit, 0 truncated, 0 misprinted with an "
      "explanation, 0 wrong without one";
  CHECK(counts("textbook_table") == "49 rows: 49" + none);
  CHECK(counts("summary_cache") == "156 rows: 156" + none);
  CHECK(counts("ratio_table") ==
        "7 rows: 6 right to the last digit, 0 truncated, 1 misprinted with an explanation, 0 wrong "
        "without one");
}

}  // namespace bloomlab::analysis::claims
