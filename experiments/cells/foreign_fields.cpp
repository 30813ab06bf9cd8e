#include "experiments/cells/foreign_fields.hpp"

#include <sstream>
#include <utility>

namespace bloomlab::experiments {
namespace {

foreign::Target within(const ForeignLimitFields& limits, const std::filesystem::path& folder) {
  foreign::Target target;
  target.folder = folder.empty() ? "." : folder;
  target.limits = {.seconds = limits.seconds, .memory_mib = limits.memory_mib};
  return target;
}

}  // namespace

foreign::Target target_of(const ForeignLibraryFields::Parameters& p,
                          const std::filesystem::path& folder) {
  foreign::Target target = within(p, folder);
  target.library = p.path;
  return target;
}

foreign::Target target_of(const ForeignCommandFields::Parameters& p,
                          const std::filesystem::path& folder) {
  foreign::Target target = within(p, folder);
  std::istringstream words(p.line);
  for (std::string word; words >> word;) target.command.push_back(std::move(word));
  return target;
}

}  // namespace bloomlab::experiments
