#include "foreign/guard_program.hpp"

#include <dlfcn.h>

#include <system_error>

#include "foreign/failure.hpp"

namespace bloomlab::foreign {

std::filesystem::path guard_program() {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  // Where the laboratory is a library of another program, the guard stands by the library.
  Dl_info here{};
  const bool is_known = ::dladdr(reinterpret_cast<void*>(&guard_program), &here) != 0;
  const fs::path ours = is_known ? fs::path(here.dli_fname).parent_path() : folder;
  for (const fs::path& place :
       {folder, folder.parent_path(), folder.parent_path() / "libexec" / "bloomlab",
        ours.parent_path() / "libexec" / "bloomlab",
        ours.parent_path().parent_path() / "libexec" / "bloomlab"}) {
    if (fs::is_regular_file(place / guard_name, unknown)) return place / guard_name;
  }
  throw Failure(FailureKind::not_started,
                (folder / guard_name).string() +
                    ": is not there; filters from outside need this program beside bloomlab: build "
                    "or install all of it");
}

}  // namespace bloomlab::foreign
