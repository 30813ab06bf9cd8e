// A claim: what a source says, how it is checked, and what can be said of it. The verdict is what
// the check finds in the results that claims are held against, which are read when a claim asks for
// them and queried in SQL.
//
// How a claim is checked. Its "check" has one of these members (docs/claims.md):
//   "sql"       a query that gives, for every part of the claim, what is true or whether it holds
//   "property"  the name of a behaviour, seen on real filters in memory (properties.cpp)
//   "cited"     what stands in the code or the documents of others, each part with its place
//   "open"      nothing can check it yet: what it would take
//   "listed"    a remark, a wish or a name: why there is nothing to judge
//
// Behaviours that claims name, each seen on real filters in memory, with fixed keys and seeds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/data/measurement.hpp"
#include "analysis/pages/database.hpp"
#include "record/json_view.hpp"

namespace bloomlab::analysis::claims {

/// The stems of the results that a query names: "lab_report" for "lab_report.cells".
[[nodiscard]] std::vector<std::string> stems_named(const std::string& sql);

/// A folder of results, experiments at hand, or none. Not for several threads at once.
class Results {
 public:
  /// No results at all: every claim that needs some is "not measured".
  Results() = default;
  /// The files STEM.json of this folder.
  explicit Results(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// These experiments, which must outlive it.
  explicit Results(std::span<const Experiment> experiments) : given_(experiments) {}

  /// The analysed results of a config, or null where the folder has none. Throws record::InputError
  /// for a broken file.
  [[nodiscard]] const Experiment* find(const std::string& stem) const&;
  void find(const std::string& stem) const&& = delete;

  /// The rows of a query over tables "STEM.cells" and so on (docs/pages.md), all of whose stems are
  /// here. Throws record::InputError `WHERE: fault`.
  [[nodiscard]] pages::Relation query(const std::string& sql, const std::string& where) const;

 private:
  std::filesystem::path folder_;
  std::span<const Experiment> given_;
  mutable std::map<std::string, std::optional<Experiment>> read_;
};

/// Always computed, or, where a check is "cited", said of each place; from the lightest to the
/// gravest.
enum class Verdict {
  right,         ///< within half a unit of the last printed digit, or the statement holds
  definition,    ///< a property that a real filter shows, checked in memory
  misprint,      ///< wrong as printed, right with the correction that the claim names
  rough,         ///< off by at most 20 %
  wrong,         ///< beyond, or the statement does not hold
  not_measured,  ///< its experiment exists, its results are not in the folder
  open,          ///< its experiment does not exist
  listed,        ///< a remark or a wish: there is nothing to judge
};

/// "RIGHT", "NOT MEASURED", ...; "-" for a claim that is only listed.
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// A number as it is printed in a source.
struct PrintedNumber {
  double value = 0;
  double half_unit = 0;  ///< half a unit of its last digit
};

/// Reads "0.0609", "2.1167e-7", "9 994 297", "1 %"; nothing where the text is no such number.
[[nodiscard]] std::optional<PrintedNumber> parse_printed(std::string_view text);

/// How a claimed number is compared with the true one.
enum class Relation {
  equal,
  at_most,   ///< the source says "at most": the truth may be smaller
  at_least,  ///< the source says "at least": the truth may be larger
};

/// What is tolerated.
struct Tolerance {
  Relation relation = Relation::equal;
  std::optional<double> right_within = std::nullopt;  ///< share of the truth; else half a unit
  double rough_within = 0.2;                          ///< share of the truth
};

/// RIGHT, ROUGH or WRONG of a claimed number. For formulas (half_unit 0) the rounding of the
/// arithmetic is tolerated.
[[nodiscard]] Verdict judge(const PrintedNumber& claimed, double truth, const Tolerance& tolerance);

/// Who speaks. Each is counted apart.
enum class Voice {
  source,      ///< one of the sources that led to the project, or a file of a user
  vendor,      ///< a document of a vendor or a project
  laboratory,  ///< ours: a remark on what a source does not say itself
};

/// What a check found.
struct Finding {
  Verdict verdict = Verdict::listed;
  std::string printed = {};                       ///< what the source prints; may be empty
  std::optional<double> computed = std::nullopt;  ///< what is true, where it is one number
  std::string computed_text = {};                 ///< the same for people; may be empty
  std::string note = {};                          ///< which parts are off, what is missing
  std::string evidence = {};                      ///< stem of the config it rests on; may be empty
  std::uint64_t entries = 1;                      ///< parts that were judged
  std::uint64_t entries_right = 0;                ///< and are right
};

/// A check, ready to be made.
using Check = std::function<Finding(const Results&)>;

/// The texts of a claim.
struct ClaimText {
  std::string id;         ///< "S1-28"
  std::string statement;  ///< in our own words
  std::string printed;    ///< the number as the source prints it; may be empty
  std::string unit;       ///< of the printed number; may be empty
  std::string reading;    ///< how the source is understood; may be empty
  std::string note;       ///< what a reader should know; may be empty
  std::string see = {};   ///< stem of the config whose section shows it; may be empty
  std::map<std::string, std::string> translations = {};  ///< statements by language: "zh", "ru"
  std::string place = {};  ///< for complaints: "mine.json: claim S1-28"
};

/// A claim as it was read.
struct Claim {
  ClaimText text;
  std::string kind;  ///< the check's name
  Check check;
};

/// A sentence of the source that holds a number or a property that can be tested.
struct Sentence {
  std::string at;                 ///< where it stands
  std::string says;               ///< in our own words
  std::vector<std::string> rows;  ///< ids of the claims that judge it, at least one
};

/// The claims of one source.
struct Book {
  std::string id;      ///< "S1"
  std::string source;  ///< what it is
  std::vector<Claim> claims;
  Voice voice = Voice::source;
  std::vector<Sentence> sentences = {};  ///< where given, each claim judges one or more of them
  /// Translations of its texts by language, English to translated, "#" for a number.
  std::map<std::string, std::map<std::string, std::string, std::less<>>> words = {};
};

/// A claim with its verdict.
struct JudgedClaim {
  Voice voice = Voice::source;
  std::string book;
  std::string source;
  ClaimText text;
  std::string kind;
  Finding finding;
};

/// A check that was read, and what the report calls it: "formula" or "experiment" for a query,
/// "property", "cited", "open", "listed".
struct ReadCheck {
  std::string kind;
  Check check;
};

/// Reads the member "check" of a claim. Throws record::InputError for anything unknown, missing or
/// of the wrong kind. Faults of a query show when the check is made: `FILE: claim ID: fault`.
[[nodiscard]] ReadCheck read_check(const record::JsonView& view, const ClaimText& claim);

/// The same of one with "sql"; docs/claims.md has the columns of its rows. Results that are not in
/// the folder, or not in the grid that was run, make the claim "not measured".
[[nodiscard]] ReadCheck read_query(const record::JsonView& view, const ClaimText& claim);

/// What was seen of a behaviour.
struct Observed {
  bool holds = false;
  std::string seen;  ///< the numbers that say so, in a few words
};

/// A behaviour. `observe` takes milliseconds and gives the same every time.
struct Property {
  std::string_view name;
  Observed (*observe)();
};

/// All of them. docs/claims.md says what each means.
[[nodiscard]] std::span<const Property> properties();

}  // namespace bloomlab::analysis::claims
