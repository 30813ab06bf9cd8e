// Printed tables: every slip is found, and nothing else is called one.
#include "analysis/claims/printed_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <random>
#include <regex>

#include "core/theory/standard.hpp"
#include "record/number_text.hpp"
#include "record/strict_json.hpp"
#include "record/visible_text.hpp"
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

std::string file_text(const std::string& path) {
  return record::read_text(BLOOMLAB_SOURCE_DIR "/configs/" + path, 1U << 20U);
}

/// "m/n = 8, k = 5: 0.0217" for each row of a table of configs/claims.
std::vector<std::string> cells_of_table(const std::string& name) {
  const ReadTable read = read_printed_table(file_text("claims/" + name + ".csv"), name);
  REQUIRE(read.faults.empty());
  std::vector<std::string> cells;
  for (const PrintedRow& row : read.table.rows) {
    cells.push_back("m/n = " + parameter_text(row.m_over_n) + ", k = " + std::to_string(row.k) +
                    ": " + row.text);
  }
  return cells;
}

/// The same for what a query lists as (..., m/n, k, 'printed') or, with the least whole k at or
/// above ln 2 m/n, as (..., m/n, 'printed').
std::vector<std::string> cells_of_query(const std::string& sql) {
  static const std::regex row(R"((\d+), (?:(\d+), )?'([0-9.]+)'\))");
  std::vector<std::string> cells;
  for (std::sregex_iterator one(sql.begin(), sql.end(), row), end; one != end; ++one) {
    const std::string ratio = (*one)[1];
    const bool states_k = (*one)[2].matched;
    const auto best = static_cast<int>(std::ceil(std::log(2.0) * std::stod(ratio)));
    cells.push_back("m/n = " + ratio + ", k = " +
                    (states_k ? (*one)[2].str() : std::to_string(best)) + ": " + (*one)[3].str());
  }
  return cells;
}

/// A claim of a committed book, as it is written.
Json claim_of(const std::string& file, const std::string& id) {
  const Json book = record::parse_json(file_text("claims/" + file), file);
  for (const Json& claim : book.at("claims")) {
    if (claim.at("id") == id) return claim;
  }
  FAIL("no claim " << id);
  return {};
}

