#include "record/shards.hpp"

#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "record/input_error.hpp"
#include "record/sha256.hpp"

namespace bloomlab::record {
namespace {

constexpr std::string_view shard_mark = ".shard-";
constexpr std::string_view of_mark = "-of-";
constexpr std::string_view extension = ".json";

/// A positive integer without sign, space or leading zero.
std::optional<std::uint64_t> positive(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value == 0 || text.front() == '0') return std::nullopt;
  return value;
}

/// How many cells a shard has, counting those that follow each other.
std::size_t cells_in(const ResultFile& file) {
  std::size_t cells = 0;
  file.observations.for_each_cell([&](const auto& /*rows*/) { ++cells; });
  return cells;
}

/// A shard's cells, one after the other.
class Cells {
 public:
  explicit Cells(const ResultFile& file)
      : at_(file.observations.begin()), end_(file.observations.end()) {}

  [[nodiscard]] bool empty() const { return at_ == end_; }
  std::vector<Observation> next() {
    std::vector<Observation> rows;
    for (; at_ != end_ && (rows.empty() || rows.front().cell == at_->cell); ++at_) {
      rows.push_back(*at_);
    }
    return rows;
  }

 private:
  Observations::Iterator at_;
  Observations::Iterator end_;
};

void require_same_run(std::span<const ResultFile> shards, const std::string& where) {
  const auto commit = [](const ResultFile& file) {
    return file.provenance.value("commit", Json());
  };
  for (std::size_t i = 1; i < shards.size(); ++i) {
    const std::string pair = where + ": shards 1 and " + std::to_string(i + 1);
    if (shards[i].config != shards[0].config) {
      throw RunError(pair + " were made from different configs; run the shards again");
    }
    if (commit(shards[i]) != commit(shards[0])) {
      throw RunError(pair + " were made by different commits, " + commit(shards[0]).dump() +
                     " and " + commit(shards[i]).dump() + "; run the shards again");
    }
  }
}

Json joint_provenance(std::span<const ResultFile> shards) {
  Json provenance = shards[0].provenance;
  provenance["shards"] = Json::array();
  for (const ResultFile& shard : shards) provenance["shards"].push_back(shard.provenance);
  return provenance;
}

}  // namespace

std::optional<ShardName> shard_name(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  const std::size_t shard = name.rfind(shard_mark);
  if (shard == std::string::npos || shard == 0 || !name.ends_with(extension)) return std::nullopt;
  const std::size_t first = shard + shard_mark.size();
  const std::string_view numbers =
      std::string_view(name).substr(first, name.size() - first - extension.size());
  const std::size_t of = numbers.find(of_mark);
  if (of == std::string_view::npos) return std::nullopt;
  const auto index = positive(numbers.substr(0, of));
  const auto count = positive(numbers.substr(of + of_mark.size()));
  if (!index || !count || *index > *count) return std::nullopt;
  return ShardName{name.substr(0, shard), *index, *count};
}

std::string file_name(const ShardName& shard) {
  return shard.stem + std::string(shard_mark) + std::to_string(shard.index) + std::string(of_mark) +
         std::to_string(shard.count) + std::string(extension);
}

std::string missing_shards(std::uint64_t count, const std::vector<std::uint64_t>& present) {
  constexpr std::uint64_t most_named = 10;
  const std::set<std::uint64_t> known(present.begin(), present.end());
  std::string missing;
  std::uint64_t named = 0;
  for (std::uint64_t index = 1; index <= count && named < most_named; ++index) {
    if (known.contains(index)) continue;
    missing += (missing.empty() ? "" : ", ") + std::to_string(index) + "/" + std::to_string(count);
    ++named;
  }
  const std::uint64_t more = count - known.size() - named;
  return more == 0 ? missing : missing + " and " + std::to_string(more) + " more";
}

void require_own_name(const ResultFile& file, const std::filesystem::path& path) {
  const auto name = shard_name(path);
  if (!name || !file.provenance.contains("shard")) return;
  const Json& own = file.provenance.at("shard");
  if (own == Json{{"index", name->index}, {"count", name->count}}) return;
  const std::string place = std::to_string(name->index) + "/" + std::to_string(name->count);
  throw InputError(path.string() + ": /provenance/shard: found " + own.dump() +
                   ", and by its name the file is shard " + place +
                   "; give it back its own name, or run the config with --shard " + place);
}

ResultFile merge_shards(std::span<const ResultFile> shards, const std::string& where) {
  if (shards.empty()) throw RunError(where + ": there is no shard to merge");
  require_same_run(shards, where);
  std::vector<Cells> cells;
  std::size_t total = 0;
  for (const ResultFile& shard : shards) {
    cells.emplace_back(shard);
    total += cells_in(shard);
  }
  std::map<Sha256, std::size_t> seen;  // cell, shard
  ResultFile whole{shards[0].config, joint_provenance(shards), {}, shards[0].pages};
  for (std::size_t cell = 0; cell < total; ++cell) {
    const std::size_t shard = cell % shards.size();
    if (cells[shard].empty()) {
      throw RunError(where + ": shard " + std::to_string(shard + 1) + " of " +
                     std::to_string(shards.size()) + " has " +
                     std::to_string(cells_in(shards[shard])) + " cells, which is too few among " +
                     std::to_string(total) + "; run it again");
    }
    const std::vector<Observation> rows = cells[shard].next();
    const std::string text = rows.front().cell.dump();
    const auto [same, is_new] = seen.try_emplace(sha256(text), shard);
    if (!is_new) {
      throw RunError(where + ": cell " + text + " is in shard " + std::to_string(same->second + 1) +
                     " and in shard " + std::to_string(shard + 1) + "; run the shards again");
    }
    for (const Observation& row : rows) whole.observations.push_back(row);
  }
  return whole;
}

}  // namespace bloomlab::record
