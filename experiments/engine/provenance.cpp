#include "experiments/engine/provenance.hpp"

#include <sys/utsname.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <type_traits>

#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/own_filters.hpp"
#include "experiments/machine/build_info.hpp"
#include "experiments/machine/machine.hpp"
#include "record/names.hpp"
#include "record/result_file.hpp"
#include "record/sha256.hpp"
#include "record/strict_json.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;

/// The value of the first line "KEY : VALUE" of /proc/cpuinfo, or nothing.
std::string cpuinfo(const std::string& key) {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

Json machine_json() {
  utsname names{};
  const bool known = uname(&names) == 0;
  return {{"cpu", cpuinfo("model name")},
          {"architecture", known ? names.machine : "unknown"},
          {"cores", std::thread::hardware_concurrency()},
          {"memory_bytes", physical_memory_bytes()},
          {"kernel", known ? std::string(names.sysname) + " " + names.release : "unknown"}};
}

/// The kernel may be updated without another machine; memory is told to the GiB, as what the kernel
/// keeps for itself varies.
std::string machine_id(const Json& machine) {
  const std::uint64_t memory_gib = machine.at("memory_bytes").get<std::uint64_t>() >> 30;
  const Json essence = {machine.at("cpu"), machine.at("architecture"), machine.at("cores"),
                        memory_gib};
  return record::sha256_hex(essence.dump()).substr(0, 16);
}

std::set<std::string> files_of(const Config& config) {
  std::set<std::string> paths;
  for (const Cell& cell : config.cells) paths.merge(config.experiment->files(cell));
  return paths;
}

std::string config_digest(const Config& config) {
  std::string text = record::digested_config(record::without_page(config.json)).dump();
  for (const std::string& path : files_of(config)) {
    const auto any_size = std::numeric_limits<std::uintmax_t>::max();
    text.append(1, '\n').append(record::sha256_hex(record::read_text(path, any_size)));
  }
  for (const auto& [target, digest] : foreign_digests(config)) {
    text.append(1, '\n').append(target).append(1, ' ').append(digest);
  }
  return record::sha256_hex(text);
}

std::string now_utc() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2000-01-01T00:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json libraries_json() {
  Json libraries = Json::object();
  for (const auto& [name, version] : build_settings().libraries) libraries[name] = version;
#ifdef __GLIBC__
  libraries["glibc"] = gnu_get_libc_version();
#endif
#ifdef __GLIBCXX__
  libraries["libstdc++"] = std::to_string(__GLIBCXX__);
#endif
  return libraries;
}

}  // namespace

std::map<std::string, std::string> foreign_digests(const Config& config) {
  std::map<std::string, std::string> digests;
  for (const Cell& cell : config.cells) {
    if (const std::string hash = hash_named_in(cell.json()); is_own_hash(hash)) {
      digests.emplace("hash " + hash + " of this program", digest_of_this_program());
    }
    if (own_filter(cell.filter) != nullptr) {
      digests.emplace(cell.filter + " of this program", digest_of_this_program());
      continue;
    }
    const auto target = executed_by(cell);
    if (!target) continue;
    const auto [place, is_new] = digests.try_emplace(target->text());
    if (is_new || !target->files.empty()) place->second = foreign::digest_of(*target);
  }
  return digests;
}

const std::string& build_id() {
  static const std::string id = [] {
    const BuildSettings& settings = build_settings();
    const GitState& git = git_state();
    const std::string how = settings.compiler + "|" + settings.build_type + "|" + settings.flags;
    std::string name = git.commit == "unknown" ? settings.version : git.commit;
    if (git.dirty) name += "+" + git.changes;
    return name + "-" + record::sha256_hex(how).substr(0, 8);
  }();
  return id;
}

Identity identity_of(const Config& config) {
  return {config_digest(config), build_id(), machine_id(machine_json())};
}

Identity identity_of(const Json& provenance) {
  const auto text = [&](const char* key) {
    const auto found = provenance.find(key);
    return found != provenance.end() && found->is_string() ? found->get<std::string>() : "";
  };
  return {text("config_digest"), text("build_id"), text("machine_id")};
}

Json provenance_of(const Identity& identity, unsigned jobs, const std::optional<Shard>& shard,
                   bool complete) {
  const BuildSettings& settings = build_settings();
  Json json = {{"commit", git_state().commit},
               {"dirty", git_state().dirty},
               {"version", settings.version},
               {"compiler", settings.compiler},
               {"flags", settings.flags},
               {"build_type", settings.build_type},
               {"build_id", identity.build},
               {"config_digest", identity.config},
               {"machine", machine_json()},
               {"machine_id", identity.machine},
               {"libraries", libraries_json()},
               {"date", now_utc()},
               {"jobs", jobs}};
  if (shard) json["shard"] = Json{{"index", shard->index}, {"count", shard->count}};
  json["complete"] = complete;
  return json;
}

}  // namespace bloomlab::experiments
