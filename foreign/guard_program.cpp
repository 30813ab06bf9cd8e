#include "foreign/guard_program.hpp"

#include <dlfcn.h>

#include <system_error>

#include "foreign/failure.hpp"

namespace bloomlab::foreign {

namespace {

namespace fs = std::filesystem;

fs::path folder_of_program() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/exe", unknown).parent_path();
}

}  // namespace

std::optional<fs::path> program_of_ours(const char* name) {
  const fs::path folder = folder_of_program();
  // Where the laboratory is a library of another program, the program stands by the library.
  Dl_info here{};
  const bool is_known = ::dladdr(reinterpret_cast<void*>(&program_of_ours), &here) != 0;
  const fs::path ours = is_known ? fs::path(here.dli_fname).parent_path() : folder;
  std::error_code unknown;
  for (const fs::path& place :
       {folder, folder.parent_path(), folder.parent_path() / "libexec" / "bloomlab",
        ours.parent_path() / "libexec" / "bloomlab",
        ours.parent_path().parent_path() / "libexec" / "bloomlab"}) {
    if (fs::is_regular_file(place / name, unknown)) return place / name;
  }
  return std::nullopt;
}

fs::path guard_program() {
  if (auto found = program_of_ours(guard_name)) return *found;
  throw Failure(FailureKind::not_started,
                (folder_of_program() / guard_name).string() +
                    ": is not there; filters from outside need this program beside bloomlab: build "
                    "or install all of it");
}

}  // namespace bloomlab::foreign