/// A copy with one to three places cut, altered, blown up or filled with what no table has.
std::string damaged_table(std::string text, std::mt19937_64& random) {
  static const std::vector<std::string> odd_numbers = {"99999999999999999999999",
                                                       "1e999999999",
                                                       "1e-999999999",
                                                       "-1",
                                                       "0",
                                                       "nan",
                                                       "1e6",
                                                       "256",
                                                       "0.000000000000000001",
                                                       "9007199254740993",
                                                       "1e-300%",
                                                       "18446744073709551616"};
  const auto below = [&](std::size_t end) { return end == 0 ? 0 : random() % end; };
  for (std::uint64_t times = 1 + below(3); times > 0; --times) {
    const std::size_t place = below(text.size());
    switch (below(10)) {
      case 0:
        text.resize(place);
        break;
      case 1:
        if (!text.empty()) text[place] = static_cast<char>(text[place] ^ (1 << below(8)));
        break;
      case 2:
      case 3: {  // a number becomes another one
        const std::size_t first = std::min(text.find_first_of("0123456789.", place), text.size());
        const std::size_t behind =
            std::min(text.find_first_not_of("0123456789.", first), text.size());
        text.replace(first, behind - first, odd_numbers[below(odd_numbers.size())]);
        break;
      }
      case 4:
        text.insert(place, below(2) == 0 ? "\"" : "\",\"\"");
        break;
      case 5:
        text.insert(place, 1, "\0\r\t\x1b\x7f\n,"[below(7)]);
        break;
      case 6:  // a long line
        text.insert(place, std::string(below(100'000), "x9,. \t"[below(6)]));
        break;
      case 7:  // a row of many fields
        text.insert(place, std::string(below(900), ','));
        break;
      case 8:  // a part many times
        for (std::string part = text.substr(place, 200); text.size() < 20'000; text += part) {
          if (part.empty()) part = "\n";
        }
        break;
      default:
        text.insert(place, static_cast<std::size_t>(1 + below(8)), static_cast<char>(random()));
    }
  }
  return text;
}

/// One line that a terminal shows as it stands, and none that fills its screen.
bool is_one_line(const std::string& text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !text.empty() && text.size() < 3000 && std::ranges::none_of(text, is_control) &&
         !record::first_hidden(text);
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
  // A number of another order is not a rounded one.
  for (const char* row : {"7,1000,100,0.1", "1000,8000,5,0.1", "1000,32000,22,1"}) {
    INFO(row);
    CHECK(said_of(row) == "WRONG");
  }
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
  CHECK_THAT(faults_of("m/n,k,printed\n2,1,0.393\n").front(),
             Catch::StartsWith("t.csv:1: unknown column \"m/n\"; did you mean \"m_over_n\"?; "));
  CHECK(faults_of("m_over_n,k,printed\n2,1,0.39346934028736657640036207\n").front() ==
        "t.csv:2: printed: found \"0.39346934028736657640036207\"; at most 15 digits are judged; "
        "leave out the last");
  CHECK_THAT(faults_of("m_over_n,k,printed\n2\n").front(),
             Catch::StartsWith("t.csv:2: found 1 field; the header has 3, "));
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
  CHECK(only("m_over_n\tk\tprinted\n8\t6\t0.1\n")
            .starts_with("t.csv:1: unknown column \"m_over_n k "));
  CHECK(only("m_over_n,k,printed\r8,6,0.1\r") ==
        "t.csv:1: found U+000D, a carriage return, inside a line; end each line with a line feed");
  std::string many = "m_over_n,k,printed\n";
  for (int i = 0; i < 1'000'000; ++i) many += "8,6,.02\n";
  CHECK(only(many) == "t.csv:10002: more than 10000 rows; split the table");
  CHECK(faults_of("m_over_n,k,printed\n8,6,x\n8,6,0.0216\n8,y,0.1\n").size() == 2);
}

TEST_CASE("a damaged table is read or refused, a line each", "[claims][table][damaged]") {
  std::mt19937_64 random(20261127);
  int read_whole = 0;
  int refused = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::string name =
        std::vector<std::string>{"textbook_table", "ratio_table", "summary_cache"}[i % 3];
    const std::string text = damaged_table(file_text("claims/" + name + ".csv"), random);
    INFO(name << ", copy " << i);
    ReadTable read;
    REQUIRE_NOTHROW(read = read_printed_table(text, "t.csv"));
    const auto bad = std::ranges::find_if_not(read.faults, [](const std::string& fault) {
      return fault.starts_with("t.csv:") && is_one_line(fault);
    });
    INFO((bad == read.faults.end() ? "" : record::made_visible(*bad)));
    REQUIRE(bad == read.faults.end());
    ++(read.faults.empty() ? read_whole : refused);
    // Every row is held against every other one.
    if (!read.faults.empty() || i % 10 != 0 || read.table.rows.size() > 500) continue;
    REQUIRE_FALSE(read.table.rows.empty());
    const auto rows = judge_table(read.table);
    CHECK(is_one_line(table_counts(rows)));
    for (const auto& line : table_rows(read.table, rows)) {
      for (const std::string& field : line) CHECK((field.empty() || is_one_line(field)));
    }
  }
  CHECK(read_whole > 200);
  CHECK(refused > 1000);
}

TEST_CASE("a printed table has the digits of the claims and of the page", "[claims][table]") {
  const auto textbook = cells_of_table("textbook_table");
  CHECK(textbook.size() == 49);
  CHECK(textbook == cells_of_query(claim_of("s0.json", "S0-12a").at("check").at("sql").dump()));
  const std::string page = file_text("textbook/textbook_table.page.md");
  CHECK(textbook == cells_of_query(page.substr(0, page.find("stars("))));
  const auto cache = cells_of_table("summary_cache");
  CHECK(textbook == std::vector(cache.begin(), cache.begin() + 49));
  const auto ratios = cells_of_table("ratio_table");
  CHECK(ratios.size() == 7);
  CHECK(ratios == cells_of_query(file_text("textbook/ratio_table.page.md")));
  auto claimed = cells_of_query(claim_of("s1.json", "S1-27").at("check").at("sql").dump());
  const std::string last = claim_of("s1.json", "S1-28").at("printed");
  claimed.push_back("m/n = 64, k = 45: " + last);
  CHECK(ratios == claimed);
  const std::string literature = file_text("textbook/literature.page.md");
  static const std::regex slide(
      R"('Lemire 2023, slide', 'standard', (\d+), (\d+), null, '([0-9.]+)', 1, null)");
  std::vector<std::string> rates;
  for (std::sregex_iterator one(literature.begin(), literature.end(), slide), end; one != end;
       ++one) {
    rates.push_back("m/n = " + (*one)[1].str() + ", k = " + (*one)[2].str() + ": " +
                    (*one)[3].str() + "%");
  }
  CHECK(rates.size() == 6);
  CHECK(rates == cells_of_table("fast_filters"));
}

TEST_CASE("the sources' tables are right but for one number", "[claims][table]") {
  const auto counts = [](const std::string& name) {
    return table_counts(judged(file_text("claims/" + name + ".csv")));
  };
  const std::string none =
      " right to the last digit, 0 truncated, 0 misprinted with an "
      "explanation, 0 wrong without one";
  CHECK(counts("textbook_table") == "49 rows: 49" + none);
  CHECK(counts("summary_cache") == "156 rows: 156" + none);
  CHECK(counts("ratio_table") ==
        "7 rows: 6 right to the last digit, 0 truncated, 1 misprinted with an explanation, 0 wrong "
        "without one");
  CHECK(counts("fast_filters") ==
        "6 rows: 5 right to the last digit, 1 truncated, 0 misprinted with an explanation, 0 wrong "
        "without one");
}

}  // namespace bloomlab::analysis::claims
