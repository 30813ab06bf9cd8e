#include "tests/formats/support.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "tests/paths.hpp"

namespace bloomlab::tests {

std::string fixture(const std::string& name) {
  std::ifstream file(BLOOMLAB_SOURCE_DIR "/tests/formats/fixtures/" + name, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE_FALSE(bytes.empty());
  return bytes;
}

}  // namespace bloomlab::tests
