// The files of a report: a front page, and a page for every result beside it.

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/claims/book.hpp"
#include "analysis/data/load.hpp"
#include "analysis/html/page.hpp"
#include "analysis/pages/render.hpp"
#include "analysis/pages/tables.hpp"
#include "analysis/plot/gnuplot.hpp"
#include "analysis/report/report.hpp"
#include "analysis/tables/table.hpp"
#include "core/parallel/for_each_index.hpp"
#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/json_view.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::analysis {

namespace {

namespace fs = std::filesystem;

/// `to` as seen from `from`, ready to have a file name put behind it.
std::string relative_link(const fs::path& to, const fs::path& from) {
  const fs::path relative = fs::weakly_canonical(to).lexically_relative(fs::weakly_canonical(from));
  const std::string text = relative.generic_string();
  return text.empty() || text == "." ? "" : link_text(text) + "/";
}

void make_folder(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) {
    throw record::RunError(folder.string() + ": cannot be made (" + fault.message() +
                           "); choose another folder");
  }
}

/// Every language but English has folders of its own for what has texts in it.
fs::path in_language(const fs::path& folder, const std::string& language) {
  return language == "en" ? folder : folder / language;
}

std::string text_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_tables(std::span<const TableFile> tables, const fs::path& folder) {
  make_folder(folder);
  for (const TableFile& table : tables) {
    record::write_atomically(folder / table.name, [&](record::TextSink& file) {
      table.text([&](std::string_view piece) { file.add(piece); });
    });
  }
}

/// The experiments whose counts can be analysed; the others become faults. Throws InputError where
/// there is none.
std::vector<Experiment> analyse_good(Loaded& loaded) {
  std::vector<std::optional<Experiment>> analysed(loaded.sets.size());
  std::vector<std::string> faults(loaded.sets.size());
  for_each_index(loaded.sets.size(), [&](std::size_t i) {
    const std::string place = loaded.sets[i].place();
    try {
      analysed[i] = analyse(std::move(loaded.sets[i]));
    } catch (const std::exception& fault) {
      faults[i] = record::fault_in(place, fault);
    }
  });
  std::vector<Experiment> experiments;
  for (std::size_t i = 0; i < analysed.size(); ++i) {
    if (analysed[i]) experiments.push_back(std::move(*analysed[i]));
    if (!faults[i].empty()) loaded.faults.push_back(faults[i]);
  }
  if (experiments.empty()) throw record::InputError(loaded.faults.front());
  return experiments;
}

/// The claims of these books, judged; `words` learns what the books translate. What is wrong with a
/// book becomes a fault.
std::vector<claims::JudgedClaim> judge(std::span<const fs::path> books,
                                       std::span<const Experiment> experiments, Words& words,
                                       std::vector<std::string>& faults) {
  try {
    const auto read = claims::read_books(books);
    for (const claims::Book& book : read) {
      const auto own = book.words.find(words.language());
      if (own != book.words.end()) words = words.with(own->second);
    }
    return claims::judge_books(read, claims::Results(experiments));
  } catch (const std::exception& fault) {
    faults.emplace_back(fault.what());
    return {};
  }
}

/// What another draw of the study said (docs/compare.md); nothing where there is none. A file that
/// cannot be read becomes a fault.
std::optional<compare::Verdicts> replication_of(const fs::path& results,
                                                std::vector<std::string>& faults) {
  constexpr std::uintmax_t largest_bytes = 1 << 20;
  const fs::path path = results / "replication" / "verdicts.json";
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return std::nullopt;
  try {
    return compare::read_verdicts(record::read_text(path, largest_bytes), path.string());
  } catch (const record::InputError& fault) {
    faults.emplace_back(fault.what());
    return std::nullopt;
  }
}

/// Every table that pages see, but for those that are there already.
void add_tables(std::span<const Experiment> experiments, std::vector<TableFile>& files) {
  for (const Experiment& experiment : experiments) {
    for (const pages::NamedTable& table : pages::tables_for(experiment)) {
      std::string name = csv_name(experiment.stem, std::string(table.name));
      const bool known = std::any_of(files.begin(), files.end(),
                                     [&](const TableFile& file) { return file.name == name; });
      auto text = known ? std::nullopt : pages::csv_of(table.make, experiment);
      if (text) files.push_back({std::move(name), *std::move(text)});
    }
  }
}

