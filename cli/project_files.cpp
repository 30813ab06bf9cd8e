#include "cli/project_files.hpp"

#include <algorithm>
#include <system_error>

#include "record/input_error.hpp"
#include "record/strict_json.hpp"
#include "record/suggest.hpp"

namespace bloomlab::cli {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

constexpr std::string_view smoke_folder = "smoke";

/// The config of this file name in whatever topic, where one alone has it; small ones aside.
std::optional<std::string> config_of_stem(const std::string& name) {
  const auto smoke = project_file(smoke_folder);
  if (!smoke || name.find('/') != std::string::npos) return std::nullopt;
  std::vector<std::string> found;
  for (const auto& topic : fs::directory_iterator(smoke->parent_path())) {
    const fs::path file = topic.path() / (name.ends_with(".json") ? name : name + ".json");
    if (topic.path().filename() == "claims" || topic.path().filename() == smoke_folder) continue;
    if (is_there(file)) found.push_back(file.string());
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

[[noreturn]] void refuse_name(const std::string& text) {
  const std::vector<ProjectConfig> configs = project_configs();
  std::vector<std::string_view> names;
  for (const ProjectConfig& config : configs) names.push_back(config.name);
  const auto near = record::nearest(text, names);
  throw record::InputError(text + ": no such file, and no config that comes with the program; " +
                           (near ? "did you mean \"" + std::string(*near) + "\"?"
                                 : "`bloomlab list configs` names them"));
}

}  // namespace

std::optional<fs::path> project_file(const fs::path& name) {
  const fs::path here = "configs" / name;
  if (is_there(here)) return here;
  const fs::path installed = "share/bloomlab" / here;
  fs::path around = fs::read_symlink("/proc/self/exe").parent_path();
  for (; around.has_relative_path(); around = around.parent_path()) {
    for (const fs::path& place : {around / installed, around / here}) {
      if (is_there(place)) return place;
    }
  }
  return std::nullopt;
}

std::string config_named(const std::string& text) {
  if (is_there(text)) return text;
  constexpr std::string_view folder = "configs/";
  const std::string name = text.starts_with(folder) ? text.substr(folder.size()) : text;
  if (name.empty() || name.front() == '/') return text;
  for (const std::string& file : {name, name + ".json"}) {
    if (!file.ends_with(".json")) continue;
    if (const auto found = project_file(file)) return found->string();
  }
  if (const auto found = config_of_stem(name)) return *found;
  if (!text.ends_with(".json") && project_file(smoke_folder)) refuse_name(text);
  return text;
}

std::vector<ProjectConfig> project_configs() {
  constexpr std::uintmax_t largest = std::uintmax_t{16} << 20;
  const auto smoke = project_file(smoke_folder);
  if (!smoke) {
    throw record::InputError(
        "no configs are around the program, neither in configs/ nor in share/bloomlab/configs/; "
        "install all of it, or name a config of your own");
  }
  std::vector<ProjectConfig> configs;
  for (const auto& topic : fs::directory_iterator(smoke->parent_path())) {
    if (!topic.is_directory() || topic.path().filename() == "claims") continue;
    for (const auto& file : fs::directory_iterator(topic.path())) {
      if (file.path().extension() != ".json") continue;
      const record::Json json = record::read_json(file.path(), largest);
      const record::Json title = json.is_object() ? json.value("title", record::Json()) : "";
      configs.push_back({topic.path().filename() / file.path().stem(),
                         title.is_string() ? title.get<std::string>() : ""});
    }
  }
  std::ranges::sort(configs, {}, &ProjectConfig::name);
  return configs;
}

}  // namespace bloomlab::cli
