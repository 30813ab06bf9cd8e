#include "record/json_view.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace bloomlab::record {
namespace {

/// What is said of a value that was taken for what it is not, as a reader without checks does.
template <class Take>
std::string said_of(const std::string& text, const Take& take) {
  const Json json = Json::parse(text);
  try {
    take(json);
  } catch (const std::exception& fault) {
    return plain_fault(fault);
  }
  return "";
}

}  // namespace

TEST_CASE("a value of another kind is named without the words of the library", "[record][errors]") {
  CHECK(said_of(R"("x")", [](const Json& json) { static_cast<void>(json.get<double>()); }) ==
        "a value in it is not of its kind (number is wanted, and string found)");
  CHECK(said_of("5", [](const Json& json) { static_cast<void>(json.get<std::string>()); }) ==
        "a value in it is not of its kind (string is wanted, and number found)");
  CHECK(said_of("5", [](const Json& json) { static_cast<void>(json.at("a")); }) ==
        "a value in it is not of its kind");
  CHECK(said_of("{}", [](const Json& json) { static_cast<void>(json.at("a")); }) ==
        "a value in it is not of its kind");
}

TEST_CASE("a fault in a file has the file's name once", "[record][errors]") {
  CHECK(fault_in("a.json", std::runtime_error("a.json: /n: found 5")) == "a.json: /n: found 5");
  CHECK(fault_in("a.json", std::runtime_error("found 5")) == "a.json: found 5");
  try {
    static_cast<void>(Json(5).get<std::string>());
    FAIL("5 is no text");
  } catch (const Json::exception& fault) {
    CHECK(fault_in("a.json", fault) ==
          "a.json: a value in it is not of its kind (string is wanted, and number found); run the "
          "config again");
  }
}

}  // namespace bloomlab::record