/// The experiments that can be shown stay; one with a value of another kind than it must be becomes
/// a fault. Throws InputError where none is left.
void leave_out_strange(std::vector<Experiment>& experiments, const Words& words,
                       std::vector<std::string>& faults) {
  std::erase_if(experiments, [&](const Experiment& experiment) {
    try {
      static_cast<void>(build_report({experiment}, words));
      for (const pages::NamedTable& table : pages::tables_for(experiment)) {
        static_cast<void>(pages::columns_of(table.make, experiment));
      }
      return false;
    } catch (const std::exception& fault) {
      faults.push_back(record::fault_in(experiment.file_name, fault));
      return true;
    }
  });
  if (experiments.empty()) throw record::InputError(faults.back());
}

/// Figures by their names: as SVG, or why there is none.
struct Drawn {
  std::map<std::string, std::string> pictures;
  std::map<std::string, std::string> undrawn;
};

/// Without gnuplot every picture is empty, and none of before stays that is of other results.
Drawn none_drawn(const std::vector<plot::Figure>& figures, const fs::path& folder) {
  Drawn drawn;
  for (const plot::Figure& figure : figures) {
    drawn.pictures[figure.name] = "";
    std::error_code unknown;
    fs::remove(folder / (figure.name + ".svg"), unknown);
  }
  return drawn;
}

Drawn draw_all(const std::vector<plot::Figure>& figures, const fs::path& folder) {
  if (!figures.empty()) make_folder(folder);
  std::vector<std::string> texts(figures.size());
  std::vector<std::string> faults(figures.size());
  for_each_index(figures.size(), [&](std::size_t i) {
    try {
      texts[i] = text_of_file(plot::draw(figures[i], folder));
    } catch (const record::InputError& fault) {
      faults[i] = fault.what();
    }
  });
  Drawn drawn;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    (faults[i].empty() ? drawn.pictures : drawn.undrawn)[figures[i].name] =
        faults[i].empty() ? std::move(texts[i]) : std::move(faults[i]);
  }
  return drawn;
}

/// Takes out the experiments to which these figures belong. Throws InputError where none is left.
void leave_out_undrawn(std::vector<Experiment>& experiments,
                       const std::map<std::string, std::string>& undrawn,
                       std::vector<std::string>& faults) {
  for (const auto& [name, fault] : undrawn) {
    auto owner = experiments.end();  // the longest stem that begins the name
    for (auto one = experiments.begin(); one != experiments.end(); ++one) {
      const bool begins = (name + "_").starts_with(one->stem + "_");
      if (begins && (owner == experiments.end() || one->stem.size() > owner->stem.size())) {
        owner = one;
      }
    }
    if (owner == experiments.end()) continue;
    faults.push_back(owner->file_name + ": " + fault);
    experiments.erase(owner);
  }
  if (experiments.empty()) throw record::InputError(undrawn.begin()->second);
}

/// Sections of so many bytes together stand in REPORT.md itself.
constexpr std::size_t most_inline_bytes = 64 * 1024;

std::string anchor(const std::string& stem) { return "<a id=\"" + link_text(stem) + "\"></a>"; }

/// "## Title" of a section as the heading of a page.
std::string as_page(const std::string& body, const std::string& back) {
  const std::string start = body.starts_with("## ") ? body.substr(1) : body;
  return back + "\n\n" + start + "\n";
}

/// The body of a section with its answer in bold under the heading.
std::string with_answer(const Section& section) {
  const std::size_t end = section.body.find('\n');
  if (end == std::string::npos || section.answer.empty()) return section.body;
  return section.body.substr(0, end) + "\n\n**" + section.answer + "**" + section.body.substr(end);
}

class FileWriter {
 public:
  FileWriter(const Report& report, const Places& places, const Words& words, bool is_study)
      : report_(report), places_(places), words_(words) {
    std::size_t bytes = 0;
    for (const Section& section : report.sections) bytes += section.body.size();
    inline_ = !is_study && bytes <= most_inline_bytes;
  }

