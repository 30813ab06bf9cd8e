#include "analysis/kinds/speed_tables.hpp"

#include <array>
#include <string_view>

#include "analysis/data/axes.hpp"
#include "core/hash/speed_hash.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis {

namespace {

using Rows = std::vector<const SpeedRow*>;

Entry time_entry(const SpeedRow& row, const std::string& name) {
  const auto found = row.times.find(name);
  if (found == row.times.end()) return no_entry();
  const SpeedTime& time = found->second;
  if (time.process_runs.size() < 2) return number_entry(time.value);
  return interval_entry(time.value, time.interval.low, time.interval.high);
}

Entry ratio_entry(const SpeedTime& ratio) {
  if (ratio.process_runs.empty()) return no_entry();
  return {fixed(ratio.value, 2) + " [" + fixed(ratio.interval.low, 2) + ", " +
              fixed(ratio.interval.high, 2) + "]",
          ratio.value};
}

Entry limit_entry(const SpeedRun& run, const SpeedRow& row, const std::string& name) {
  const SpeedRow* const limit = counterpart(run, row, "limit");
  if (limit == nullptr || limit == &row) return no_entry();
  return ratio_entry(time_ratio(row, *limit, name));
}

/// How many times as fast as one thread several have built.
Entry speedup_entry(const SpeedRun& run, const SpeedRow& row) {
  const SpeedRow* const alone = one_thread_row(run, row);
  if (alone == nullptr || alone == &row) return no_entry();
  return ratio_entry(time_ratio(*alone, row, "build"));
}

Entry known_number(double value, int digits) {
  return value == value ? number_entry(value, digits) : no_entry();
}

Entry huge_share_entry(const SpeedRow& row) {
  return row.huge_share == row.huge_share ? percent_entry(row.huge_share) : no_entry();
}

/// Rate, closed form and the deviation that the row would have noticed; marked where they disagree.
std::vector<Entry> rate_entries(const SpeedRow& row) {
  if (!row.rate) return {no_entry(), no_entry(), no_entry()};
  Entry measured = interval_entry(row.rate->value, row.rate->interval.low, row.rate->interval.high);
  measured.marked = row.rate->disagrees();
  Entry detectable = row.rate->detectable == row.rate->detectable
                         ? percent_entry(row.rate->detectable)
                         : no_entry();
  return {std::move(measured), number_entry(row.rate->expected, 4), std::move(detectable)};
}

void add_rate_columns(Table& table, const Words& words) {
  table.columns.push_back({"rate", words("speed.rate")});
  table.columns.push_back({"theory", words("speed.theory")});
  table.columns.push_back({"detectable", words("speed.detectable")});
}

/// A regime as the cells have it, its table and the caption of that.
struct RegimeTable {
  const char* regime;
  const char* name;
  const char* caption;
};
constexpr std::array<RegimeTable, 3> regime_tables = {
    {{"batched", "speed_batched", "speed.batched.caption"},
     {"dependent", "speed_dependent", "speed.dependent.caption"},
     {"cold", "speed_cold", "speed.cold.caption"}}};

Table lookup_table(const SpeedRun& run, const Rows& rows, const RegimeTable& regime,
                   const Words& words) {
  Table table{
      .name = regime.name,
      .caption = words(regime.caption),
      .columns = {{"implementation", words("speed.implementation")},
                  {"n", "n", "keys"},
                  {"bits_per_key", words("speed.bits_per_key"), "bits"},
                  {"conditions", words("speed.conditions")},
                  {"insert", words("speed.insert"), "ns"},
                  {"negative", words("speed.negative"), "ns"},
                  {"mixed", words("speed.mixed"), "ns"},
                  {"positive", words("speed.positive"), "ns"},
                  {"dry", words("speed.dry"), "ns"},
                  {"insert_over_limit", words("speed.insert_over_limit")},
                  {"negative_over_limit", words("speed.negative_over_limit")},
                  {"positive_over_limit", words("speed.positive_over_limit")},
                  {"keys_per_second", words("speed.keys_per_second"), "1/s", Shown::csv_only},
                  {"bytes_per_key", words("speed.bytes_per_key"), "bytes"},
                  {"huge_share", words("speed.huge_share")}},
      .rows = {}};
  add_rate_columns(table, words);
  for (const SpeedRow* row : rows) {
    std::vector<Entry> entries = {
        word_entry(row->implementation()), count_entry(row->cell.at("n").get<std::uint64_t>()),
        number_entry(row->cell.at("bits_per_key").get<double>(), 4),
        word_entry(row->available ? speed_conditions(*row, words) : words("speed.unavailable"))};
    for (const char* name : {"insert", "negative", "mixed", "positive", "dry"}) {
      entries.push_back(time_entry(*row, name));
    }
    for (const char* name : {"insert", "negative", "positive"}) {
      entries.push_back(limit_entry(run, *row, name));
    }
    entries.push_back(known_number(1e9 / row->time("negative"), 6));
    entries.push_back(known_number(row->bytes_per_key, 3));
    entries.push_back(huge_share_entry(*row));
    for (Entry& entry : rate_entries(*row)) entries.push_back(std::move(entry));
    table.rows.push_back(std::move(entries));
  }
  return table;
}

/// Threads and the limit have columns where the file has rows of that sort.
Table building_table(const SpeedRun& run, const Rows& rows, const Words& words) {
  const bool by_threads = std::any_of(rows.begin(), rows.end(),
                                      [](const SpeedRow* row) { return threads_of(*row) > 1; });
  const bool with_limit = std::any_of(rows.begin(), rows.end(), [](const SpeedRow* row) {
    return row->implementation() == "limit";
  });
  Table table{.name = "speed_building",
              .caption = words("speed.building.caption"),
              .columns = {{"implementation", words("speed.implementation")},
                          {"n", "n", "keys"},
                          {"bits_per_key", words("speed.bits_per_key"), "bits"},
                          {"conditions", words("speed.conditions")},
                          {"build", words("speed.build"), "ns"}},
              .rows = {}};
  if (by_threads) table.columns.push_back({"speedup", words("speed.speedup")});
  if (with_limit) table.columns.push_back({"build_over_limit", words("speed.build_over_limit")});
  table.columns.push_back({"bytes_per_key", words("speed.bytes_per_key"), "bytes"});
  add_rate_columns(table, words);
  for (const SpeedRow* row : rows) {
    std::vector<Entry> entries = {
        word_entry(row->implementation()), count_entry(row->cell.at("n").get<std::uint64_t>()),
        number_entry(row->cell.at("bits_per_key").get<double>(), 4),
        word_entry(row->available ? speed_conditions(*row, words) : words("speed.unavailable")),
        time_entry(*row, "build")};
    if (by_threads) entries.push_back(speedup_entry(run, *row));
    if (with_limit) entries.push_back(limit_entry(run, *row, "build"));
    entries.push_back(known_number(row->bytes_per_key, 3));
    for (Entry& entry : rate_entries(*row)) entries.push_back(std::move(entry));
    table.rows.push_back(std::move(entries));
  }
  return table;
}

Table deduplication_table(const SpeedRun& run, const Rows& rows, const Words& words) {
  Table table{.name = "speed_deduplication",
              .caption = words("speed.deduplication.caption"),
              .columns = {{"implementation", words("speed.implementation")},
                          {"n", "n", "keys"},
                          {"fpr", words("speed.target_rate")},
                          {"repeated", words("speed.repeated")},
                          {"conditions", words("speed.conditions")},
                          {"dry", words("speed.make_keys"), "ns"},
                          {"hash", words("speed.make_and_hash"), "ns"},
                          {"deduplicate", words("speed.deduplicate"), "ns"},
                          {"net", words("speed.deduplicate_net"), "ns"},
                          {"net_over_limit", words("speed.net_over_limit")},
                          {"bytes_per_key", words("speed.bytes_per_key"), "bytes"},
                          {"huge_share", words("speed.huge_share")},
                          {"lost", words("speed.lost"), "keys"}},
              .rows = {}};
  add_rate_columns(table, words);
  for (const SpeedRow* row : rows) {
    std::vector<Entry> entries = {
        word_entry(row->implementation()), count_entry(row->cell.at("n").get<std::uint64_t>()),
        number_entry(row->cell.at("fpr").get<double>(), 4),
        percent_entry(row->cell.at("repeated").get<double>()),
        word_entry(row->available ? speed_conditions(*row, words) : words("speed.unavailable"))};
    for (const char* name : {"dry", "hash", "deduplicate", "deduplicate_net"}) {
      entries.push_back(time_entry(*row, name));
    }
    entries.push_back(limit_entry(run, *row, "deduplicate_net"));
    entries.push_back(known_number(row->bytes_per_key, 3));
    entries.push_back(huge_share_entry(*row));
    entries.push_back(row->rate ? count_entry(row->rate->hits) : no_entry());
    for (Entry& entry : rate_entries(*row)) entries.push_back(std::move(entry));
    table.rows.push_back(std::move(entries));
  }
  return table;
}

Table hash_table(const Rows& rows, const Words& words) {
  Table table{.name = "speed_hashes",
              .caption = words("speed.hashes.caption"),
              .columns = {{"hash", "hash"},
                          {"key_length", words("speed.key_length"), "bytes"},
                          {"words", words("speed.words")},
                          {"hash_ns", words("speed.hash"), "ns"},
                          {"read_ns", words("speed.read"), "ns"}},
              .rows = {}};
  for (const SpeedRow* row : rows) {
    table.rows.push_back({word_entry(word_at(row->cell, "/hash")),
                          word_entry(word_at(row->cell, "/key_length")),
                          count_entry(row->cell.at("words").get<std::uint64_t>()),
                          time_entry(*row, "hash"), time_entry(*row, "read")});
  }
  return table;
}

}  // namespace

