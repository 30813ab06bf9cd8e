// Many submissions judged in one run, each in a folder of its own.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/plot/figure.hpp"
#include "analysis/text/words.hpp"
#include "lab/cases.hpp"
#include "lab/verdict.hpp"

namespace bloomlab::lab {

/// One submission and what holds of it.
struct Grade {
  std::string submission;  ///< its folder, as it was given
  std::string language;    ///< empty where it is unreadable
  Verdict verdict;
};

/// Judges every folder, `jobs` at a time, as a copy in a temporary folder: nothing is written into
/// it. No submission reads another, nor what the book hides. Grades come in the order of the
/// folders, whatever they do. `finished` is called for each, one at a time. Throws
/// record::InputError where a path is no folder.
[[nodiscard]] std::vector<Grade> grade(std::span<const std::filesystem::path> folders,
                                       const CaseBook& book, const analysis::Words& words,
                                       unsigned jobs,
                                       const std::function<void(const Grade&)>& finished = {});

/// A row a submission: number, submission, language, result, held, checks, rate with its interval,
/// theory, and the texts of what does not hold.
[[nodiscard]] std::string csv_of(std::span<const Grade> grades);

/// The rates of the class in the first case over theory, from the lowest to the highest, each with
/// its number in the table.
/// Submissions without a rate are counted in the caption. Nothing to draw where none has one.
[[nodiscard]] analysis::plot::Figure class_figure(std::span<const Grade> grades,
                                                  const analysis::Words& words, std::string name);

}  // namespace bloomlab::lab
