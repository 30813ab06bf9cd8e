// Pages of memory: switch huge ones off, make memory present before it is timed, and see on which
// pages it really stands.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace bloomlab::experiments {

/// Which pages a timed process may have; the words of page_modes() in this order.
enum class PageMode : std::uint32_t {
  huge,  ///< 2 MiB where a filter asks for them and the system gives them
  small  ///< 4 KiB
};

/// "huge", "small".
[[nodiscard]] std::span<const std::string_view> page_modes();

/// Denies huge pages to what this process allocates from now on, in mode `small`; once denied they
/// stay so. Nothing where the system cannot.
void choose_pages(PageMode mode);

/// Makes every page of this process present for writing, so that no loop pays for page faults;
/// contents stay. @return whether the system could (Linux from 5.14 on)
bool make_memory_present();

/// Anonymous memory of this process.
struct PresentMemory {
  std::uint64_t bytes = 0;       ///< present
  std::uint64_t huge_bytes = 0;  ///< of these on huge pages
};

/// As /proc/self/smaps_rollup says it; zeros where there is no such file.
[[nodiscard]] PresentMemory present_memory();

/// What has become present since; zero where it became less.
[[nodiscard]] PresentMemory present_since(const PresentMemory& before);

}  // namespace bloomlab::experiments
