#include "experiments/engine/run_options.hpp"

#include <algorithm>
#include <iterator>

#include "record/atomic_file.hpp"
#include "record/input_error.hpp"
#include "record/shards.hpp"

namespace bloomlab::experiments {
namespace {

namespace fs = std::filesystem;

void check_shard(const Config& config, const RunOptions& options) {
  const std::string where = config.path.string() + ": ";
  const auto [index, count] = *options.shard;
  const std::string shard = "--shard " + std::to_string(index) + "/" + std::to_string(count);
  if (count == 0 || index == 0 || index > count) {
    throw record::InputError(where + shard + ": expected I/N with 1 <= I <= N");
  }
  if (options.only) {
    throw record::InputError(where +
                             "--only and --shard: a shard is complete or it cannot be merged; give "
                             "one of them");
  }
}

std::string result_name(const Config& config, const RunOptions& options) {
  if (!options.shard) return config.stem() + ".json";
  return record::file_name({config.stem(), options.shard->index, options.shard->count});
}

}  // namespace

void check_options(const Config& config, const RunOptions& options) {
  record::require_writable_folder(options.out, "--out");
  if (options.shard) check_shard(config, options);
}

fs::path result_of(const Config& config, const RunOptions& options) {
  fs::path path = options.out / result_name(config, options);
  const std::size_t name_bytes = path.filename().string().size();
  if (name_bytes > record::max_name_bytes) {
    throw record::InputError(config.path.string() + ": the name of its result has " +
                             std::to_string(name_bytes) + " bytes; at most " +
                             std::to_string(record::max_name_bytes) +
                             " can be written; rename the config");
  }
  std::error_code missing;
  if (fs::equivalent(path, config.path, missing)) {
    throw record::InputError(config.path.string() +
                             ": its result would be written over it; use another --out than the "
                             "config's own folder");
  }
  if (fs::exists(path, missing) && !fs::is_regular_file(path, missing)) {
    throw record::InputError(path.string() +
                             ": is no regular file, and the result would go there; remove it, or "
                             "use another --out");
  }
  return path;
}

fs::path journal_of(const Config& config, const RunOptions& options) {
  return options.out / ".partial" /
         fs::path(result_name(config, options)).replace_extension(".jsonl");
}

std::vector<const Cell*> cells_of_file(const Config& config, const std::optional<Shard>& shard) {
  std::vector<const Cell*> cells;
  for (const Cell& cell : config.cells) {
    if (!shard || cell.number % shard->count == shard->index - 1) cells.push_back(&cell);
  }
  return cells;
}

std::vector<const Cell*> selected_cells(const Config& config, const std::vector<const Cell*>& cells,
                                        const std::optional<std::string>& only) {
  if (!only) return cells;
  std::vector<const Cell*> selected;
  std::ranges::copy_if(cells, std::back_inserter(selected), [&](const Cell* cell) {
    return cell->text().find(*only) != std::string::npos;
  });
  if (selected.empty()) {
    throw record::InputError(config.path.string() + ": --only '" + *only + "': no cell of " +
                             std::to_string(cells.size()) +
                             " contains this text; a cell reads like " + cells.front()->text());
  }
  return selected;
}

}  // namespace bloomlab::experiments
