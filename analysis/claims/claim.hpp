// A claim: what a source says, and how it is checked. The verdict is what the check finds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/claims/results.hpp"
#include "analysis/claims/verdict.hpp"

namespace bloomlab::analysis::claims {

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

}  // namespace bloomlab::analysis::claims
