// bloomlab claims: what sources say, and what is true.

#include <array>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/claims/book.hpp"
#include "cli/command.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

namespace claims = analysis::claims;
namespace fs = std::filesystem;

struct ClaimsOptions {
  std::string only;
  std::string results;
  std::vector<std::string> books;
  bool json = false;
};

/// The books of this project: in the current folder, beside the installed program, or in the source
/// tree that it was built in.
fs::path usual_books() {
  const fs::path here = "configs/claims";
  if (fs::is_directory(here)) return here;
  const fs::path installed = "share/bloomlab/claims";
  fs::path around = fs::read_symlink("/proc/self/exe").parent_path();
  for (; around.has_relative_path(); around = around.parent_path()) {
    for (const fs::path& books : {around / installed, around / here}) {
      if (fs::is_directory(books)) return books;
    }
  }
  throw record::InputError("no book of claims is named, and neither " + here.string() + " nor " +
                           installed.string() +
                           " is around the program; name a file, or a folder of files");
}

claims::Results results_of(const ClaimsOptions& options) {
  if (options.results.empty()) return claims::Results("results");
  if (!fs::is_directory(options.results)) {
    throw record::InputError(options.results +
                             ": no such folder; --results takes a folder of result files");
  }
  return claims::Results(options.results);
}

void print_claim(const claims::JudgedClaim& claim) {
  const claims::Finding& finding = claim.finding;
  std::cout << std::left << std::setw(8) << claim.text.id << ' ' << std::setw(12)
            << claims::name_of(finding.verdict) << "  " << claim.text.statement << '\n';
  std::string details;
  const auto add = [&](const std::string& label, const std::string& text) {
    if (!text.empty()) details.append(details.empty() ? "" : "; ").append(label).append(text);
  };
  const std::string& unit = claim.text.unit;
  // Where the source prints a formula this is the formula's value.
  add(claim.text.printed.empty() ? "claimed " : "printed ",
      finding.printed.empty() || unit.empty() ? finding.printed : finding.printed + " " + unit);
  add("computed ", finding.computed_text);
  add("", finding.note);
  if (finding.verdict != claims::Verdict::not_measured) add("results of ", finding.evidence);
  add("", claim.text.note);
  if (!details.empty()) std::cout << "         " << details << '\n';
}

/// A line a voice that spoke: "sources: 3 RIGHT, 1 WRONG".
void print_tally(const analysis::Json& verdicts) {
  constexpr std::array<std::pair<const char*, const char*>, 3> headings = {
      {{"source", "sources: "}, {"vendor", "vendors: "}, {"laboratory", "remarks: "}}};
  for (const auto& [voice, heading] : headings) {
    std::string line;
    for (const auto& [name, count] : verdicts.at(voice).items()) {
      if (count == 0) continue;
      line.append(line.empty() ? heading : ", ").append(count.dump()).append(" ").append(name);
    }
    if (!line.empty()) std::cout << line << '\n';
  }
}

/// How many sentences of each source the claims judge, where a file counts them.
void print_sentences(const std::vector<claims::Book>& books) {
  for (const claims::Book& book : books) {
    if (book.sentences.empty()) continue;
    std::cout << book.id << ": " << book.sentences.size()
              << " sentences with a number or a testable property, each with a row\n";
  }
}

int judge_claims(const ClaimsOptions& options) {
  std::vector<fs::path> places(options.books.begin(), options.books.end());
  if (places.empty()) places.push_back(usual_books());
  const std::vector<claims::Book> books = claims::read_books(places);
  const auto judged = claims::judge_books(books, results_of(options), options.only);
  const analysis::Json json = claims::claims_json(judged);
  if (options.json) {
    std::cout << json.dump(2) << '\n';
    return done;
  }
  for (const claims::JudgedClaim& claim : judged) print_claim(claim);
  print_tally(json.at("verdicts"));
  if (options.only.empty()) print_sentences(books);
  return done;
}

}  // namespace

Action add_claims(CLI::App& parser) {
  auto options = std::make_shared<ClaimsOptions>();
  parser.add_option("--only", options->only, "A source, such as S1, or a claim, such as S1-28");
  parser.add_option("--results", options->results,
                    "Folder of result files that claims are held against; default: results");
  parser.add_option("books", options->books,
                    "Books of claims, or folders of them; default: those of this project");
  parser.add_flag("--json", options->json, "Print claims, verdicts and their numbers as JSON");
  parser.footer(
      "A wrong claim of a source is no failure of the command. docs/claims.md shows how to write\n"
      "a claims file.");
  return [options] { return judge_claims(*options); };
}

}  // namespace bloomlab::cli
