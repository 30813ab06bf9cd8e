#include "cli/max_memory.hpp"

#include "planner/units.hpp"

namespace bloomlab::cli {

void add_max_memory(CLI::App& parser, std::optional<std::string>& text) {
  parser.add_option("--max-memory", text,
                    "Take no more memory than this, with its unit: 2GiB; default: what the machine "
                    "has available and the limits of control group and process leave");
}

std::optional<std::uint64_t> max_memory_bytes(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return planner::parse_memory("--max-memory", *text) / 8;
}

}  // namespace bloomlab::cli
