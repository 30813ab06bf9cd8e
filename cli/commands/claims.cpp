// bloomlab claims: what sources say, and what is true.

#include <algorithm>
#include <array>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/claims/book.hpp"
#include "analysis/claims/printed_table.hpp"
#include "analysis/plot/gnuplot.hpp"
#include "cli/arguments.hpp"
#include "cli/command.hpp"
#include "cli/project_files.hpp"
#include "cli/terminal.hpp"
#include "record/input_error.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::cli {
namespace {

namespace claims = analysis::claims;
namespace fs = std::filesystem;

struct ClaimsOptions {
  std::string only;
  std::string results;
  std::vector<std::string> books;
  std::optional<std::string> table, emit_config, figure;
  bool json = false;
};

/// The books of this project.
fs::path usual_books() {
  if (const auto books = project_file("claims")) return *books;
  throw record::InputError(
      "no book of claims is named, and neither configs/claims nor share/bloomlab/configs/claims is "
      "around the program; name a file, or a folder of files");
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

/// A bad line each; the first ones where there are many.
int refuse_table(const std::vector<std::string>& faults) {
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(most, faults.size()); ++i) {
    std::cerr << "bloomlab: " << one_line(faults[i]) << '\n';
  }
  if (faults.size() > most) {
    std::cerr << "bloomlab: " << faults.size() - most << " more lines are bad\n";
  }
  return bad_input;
}

/// The file's folder and name as a figure takes them.
fs::path figure_path(const ClaimsOptions& options) {
  fs::path path = *options.figure;
  std::error_code none;
  if (path.extension() != ".svg") {
    throw record::InputError("--figure: found \"" + *options.figure +
                             "\"; a file that ends in .svg is written, such as table.svg");
  }
  if (fs::equivalent(path, *options.table, none)) {
    throw record::InputError("--figure: " + *options.figure + " is the table; name another file");
  }
  return path;
}

/// Judges a printed table. Nothing is printed or written where one of the files is refused.
int judge_table(const ClaimsOptions& options) {
  const fs::path file = *options.table;
  const auto [table, faults] = claims::read_printed_table(
      record::read_text(file, claims::largest_claims_file), file.string());
  if (!faults.empty()) return refuse_table(faults);
  const fs::path figure = options.figure ? figure_path(options) : fs::path();
  const bool measured = !options.results.empty();
  const claims::Results results = measured ? results_of(options) : claims::Results();
  const auto rows = claims::judge_table(table, results.find(file.stem().string()));
  if (options.figure) {
    analysis::plot::draw(claims::table_figure(table, rows, figure.stem().string()),
                         figure.parent_path().empty() ? "." : figure.parent_path());
  }
  if (options.emit_config) {
    emit_config(*options.emit_config, claims::table_config(table), "this table");
  }
  if (options.json) {
    std::cout << claims::table_json(table, rows).dump(2) << '\n';
    return done;
  }
  if (!table.source.empty()) std::cout << table.source << "\n\n";
  std::cout << aligned(claims::table_rows(table, rows)) << '\n';
  if (options.emit_config) {
    std::cout << "measure it: bloomlab run " << *options.emit_config << " --out results\n";
  }
  std::cout << claims::table_counts(rows) << '\n';
  return done;
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
  auto* only =
      parser.add_option("--only", options->only, "A source, such as S1, or a claim, such as S1-28");
  parser.add_option(
      "--results", options->results,
      "Folder of result files that claims are held against; default: results. Of a table "
      "MINE.csv, MINE.json in it; default: none");
  auto* books =
      parser.add_option("books", options->books,
                        "Books of claims, or folders of them; default: those of this project");
  auto* table = parser.add_option("--table", options->table,
                                  "Judge a printed table of FPRs instead, a CSV file with columns "
                                  "m_over_n,k,printed or n,m,k,printed");
  table->excludes(books)->excludes(only);
  parser
      .add_option("--emit-config", options->emit_config,
                  "Write the config of an experiment that measures the rows of the table")
      ->needs(table);
  parser.add_option("--figure", options->figure, "Draw the table into this SVG file (gnuplot)")
      ->needs(table);
  parser.add_flag("--json", options->json, "Print claims, verdicts and their numbers as JSON");
  parser.footer(
      "A wrong claim of a source is no failure of the command. docs/claims.md shows how to write\n"
      "a claims file.");
  return [options] { return options->table ? judge_table(*options) : judge_claims(*options); };
}

}  // namespace bloomlab::cli
