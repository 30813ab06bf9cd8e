// A journal's lines come back as they were written, or not at all.
#include "record/journal_text.hpp"

#include <catch2/catch.hpp>

using namespace bloomlab::record;

namespace {

Observation observed(std::uint64_t trial) {
  Observation result;
  result.cell = {{"n", 5}};
  result.group = "0123456789abcdef";
  result.trial = trial;
  result.redrawn = {"keys"};
  result.measured = {{"false_positives", 3}, {"conditional_rate", 1.0 / 3.0}};
  result.timing = Json::object();
  return result;
}

std::string head() {
  return R"({"format":"bloomlab-journal-2","trials":4})"
         "\n";
}

}  // namespace

TEST_CASE("a journal's text is taken apart", "[record][journal]") {
  const std::string text =
      head() + journal_line({observed(0), observed(1)}) + journal_line({observed(2)});
  const JournalText journal = read_journal(text + "0123 [{\"cell", "j");
  CHECK(journal.head.at("trials") == 4);
  CHECK(journal.trials() == 3);
  CHECK(journal.observations.size() == 3);
  CHECK(to_json(journal.observations[2]) == to_json(observed(2)));
  CHECK(journal.sound_bytes == text.size());
  CHECK(journal.altered_line == 0);
}

TEST_CASE("an altered line ends a journal, and is named", "[record][journal]") {
  const std::string first = head() + journal_line({observed(0)});
  std::string second = journal_line({observed(1)});
  second.replace(second.find(":3,"), 3, ":4,");
  const JournalText journal = read_journal(first + second + journal_line({observed(2)}), "j");
  CHECK(journal.trials() == 1);
  CHECK(journal.sound_bytes == first.size());
  CHECK(journal.altered_line == 3);
  CHECK(journal.lost_lines == 2);
}

TEST_CASE("what is no journal has no head", "[record][journal]") {
  for (const std::string text :
       {"", "{}", "{}\n", "{\"format\":\"bloomlab-journal-1\"}\n", "x\ny\n"}) {
    CHECK(read_journal(text, "j").head.is_null());
    CHECK(read_journal(text, "j").sound_bytes == 0);
  }
}
