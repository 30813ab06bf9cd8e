#include "experiments/speed/pages.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>
#endif

namespace bloomlab::experiments {
namespace {

/// A writable private mapping without a file.
struct OpenMapping {
  std::uintptr_t first = 0;
  std::uintptr_t last = 0;
};

/// Those of this process; not the stack, which may not be filled to its limit.
std::vector<OpenMapping> anonymous_mappings() {
  std::vector<OpenMapping> found;
  std::ifstream in("/proc/self/maps");
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    OpenMapping mapping;
    char dash = 0;
    std::string rights;
    std::string offset;
    std::string device;
    std::string inode;
    std::string name;
    fields >> std::hex >> mapping.first >> dash >> mapping.last >> rights >> offset >> device >>
        inode >> name;
    if (rights == "rw-p" && inode == "0" && (name.empty() || name == "[heap]")) {
      found.push_back(mapping);
    }
  }
  return found;
}

}  // namespace

std::span<const std::string_view> page_modes() {
  static constexpr std::array<std::string_view, 2> words = {"huge", "small"};
  return words;
}

void choose_pages([[maybe_unused]] PageMode mode) {
#if defined(PR_SET_THP_DISABLE)
  if (mode == PageMode::small) ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
#endif
}

bool make_memory_present() {
#if defined(__linux__)
  constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, younger than some C libraries
  const auto memory = static_cast<std::uintptr_t>(::sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  bool could = true;
  for (const OpenMapping& mapping : anonymous_mappings()) {
    // More than the machine has is reserved and not meant to be filled: a sanitizer's shadow.
    if (mapping.last - mapping.first > memory) continue;
    void* const first = reinterpret_cast<void*>(mapping.first);  // NOLINT: as the kernel wrote it
    could = ::madvise(first, mapping.last - mapping.first, populate_write) == 0 && could;
  }
  return could;
#else
  return false;
#endif
}

PresentMemory present_memory() {
  PresentMemory memory;
  std::ifstream in("/proc/self/smaps_rollup");
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string key;
    std::uint64_t kibibytes = 0;
    if (!(fields >> key >> kibibytes)) continue;
    if (key == "Anonymous:") memory.bytes = kibibytes << 10;
    if (key == "AnonHugePages:") memory.huge_bytes = kibibytes << 10;
  }
  return memory;
}

PresentMemory present_since(const PresentMemory& before) {
  const PresentMemory now = present_memory();
  return {.bytes = now.bytes - std::min(before.bytes, now.bytes),
          .huge_bytes = now.huge_bytes - std::min(before.huge_bytes, now.huge_bytes)};
}

}  // namespace bloomlab::experiments