std::string speed_conditions(const SpeedRow& row, const Words& words) {
  std::vector<std::string> texts;
  const std::string length = word_at(row.cell, "/key_length");
  if (!length.empty() && length != "8") {
    texts.push_back(words(length == "mixed" ? "speed.mixed_keys" : "speed.long_keys",
                          length == "mixed" ? Tags{} : Tags{{"bytes", length}}));
  }
  if (threads_of(row) > 1) {
    texts.push_back(words("speed.threads", {{"threads", value_text(row.cell.at("threads"))}}));
  }
  if (row.cell.value("rotation", 1.0) > 1) {
    texts.push_back(words("speed.rotation", {{"filters", value_text(row.cell.at("rotation"))}}));
  }
  if (row.cell.contains("lookahead")) {
    texts.push_back(words("speed.lookahead", {{"keys", value_text(row.cell.at("lookahead"))}}));
  }
  if (word_at(row.cell, "/pages") == "small") texts.push_back(words("speed.small_pages"));
  if (const std::string hash = word_at(row.cell, "/hash"); hash != speed_hash) {
    texts.push_back(hash);
  }
  std::string text;
  for (const std::string& part : texts) text.append(text.empty() ? "" : ", ").append(part);
  return text;
}

std::vector<Table> speed_tables(const SpeedRun& run, const Words& words) {
  Rows hashes;
  Rows building;
  Rows streams;
  std::map<std::string, Rows> lookups;
  for (const SpeedRow& row : run.rows) {
    if (!row.cell.contains("implementation")) {
      hashes.push_back(&row);
    } else if (row.cell.contains("repeated")) {
      streams.push_back(&row);
    } else if (!row.cell.contains("regime")) {
      building.push_back(&row);
    } else {
      lookups[word_at(row.cell, "/regime")].push_back(&row);
    }
  }
  std::vector<Table> tables;
  for (const RegimeTable& regime : regime_tables) {
    if (const auto rows = lookups.find(regime.regime); rows != lookups.end()) {
      tables.push_back(lookup_table(run, rows->second, regime, words));
    }
  }
  if (!building.empty()) tables.push_back(building_table(run, building, words));
  if (!streams.empty()) tables.push_back(deduplication_table(run, streams, words));
  if (!hashes.empty()) tables.push_back(hash_table(hashes, words));
  return tables;
}

}  // namespace bloomlab::analysis
