// The JSON type of configs and results, compiled once.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bloomlab::record {

/// JSON whose objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// JSON as compact text, which takes a tenth of its tree: for what there are many of.
class JsonText {
 public:
  JsonText(const Json& json = nullptr)  // NOLINT(google-explicit-constructor)
      : text_(json.dump()) {}

  /// Reads it anew at each call.
  [[nodiscard]] Json operator()() const { return Json::parse(text_); }
  [[nodiscard]] const std::string& text() const { return text_; }
  friend bool operator==(const JsonText&, const JsonText&) = default;

 private:
  std::string text_;
};

}  // namespace bloomlab::record

// Instantiated in json.cpp, which is optimised: every result passes here, and other units need
// neither compile this again nor link to what an unoptimised one has made of it.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
