#include "cli/inspect/together.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>

#include "cli/terminal.hpp"
#include "formats/foreign_filter.hpp"
#include "planner/units.hpp"
#include "record/atomic_file.hpp"
#include "record/fields_json.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::cli {
namespace {

using formats::Inspection;
using record::Json;
using record::object;

constexpr const char* raw_bits_are_unknown = "raw bits do not tell whether their hash is the same";

/// The end of a text, which of a name tells more than its beginning, in at most so many bytes.
std::string end_of(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t begin = text.size() - (most - 3);
  while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0U) == 0x80U) ++begin;
  return "..." + text.substr(begin);
}

/// At most 34 bytes of a file's name and of the place in it.
std::string short_name_of(const std::string& file, const std::string& place) {
  return place.empty() ? end_of(file, 34) : end_of(file, 14) + " " + end_of(place, 19);
}

std::vector<NamedFilter> named_filters(const std::vector<InspectedFile>& files) {
  std::vector<NamedFilter> all;
  for (const InspectedFile& file : files) {
    for (const Inspection& one : file.filters) {
      const std::string path = one_line(file.path);
      const std::string place = one_line(one.place);
      all.push_back({path + (place.empty() ? "" : ", " + place), short_name_of(path, place), &one});
    }
  }
  return all;
}

/// Why filters cannot be merged, by what their headers say.
std::vector<std::string> reasons_apart(const std::vector<NamedFilter>& filters) {
  const NamedFilter& first = filters.front();
  if (first.told->format == "raw") return {raw_bits_are_unknown};
  const NamedFilter* smallest = &first;  // of its kind
  std::vector<std::string> apart;
  for (const NamedFilter& one : filters) {
    const std::string others = formats::differences(*first.told, *one.told);
    if (one.told->same_kind.empty()) {
      apart.push_back("that of " + one.name + " cannot be merged");
    } else if (!others.empty()) {
      apart.push_back(first.name + " and " + one.name + " differ in " + others);
    } else if (one.told->m < smallest->told->m) {
      smallest = &one;
    }
  }
  const std::uint64_t least = smallest->told->m;
  for (const NamedFilter& one : filters) {
    const std::uint64_t m = one.told->m;
    if (m == least || one.told->same_kind.empty() || (one.told->folds && m % least == 0) ||
        !formats::differences(*first.told, *one.told).empty()) {
      continue;
    }
    apart.push_back(smallest->name + " and " + one.name + " differ in m (" + std::to_string(least) +
                    ", " + std::to_string(m) +
                    (one.told->folds ? ", no multiple of it)" : ", and are not folded)"));
  }
  return apart;
}

/// Reads all filters again, and joins them. Throws FormatError and InputError.
formats::Joined read_joined(const std::vector<InspectedFile>& files, const std::string& format,
                            const Together& together) {
  formats::Joined joined(together.m);
  for (const InspectedFile& file : files) {
    const auto add = [&](const FileBytes& bytes) {
      formats::for_each_filter(bytes.bytes(), format,
                               [&](const formats::OpenFilter& filter) { joined.add(filter); });
    };
    try {
      if (file.kept) {
        add(*file.kept);
      } else if (FileBytes::is_read_again(file.path)) {
        add(FileBytes(file.path));
      } else {
        throw FormatError("pipes of more than 1 GiB in all are not merged; save them to files");
      }
    } catch (const FormatError& error) {
      throw FormatError(file.path + ": " + error.what());
    }
  }
  if (joined.count() == together.filters.size()) return joined;
  throw FormatError("files were changed while they were read");
}

/// The union and the intersection, or the reason why they are not there.
void add_joined(const std::vector<InspectedFile>& files, const std::string& format,
                std::optional<double> p, Together& together) {
  try {
    formats::Joined joined = read_joined(files, format, together);
    Inspection merged = joined.merged().told(p);
    together.common = joined.common().told(std::nullopt);
    together.merged = std::move(merged);
    together.joined = std::move(joined);
  } catch (const FormatError& error) {
    together.apart.push_back(one_line(error.what()));
  } catch (const record::InputError& error) {
    together.apart.push_back(one_line(error.what()));
  } catch (const std::bad_alloc&) {
    together.apart.push_back("there is no memory for two filters of " +
                             planner::iec_text(together.m, 4));
  }
}

/// How many absent keys are reported where the filters are looked up in turn.
void add_in_turn(Together& together) {
  std::vector<double> rates;
  for (const NamedFilter& one : together.filters) {
    if (!one.told->has_bits) return;
    rates.push_back(std::min(1.0, one.told->rate));
  }
  together.any = formats::any_reports(rates);
  together.all = formats::all_report(rates);
  if (!together.common || together.folded != 0) return;
  together.all = std::min(1.0, together.common->rate);
  together.all_is_exact = true;
  if (rates.size() != 2) return;
  together.any = std::clamp(rates[0] + rates[1] - *together.all, std::max(rates[0], rates[1]), 1.0);
  together.any_is_exact = true;
}

