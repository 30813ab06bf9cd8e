#include "experiments/speed/environment.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "core/simd/targets.hpp"
#include "experiments/peers/catalogue.hpp"
#include "experiments/speed/latency_ladder.hpp"
#include "experiments/speed/speed_implementation.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;

std::string first_line(const char* path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

/// What a step in latency is called that no cache accounts for which the system states.
constexpr const char* step_name = "step in latency";

/// The last level of cache of which the system states a size; 0 where it states none.
std::size_t stated_levels() {
  std::size_t levels = 0;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  for (const int level : {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                          _SC_LEVEL4_CACHE_SIZE}) {
    if (sysconf(level) <= 0) break;
    ++levels;
  }
#endif
  return levels;
}

Json speed_warnings() {
  Json warnings = Json::array();
#if !defined(NDEBUG)
  warnings.push_back("this is a debug build: speeds say nothing; build with the release preset");
#endif
  const std::string governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  if (!governor.empty() && governor != "performance") {
    warnings.push_back("processors change their frequency (governor " + governor +
                       "); set it to performance");
  }
  const std::string load = first_line("/proc/loadavg");
  const double recent = load.empty() ? 0.0 : std::stod(load);
  if (recent > 0.5 * static_cast<double>(std::thread::hardware_concurrency()) + 1.0) {
    warnings.push_back("load average " + load.substr(0, load.find(' ')) +
                       ": other programs ran meanwhile; stop them");
  }
  const std::string huge = first_line("/sys/kernel/mm/transparent_hugepage/enabled");
  if (huge.find("[never]") != std::string::npos) {
    warnings.push_back("huge pages are switched off in this system; large filters are slower");
  }
  for_each_type<Peers>([&]<class P>(std::type_identity<P>) {
    if (P::available || speed_implementation_is_foreign(P::name)) return;
    std::string text = "built without the peer ";
    warnings.push_back(text.append(P::name));
  });
  return warnings;
}

/// How the peers from other libraries are compiled and called, those that say it.
Json peers_built() {
  Json all = Json::array();
  for_each_type<Peers>([&]<class P>(std::type_identity<P>) {
    if constexpr (requires { P::built_as(); }) {
      if (!P::available) return;
      Json peer = {{"implementation", P::name}};
      peer.update(P::built_as());
      all.push_back(std::move(peer));
    }
  });
  return all;
}

}  // namespace

record::Json measured_caches() {
  constexpr std::uint64_t largest = std::uint64_t{128} << 20;
  const auto ladder = measure_latencies(largest);
  Json json = {{"ladder", Json::array()}, {"caches", Json::array()}};
  for (const LatencyRung& rung : ladder) {
    json["ladder"].push_back({{"bytes", rung.bytes}, {"latency_ns", rung.latency_ns}});
  }
  const std::size_t stated = stated_levels();
  for (const LatencyRung& rung : cache_rungs(ladder)) {
    const std::size_t level = json["caches"].size() + 1;
    json["caches"].push_back({{"level", level},
                              {"name", level <= stated ? "L" + std::to_string(level) : step_name},
                              {"bytes", rung.bytes},
                              {"latency_ns", rung.latency_ns}});
  }
  return json;
}

record::Json speed_environment(const MachineTuning& tuning) {
  static const Json caches = measured_caches();  // the machine has the same ones all along
  Json json = caches;
  json["simd_target"] = simd::chosen_target();
  json["student_filter_sha256"] = student_filter_sha256();
  json["tuning"] = provenance_of(tuning);
  json["peers"] = peers_built();
  json["warnings"] = speed_warnings();
  for (const std::string& warning : tuning.warnings) json["warnings"].push_back(warning);
  return json;
}

}  // namespace bloomlab::experiments
