// The experiment engine for the page in the browser. A config goes in as text, its units are
// measured one after the other, and the text of a result file comes out. Every answer is JSON as
// text: a count of 64 bits is none of JavaScript's numbers.

#include <emscripten/bind.h>
#include <emscripten/emscripten.h>
#include <emscripten/val.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/data/load.hpp"
#include "docs/lab/source/answers.hpp"
#include "docs/lab/source/own.hpp"
#include "docs/lab/source/scaled.hpp"
#include "experiments/config/reading.hpp"
#include "experiments/engine/estimate.hpp"
#include "experiments/engine/finished.hpp"
#include "experiments/engine/unit.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"

namespace {

namespace analysis = bloomlab::analysis;
namespace experiments = bloomlab::experiments;
namespace page = bloomlab::page;
namespace record = bloomlab::record;
using emscripten::val;
using record::Json;

/// Between two words on how far a unit is [ms].
constexpr double quiet_ms = 100.0;

/// A config on its way to its result, trial by trial, so that all cells are seen early.
class Laboratory {
 public:
  explicit Laboratory(experiments::Config config)
      : config_(std::move(config)), finished_(config_.experiment->steps()) {
    for (const experiments::Cell& cell : config_.cells) cells_.push_back(&cell);
    units_ = experiments::units_of(config_, cells_);
    std::stable_sort(units_.begin(), units_.end(),
                     [](const auto& one, const auto& other) { return one.trial < other.trial; });
    for (const experiments::Unit& unit : units_) weight_ += unit.weight;
  }

  [[nodiscard]] const experiments::Config& config() const { return config_; }
  [[nodiscard]] bool is_done() const { return next_ == units_.size(); }
  /// Trials that all cells have.
  [[nodiscard]] std::uint64_t trials_done() const {
    if (is_done()) return config_.trials;
    return config_.joins_trials() ? 0 : units_[next_].trial;
  }

  /// Measures a unit; tells of the work done in parts of all, now and then.
  void measure_next(const val& tell) {
    const experiments::Unit& unit = units_[next_];
    const double all_keys = experiments::keys_of(config_, unit);
    double keys = 0.0;
    double told = emscripten_get_now();
    const auto meter = [&](std::uint64_t more) {
      keys += static_cast<double>(more);
      if (emscripten_get_now() - told < quiet_ms || all_keys <= 0.0) return;
      told = emscripten_get_now();
      tell((done_ + unit.weight * std::min(1.0, keys / all_keys)) / weight_);
    };
    finished_.add(experiments::measure(config_, unit, {}, {}, meter));
    done_ += unit.weight;
    ++next_;
    tell(weight_ > 0.0 ? done_ / weight_ : 1.0);
  }

  /// What is there of the first trials of all cells; before there is one, of the cells that have
  /// it.
  [[nodiscard]] record::ResultFile result(Json provenance) const {
    experiments::Config so_far = config_;
    so_far.trials = std::max<std::uint64_t>(1, trials_done());
    return {config_.json, std::move(provenance), finished_.in_order(so_far, cells_)};
  }

