// The published schema against the reader, by an independent validator (valijson).

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns falsely about std::string::replace in valijson's headers (GCC bug 105329).
#pragma GCC diagnostic ignored "-Wrestrict"
#endif

#include "experiments/config/schema.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "experiments/config/config.hpp"
#include "experiments/config/reading.hpp"
#include "record/input_error.hpp"
#include "record/strict_json.hpp"
#include "tests/experiments/bad_configs.hpp"
#include "tests/experiments/config_files.hpp"
#include "tests/paths.hpp"

namespace bloomlab::experiments::testing {
namespace {

namespace fs = std::filesystem;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

const fs::path source_folder = BLOOMLAB_SOURCE_DIR;

/// Whether the schema made from the catalogues accepts a text; lenient about everything else.
class Validator {
 public:
  Validator() {
    const auto json = nlohmann::json::parse(config_schema().dump());
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(Adapter(json), schema_);
  }

  [[nodiscard]] bool accepts(const std::string& text) {
    const auto json = nlohmann::json::parse(text);
    return validator_.validate(schema_, Adapter(json), nullptr);
  }

 private:
  valijson::Schema schema_;
  valijson::Validator validator_{valijson::Validator::kStrongTypes};
};

/// A good config may need more memory than is free at the moment: that is no fault of it.
void read_whatever_memory_there_is(const fs::path& path) {
  try {
    static_cast<void>(read_config(path));
  } catch (const record::InputError& fault) {
    if (std::string_view(fault.what()).find(" of memory; this machine has ") == std::string::npos) {
      throw;
    }
  }
}

}  // namespace

TEST_CASE("schema and reader accept the same good configs", "[schema]") {
  Validator validator;
  CHECK(validator.accepts(good_config));
  int configs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder / "configs")) {
    const std::string topic = entry.path().parent_path().filename();
    if (entry.path().extension() != ".json" || topic == "claims" || topic == "wild") continue;
    CAPTURE(entry.path());
    CHECK(validator.accepts(record::read_text(entry.path(), 1 << 24)));
    CHECK_NOTHROW(read_whatever_memory_there_is(entry.path()));
    ++configs;
  }
  CHECK(configs >= 20);
}

TEST_CASE("the schema refuses every fault of structure", "[schema]") {
  Validator validator;
  for (const BadConfig& config : faults_of_structure()) {
    CAPTURE(config.title);
    CHECK_FALSE(validator.accepts(text_of(config)));
  }
}

TEST_CASE("faults of meaning are those that the schema cannot see", "[schema]") {
  Validator validator;
  for (const BadConfig& config : faults_of_meaning()) {
    CAPTURE(config.title);
    CHECK(validator.accepts(text_of(config)));
  }
}

}  // namespace bloomlab::experiments::testing
