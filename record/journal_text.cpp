#include "record/journal_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "record/input_error.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::record {
namespace {

constexpr std::size_t digest_digits = 16;

std::string digest_of(std::string_view text) { return sha256_hex(text).substr(0, digest_digits); }

/// The observations of one line; none where it is not as it was written.
std::vector<Observation> observations_in(std::string_view line, const std::string& where) {
  std::vector<Observation> observations;
  if (line.size() <= digest_digits || line[digest_digits] != ' ') return observations;
  const std::string_view unit = line.substr(digest_digits + 1);
  if (line.substr(0, digest_digits) != digest_of(unit)) return observations;
  try {
    for (const Json& json : parse_json(unit, where)) {
      observations.push_back(observation_from_json(json, where));
    }
  } catch (const InputError&) {
    observations.clear();
  }
  return observations;
}

Json head_in(std::string_view line, const std::string& where) {
  try {
    Json head = parse_json(line, where);
    if (head.is_object() && head.value("format", Json()) == journal_format) return head;
  } catch (const InputError&) {
    // No journal, or one of another release: it is begun anew.
  }
  return {};
}

}  // namespace

std::uint64_t JournalText::trials() const {
  std::set<std::pair<std::string, std::uint64_t>> trials;
  for (const Observation& one : observations) trials.emplace(one.cell.dump(), one.trial);
  return trials.size();
}

JournalText read_journal(std::string_view text, const std::string& where) {
  std::vector<Observation> all;
  JournalText journal =
      read_journal(text, where, [&](const Json& /*head*/, std::vector<Observation> unit) {
        std::move(unit.begin(), unit.end(), std::back_inserter(all));
      });
  journal.observations = std::move(all);
  return journal;
}

JournalText read_journal(std::string_view text, const std::string& where,
                         const std::function<void(const Json&, std::vector<Observation>)>& use) {
  JournalText journal;
  std::size_t line = 1;
  std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return journal;
  journal.head = head_in(text.substr(0, end), where);
  if (journal.head.is_null()) return journal;
  for (std::size_t begin = end + 1;; begin = end + 1) {
    journal.sound_bytes = begin;
    end = text.find('\n', begin);
    if (end == std::string_view::npos) return journal;
    ++line;
    std::vector<Observation> unit = observations_in(text.substr(begin, end - begin), where);
    if (unit.empty()) break;
    use(journal.head, std::move(unit));
  }
  journal.altered_line = line;
  const std::string_view lost = text.substr(journal.sound_bytes);
  journal.lost_lines = static_cast<std::size_t>(std::count(lost.begin(), lost.end(), '\n'));
  return journal;
}

std::string journal_line(const std::vector<Observation>& unit) {
  Json json = Json::array();
  for (const Observation& observation : unit) json.push_back(to_json(observation));
  const std::string text = json.dump();
  return digest_of(text) + " " + text + "\n";
}

}  // namespace bloomlab::record