 private:
  experiments::Config config_;
  experiments::Finished finished_;
  std::vector<const experiments::Cell*> cells_;
  std::vector<experiments::Unit> units_;
  std::size_t next_ = 0;
  double weight_ = 0.0;
  double done_ = 0.0;
};

std::unique_ptr<Laboratory>& laboratory() {
  static std::unique_ptr<Laboratory> one;
  return one;
}

/// What `work` answers, or {"fault": line}.
template <class Work>
std::string answered(Work work) {
  try {
    return Json(work()).dump();
  } catch (const std::exception& error) {
    return Json{{"fault", error.what()}}.dump();
  }
}

/// A page of the report is no part of a config here: its text is not at hand, and changes nothing
/// that is measured.
Json config_in(const std::string& text, const std::string& file) {
  return record::without_page(record::parse_json(text, file));
}

experiments::Config read(const Json& config, const std::string& file) {
  experiments::Config checked = experiments::config_of(config, file, page::browser);
  page::refuse_absent(checked);
  return checked;
}

/// The smaller config, with what was changed: {..., "config", "changes"}.
Json smaller_config(const Json& config, const std::string& file, double seconds) {
  const page::Scaled smaller = page::scaled(config, file, seconds);
  Json facts = page::facts_of(read(smaller.config, file));
  facts["config"] = smaller.config.dump(2);
  facts["changes"] = Json::array();
  for (const page::Change& change : smaller.changes) {
    facts["changes"].push_back({{"key", change.key}, {"from", change.from}, {"to", change.to}});
  }
  return facts;
}

/// What the config is and costs, and the same of a smaller one where it would take longer than so
/// many seconds, or not run here: {"whole": facts or {"fault"}, "scaled": facts}.
std::string consider(const std::string& text, const std::string& file, double seconds) {
  return answered([&] {
    const Json config = config_in(text, file);
    Json answer = Json::object();
    answer["whole"] = Json::parse(answered([&] { return page::facts_of(read(config, file)); }));
    const Json& whole = answer["whole"];
    if (!whole.contains("fault") && whole["seconds"].get<double>() <= seconds) return answer;
    Json smaller = Json::parse(answered([&] { return smaller_config(config, file, seconds); }));
    if (!smaller.contains("fault") && !smaller["changes"].empty()) answer["scaled"] = smaller;
    return answer;
  });
}

/// Takes a config to be measured. @return its facts
std::string start(const std::string& text, const std::string& file) {
  return answered([&] {
    laboratory() = nullptr;
    laboratory() = std::make_unique<Laboratory>(read(config_in(text, file), file));
    return page::facts_of(laboratory()->config());
  });
}

/// @param tell is given the part of all work that is done. @return {"done", "trials", "joined"}:
/// whether all is, how many trials all cells have, and whether cells have them all at once
std::string measure_next(const val& tell) {
  return answered([&] {
    laboratory()->measure_next(tell);
    return Json{{"done", laboratory()->is_done()},
                {"trials", laboratory()->trials_done()},
                {"joined", laboratory()->config().joins_trials()}};
  });
}

/// What the trials so far say: page::report_of(). A cell must have one.
std::string report() {
  return answered([&] {
    const experiments::Config& config = laboratory()->config();
    return page::report_of({.stem = config.stem(),
                            .file_name = config.path.string(),
                            .file = laboratory()->result(Json::object()),
                            .confirmation = {}});
  });
}

/// The standard filter that was measured, beside the page's own that was counted so:
/// page::own_report().
std::string own(const std::string& counted) {
  return answered(
      [&] { return page::own_report(laboratory()->result(Json::object()), Json::parse(counted)); });
}

/// The result file, as `bloomlab run` would have written it but for where it was measured.
/// @param here facts of the browser. @return {"text", "digest"}
std::string result(const std::string& here) {
  return answered([&] {
    const experiments::Config& config = laboratory()->config();
    const std::string file = config.path.string();
    record::write_result_file(
        file, laboratory()->result(page::provenance_of(config.json, Json::parse(here))));
    return Json{{"text", record::read_text(file, ~std::uintmax_t{0})},
                {"digest", page::digest_of(analysis::read_checked(file))}};
  });
}

/// A result file that somebody opens. @return its report with "digest", "config" and "provenance"
std::string open(const std::string& text, const std::string& file) {
  return answered([&] {
    page::write_text(file, text);
    record::ResultFile opened = analysis::read_checked(file);
    const std::string digest = page::digest_of(opened);
    const Json config = record::without_page(opened.config);
    const Json provenance = opened.provenance;
    Json answer = page::report_of({.stem = std::filesystem::path(file).stem().string(),
                                   .file_name = file,
                                   .file = std::move(opened),
                                   .confirmation = {}});
    answer["digest"] = digest;
    answer["config"] = config.dump(2);
    answer["provenance"] = provenance;
    return answer;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(lab) {
  emscripten::function("consider", &consider);
  emscripten::function("start", &start);
  emscripten::function("measure_next", &measure_next);
  emscripten::function("report", &report);
  emscripten::function("own", &own);
  emscripten::function("result", &result);
  emscripten::function("open", &open);
  emscripten::function("significant", &bloomlab::significant);
}