  [[nodiscard]] std::vector<TextFile> files() const {
    const std::string main = report_name(words_.language(), "md");
    std::string front = report_.front;
    for (const Section& section : report_.sections) {
      if (inline_) front += "\n" + anchor(section.stem) + "\n\n" + with_answer(section) + "\n";
    }
    std::vector<TextFile> all = {{main, with_links(front, from_main())}};
    const std::string up = inline_ ? "" : upwards();
    const Targets targets = inline_ ? from_beside() : from_page(up);
    const auto add_page = [&](const std::string& name, const std::string& text) {
      all.push_back({(inline_ ? "" : places_.pages) + name,
                     with_links(as_page(text, back_link(up + main)), targets)});
    };
    add_page(report_name(words_.language(), "method.md"), report_.method);
    if (!report_.claims.empty()) {
      add_page(report_name(words_.language(), "claims.md"), report_.claims);
    }
    if (inline_) return all;
    for (const Section& section : report_.sections) {
      add_page(section.stem + ".md", with_answer(section));
    }
    return all;
  }

 private:
  /// Links of a page, from which REPORT.md lies `up`.
  [[nodiscard]] Targets from_page(const std::string& up) const {
    return {.links = {up + places_.links.results, up + places_.links.figures,
                      places_.pages == places_.links.tables ? "" : up + places_.links.tables},
            .section = [this, up](const std::string& stem) { return link_to(stem, up, ""); }};
  }
  /// Links of a file beside REPORT.md, and of REPORT.md itself.
  [[nodiscard]] Targets from_beside() const {
    return {.links = places_.links, .section = [this](const std::string& stem) {
              return link_to(stem, "", places_.pages);
            }};
  }
  [[nodiscard]] Targets from_main() const {
    Targets targets = from_beside();
    if (!inline_) return targets;
    targets.section = [this](const std::string& anchor) {
      const bool is_page = anchor == method_anchor || anchor == claims_anchor;
      return is_page ? link_to(anchor, "", places_.pages) : "#" + link_text(anchor);
    };
    return targets;
  }

  /// The page of a section, from a file from which REPORT.md lies `up` and the pages in `pages`.
  /// Where sections stand in REPORT.md, method and claims lie beside it; else they are pages too.
  [[nodiscard]] std::string link_to(const std::string& anchor, const std::string& up,
                                    const std::string& pages) const {
    const std::string& beside = inline_ ? up : pages;
    if (anchor == method_anchor) return beside + report_name(words_.language(), "method.md");
    if (anchor == claims_anchor) return beside + report_name(words_.language(), "claims.md");
    if (inline_) return up + report_name(words_.language(), "md") + "#" + link_text(anchor);
    return pages + link_text(anchor) + ".md";
  }

  [[nodiscard]] std::string back_link(const std::string& target) const {
    return "[" + words_("link.back") + "](" + target + ")";
  }

  /// From the folder of the pages to that of REPORT.md.
  [[nodiscard]] std::string upwards() const {
    std::string up;
    for (const char character : places_.pages) up += character == '/' ? "../" : "";
    return up;
  }

  const Report& report_;
  const Places& places_;
  const Words& words_;
  bool inline_ = false;
};

/// "results/" as a folder: "results"; the report's own folder: ".".
std::string folder_of(const std::string& link) {
  return link.empty() ? "." : link.substr(0, link.size() - 1);
}

/// The heading under which the front page has the answer of this result.
std::string chapter_of(const std::vector<Chapter>& chapters, const std::string& stem) {
  for (const Chapter& chapter : chapters) {
    if (std::find(chapter.stems.begin(), chapter.stems.end(), stem) != chapter.stems.end()) {
      return chapter.title;
    }
  }
  return "";
}

}  // namespace

std::string report_name(const std::string& language, const std::string& ending) {
  std::string name = "REPORT.";
  if (language != "en") name.append(language).append(".");
  return name.append(ending);
}