/// The first of some lines, and how many more there are.
std::string first_lines(const std::vector<std::string>& lines, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) text += lines[i] + "\n";
  if (lines.size() > most) {
    text += "and " + planner::spaced(lines.size() - most) + " more such lines; --each shows all\n";
  }
  return text;
}

std::string faults_text(const std::vector<NamedFilter>& filters) {
  constexpr std::size_t most_faults = 2;
  std::vector<std::string> lines;
  for (const NamedFilter& one : filters) {
    for (const std::string& fault : one.told->faults) {
      lines.push_back(one_line("fault: " + one.short_name + ": " + fault));
    }
  }
  return first_lines(lines, most_faults);
}

/// @param note what a number stands on that is not of these very bits
std::string reported_text(const char* label, double rate, const std::string& note) {
  constexpr double rare = 1e-9;
  return label + percent(rate, 4) + " of absent keys" +
         (rate > rare ? ", " + planner::one_in_text(rate) : "") + note + "\n";
}

std::string in_turn_text(const Together& together) {
  const auto repeated = together.joined ? together.joined->repeated() : std::nullopt;
  const bool share = repeated && repeated->low > 0.0;
  const auto note = [&](bool exact, const char* than) -> std::string {
    if (exact) return "";
    return share ? std::string(", ") + than + " as the filters share keys"
                 : ", if the filters' bits are independent";
  };
  return reported_text("  by any      ", *together.any, note(together.any_is_exact, "or fewer,")) +
         reported_text("  by all      ", *together.all, note(together.all_is_exact, "or more,"));
}

std::string repeated_text(const Together& together) {
  const auto repeated = together.joined->repeated();
  if (!repeated) return "";
  const std::string about = "about " + rounded_text(repeated->keys);
  return (together.filters.size() == 2
              ? "  in both     " + about + " keys"
              : "  repeated    " + about + ": the filters' keys less the union's") +
         interval_text(*repeated) + "\n";
}

std::string union_text(const Together& together) {
  const Inspection& all = *together.merged;
  std::string text = one_line("merge: yes, all are " + all.same_kind) + "\n";
  if (together.folded != 0) {
    text += "  folded      " + planner::spaced(together.folded) + " of " +
            planner::spaced(together.filters.size()) + ", to the size of the smallest\n";
  }
  text += "  union       fill " + percent(all.fill, 4) + ", " + planner::spaced(all.bits_set) +
          " bits set; rate now " + percent(all.rate, 4) +
          (all.rate > 0.0 ? ", " + planner::one_in_text(all.rate) : "") + "\n";
  if (all.keys) {
    text += "  its keys    about " + rounded_text(all.keys->keys) + " distinct" +
            interval_text(*all.keys) + "\n";
  }
  if (all.keys_left && all.goal) {
    text += "  keys left   " + planner::spaced(*all.keys_left) + " of " +
            planner::spaced(*all.capacity) + " until " + percent(*all.goal, 3) + "\n";
  }
  return text + repeated_text(together) + "  and         fill " +
         percent(together.common->fill, 4) + ", rate " + percent(together.common->rate, 4) +
         "; never smaller than the filter of the common keys\n";
}

}  // namespace

std::optional<Together> together_of(const std::vector<InspectedFile>& files,
                                    const std::string& format, std::optional<double> p) {
  Together together{.filters = named_filters(files)};
  if (together.filters.size() < 2) return std::nullopt;
  for (const InspectedFile& file : files) {
    if (file.filters.empty()) together.apart.push_back(one_line(file.path + " gave no filter"));
  }
  const auto size = [](const NamedFilter& one) { return one.told->m; };
  together.m = std::ranges::min(together.filters, {}, size).told->m;
  for (const std::string& reason : reasons_apart(together.filters)) {
    together.apart.push_back(reason);
  }
  if (together.apart.empty()) {
    together.folded = static_cast<std::uint64_t>(std::ranges::count_if(
        together.filters, [&](const NamedFilter& one) { return size(one) != together.m; }));
    add_joined(files, format, p, together);
  }
  add_in_turn(together);
  return together;
}

Json keys_json(const std::optional<KeyEstimate>& keys) {
  if (!keys) return nullptr;
  return object("estimate", keys->keys, "low", keys->low, "high", keys->high);
}

