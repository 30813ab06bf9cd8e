#include "foreign/guard_program.hpp"

#include <system_error>

#include "foreign/failure.hpp"

namespace bloomlab::foreign {

std::filesystem::path guard_program() {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& place :
       {folder, folder.parent_path(), folder.parent_path() / "libexec" / "bloomlab"}) {
    if (fs::is_regular_file(place / guard_name, unknown)) return place / guard_name;
  }
  throw Failure(FailureKind::not_started,
                (folder / guard_name).string() +
                    ": is not there; filters from outside need this program beside bloomlab: build "
                    "or install all of it");
}

}  // namespace bloomlab::foreign