ReportOutcome write_report(const ReportRequest& request) {
  Words words(request.language);
  if (request.sqlite) pages::require_place_of_database(*request.sqlite);
  std::optional<FrontText> front;
  if (request.front) front = read_front(*request.front, request.language);
  Loaded loaded = load_good(request.results);
  std::vector<Experiment> experiments = analyse_good(loaded);
  const auto whole = [&] {
    if (request.sqlite) pages::save_tables(experiments, *request.sqlite);
    Words own = words;
    std::vector<std::string> faults = loaded.faults;
    const auto judged = judge(request.claims, experiments, own, faults);
    const auto replication = replication_of(request.results, faults);
    Report report = build_report(experiments, own,
                                 {.front = front, .claims = judged, .replication = replication},
                                 std::move(faults));
    std::vector<TableFile> tables = report.csv;
    if (request.csv) add_tables(experiments, tables);
    return std::tuple(std::move(report), std::move(tables), std::move(own));
  };
  auto made = [&] {
    try {
      return whole();
    } catch (const std::exception&) {  // of one file, or of what all share: then it comes again
      leave_out_strange(experiments, words, loaded.faults);
      return whole();
    }
  }();
  const fs::path figures = in_language(request.figures, request.language);
  const fs::path pages = in_language(request.pages, request.language);
  const Places places{.links = {.results = relative_link(request.results, request.report),
                                .figures = relative_link(figures, request.report),
                                .tables = relative_link(request.pages, request.report)},
                      .pages = relative_link(pages, request.report)};
  make_folder(request.report);
  const std::size_t wanted = std::get<0>(made).figures.size();
  const bool draws = wanted == 0 || plot::can_draw();
  if (!draws) {
    loaded.faults.push_back("no figure of " + std::to_string(wanted) +
                            " is drawn, since \"gnuplot\" is not in PATH; install the package "
                            "gnuplot-nox and report again");
    made = whole();
  }
  auto drawn = draws ? draw_all(std::get<0>(made).figures, figures)
                     : none_drawn(std::get<0>(made).figures, figures);
  if (!drawn.undrawn.empty()) {
    leave_out_undrawn(experiments, drawn.undrawn, loaded.faults);
    made = whole();
    drawn = draw_all(std::get<0>(made).figures, figures);
    if (!drawn.undrawn.empty()) throw record::InputError(drawn.undrawn.begin()->second);
  }
  const std::map<std::string, std::string>& pictures = drawn.pictures;
  Report& report = std::get<0>(made);
  const std::vector<TableFile>& tables = std::get<1>(made);
  words = std::move(std::get<2>(made));
  write_tables(report.csv, request.pages);
  if (request.csv) write_tables(tables, *request.csv);
  const fs::path page = request.report / report_name(request.language, "html");
  record::write_atomically(page, report_page(report, pictures, request.language, places));
  const std::vector<TextFile> files = report_files(report, places, words, front.has_value());
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    const fs::path path = request.report / file->name;
    make_folder(path.parent_path());
    record::write_atomically(path, file->text);
  }
  return {.report_file = request.report / files.front().name,
          .page_file = page,
          .figures_folder = figures,
          .figures = draws ? report.figures.size() : 0,
          .csv_files = request.csv ? tables.size() : 0,
          .faults = report.faults};
}

std::vector<TextFile> report_files(const Report& report, const Places& places, const Words& words,
                                   bool is_study) {
  return FileWriter(report, places, words, is_study).files();
}

std::string report_page(const Report& report, const std::map<std::string, std::string>& pictures,
                        const std::string& language, const Places& places) {
  const Targets targets{.links = places.links,
                        .section = [](const std::string& stem) { return "#" + link_text(stem); }};
  html::Pictures by_link;
  for (const auto& [name, svg] : pictures) {
    by_link[places.links.figures + link_text(name) + ".svg"] = svg;
  }
  html::PageSource source;
  source.pictures = std::move(by_link);
  source.results_folder = folder_of(places.links.results);
  std::string markdown = report.front;
  const auto add = [&](std::string_view anchor, const std::string& body, const std::string& answer,
                       const std::string& chapter) {
    const std::string id = link_text(std::string(anchor));
    markdown += "\n<a id=\"" + id + "\"></a>\n\n" + body + "\n";
    source.answers[id] = {.markdown = with_links(answer, targets), .chapter = chapter};
  };
  if (!report.claims.empty()) add(claims_anchor, report.claims, report.claims_answer, "");
  for (const Section& section : report.sections) {
    add(section.stem, section.body, section.answer, chapter_of(report.chapters, section.stem));
  }
  markdown += "\n<a id=\"" + std::string(method_anchor) + "\"></a>\n\n" + report.method;
  markdown = with_links(markdown, targets);
  source.markdown = markdown;
  const std::string file = report_name(language, "md");
  source.report_link = "[" + markdown_escaped(file) + "](" + file + ")";
  return html::page(source, language);
}

}  // namespace bloomlab::analysis