Json together_json(const Together& together) {
  Json merged = nullptr;
  Json common = nullptr;
  Json repeated = nullptr;
  if (together.merged) {
    const Inspection& all = *together.merged;
    merged = object("kind", record::made_visible(all.same_kind), "m", all.m, "k", all.k, "bits_set",
                    all.bits_set, "fill", all.fill, "rate", all.rate, "keys", keys_json(all.keys),
                    "goal", all.goal, "capacity", all.capacity, "keys_left", all.keys_left);
    common = object("bits_set", together.common->bits_set, "fill", together.common->fill, "rate",
                    together.common->rate);
    repeated = keys_json(together.joined->repeated());
  }
  Json apart = Json::array();
  for (const std::string& reason : together.apart) {
    apart.push_back(record::made_visible(reason));
  }
  return object("filters", together.filters.size(), "merge", together.merged.has_value(), "apart",
                apart, "folded", together.folded, "union", merged, "intersection", common,
                "repeated_keys", repeated, "any_reports", together.any, "any_is_exact",
                together.any_is_exact, "all_report", together.all, "all_is_exact",
                together.all_is_exact);
}

std::string rounded_text(double keys) {
  return planner::spaced(static_cast<std::uint64_t>(std::llround(keys)));
}

std::string interval_text(const KeyEstimate& keys) {
  return ", 95 % confidence interval " + rounded_text(keys.low) + " to " + rounded_text(keys.high);
}

std::string rows_text(const Together& together) {
  constexpr std::size_t most_rows = 7;
  const std::size_t shown_rows = std::min(together.filters.size(), most_rows);
  std::vector<std::vector<std::string>> rows{
      {"filter", "format", "m", "k", "fill", "rate now", "keys"}};
  for (const NamedFilter& filter : std::span(together.filters).first(shown_rows)) {
    const Inspection& one = *filter.told;
    rows.push_back(
        {filter.short_name, one.format, planner::spaced(one.m),
         one.k != 0 ? std::to_string(one.k) : "–", one.has_bits ? percent(one.fill, 4) : "–",
         one.has_bits ? percent(one.rate, 4) : "–", one.keys ? rounded_text(one.keys->keys) : "–"});
  }
  std::string text = aligned(rows);
  if (together.filters.size() > most_rows) {
    text += "and " + planner::spaced(together.filters.size() - most_rows) +
            " more; --each shows every filter whole\n";
  }
  return text + faults_text(together.filters);
}

std::string together_text(const Together& together, std::size_t most_reasons) {
  std::string text;
  if (together.merged) {
    text = union_text(together);
  } else if (together.apart.front() == raw_bits_are_unknown) {
    text = std::string("merge: ") + raw_bits_are_unknown + "\n";
  } else {
    std::vector<std::string> lines;
    for (const std::string& reason : together.apart) {
      lines.push_back(one_line("merge: no, " + reason));
    }
    text = first_lines(lines, most_reasons);
  }
  return together.any ? text + in_turn_text(together) : text;
}

void check_target(const SaveTarget& target, const std::vector<std::string>& files) {
  std::error_code none;
  const auto status = std::filesystem::status(target.path, none);
  if (target.path.empty() || target.path == "-" ||
      (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) {
    throw record::InputError(target.option + ": \"" + target.path +
                             "\" is no file that can be written; name a file");
  }
  for (const std::string& path : files) {
    if (path != "-" && std::filesystem::equivalent(path, target.path, none)) {
      throw record::InputError(target.option + ": " + target.path + " is " + target.inputs +
                               "; name another file");
    }
  }
}

void save_bytes(const SaveTarget& target, std::span<const std::byte> bytes) {
  if (!target.force && std::filesystem::exists(target.path)) {
    const FileBytes there(target.path);
    if (std::ranges::equal(there.bytes(), bytes)) return;
    throw record::InputError(target.option + ": " + target.path +
                             " is there and is another file; add --force to replace it");
  }
  record::write_atomically(target.path,
                           {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void save_together(const SaveTarget& target, const std::optional<Together>& together) {
  const std::string none = "--write: nothing is written: ";
  if (!together) throw record::InputError(none + "two filters or more are needed");
  if (!together->merged) throw record::InputError(none + together->apart.front());
  if (!formats::is_written(together->merged->format)) {
    std::string names = "bloomlab";
    for (const std::string_view name : formats::written_formats()) names.append(", ").append(name);
    throw record::InputError(none + "filters of " + together->merged->format +
                             " are only read; written are " + names);
  }
  const formats::Joined& joined = *together->joined;
  const std::vector<std::byte> bytes =
      (target.intersection ? joined.common() : joined.merged()).bytes();
  save_bytes(target, bytes);
}

}  // namespace bloomlab::cli
