// The examples in every language, each where its tools are there.
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/analysis/temporary.hpp"
#include "tests/catch_runner.hpp"
#include "tests/foreign/checks.hpp"
#include "tests/foreign/examples.hpp"

namespace {

using bloomlab::foreign::Target;
using namespace bloomlab::tests;

const std::string examples = BLOOMLAB_SOURCE_DIR "/examples/foreign/";

/// A Bloom filter of 10 bits per key and 7 hash functions errs at 0.0082, 164 of 20 000; these are
/// beyond seven standard deviations on either side.
void check_bloom(const Target& target) {
  check_filter(target, 70, 260);
  check_keys(target);
}

/// Whether a program is there; what is left out is said in one line.
bool has(const std::string& program) {
  const std::string look = "command -v " + program + " > /dev/null 2>&1";
  if (std::system(look.c_str()) == 0) return true;
  skip(program + " is not on this machine; the example in its language is not run");
  return false;
}

void build(const std::string& command) {
  INFO(command);
  REQUIRE(std::system((command + " > /dev/null 2>&1").c_str()) == 0);
}

Target program_in(const std::filesystem::path& folder) {
  return {.command = {"./my_filter"}, .folder = folder};
}

}  // namespace

TEST_CASE("a Python program of less than 30 lines is a filter", "[foreign]") {
  check_bloom(python_example());
}

TEST_CASE("a shared library in C is a filter", "[foreign]") { check_bloom(c_example()); }

TEST_CASE("a shared library in C++ is a filter", "[foreign]") {
  const Target target = {.library = "libexample_cpp.so", .folder = BLOOMLAB_BINARY_DIR "/tests"};
  // Four bits in one word of 64, 6.4 keys a word: 0.024 on average.
  check_filter(target, 330, 640);
  check_keys(target);
}

TEST_CASE("a program in JavaScript is a filter", "[foreign]") {
  if (!has("node")) return;
  check_bloom({.command = {"node", "my_filter.js"}, .folder = examples + "javascript"});
}

TEST_CASE("a program in PHP is a filter", "[foreign]") {
  if (!has("php")) return;
  check_bloom({.command = {"php", "my_filter.php"}, .folder = examples + "php"});
}

TEST_CASE("a program in Java is a filter", "[foreign]") {
  if (!has("javac")) return;
  check_bloom({.command = {"java", "MyFilter.java"}, .folder = examples + "java"});
}

TEST_CASE("a program in Rust is a filter, by binary frames", "[foreign]") {
  if (!has("rustc")) return;
  const Temporary folder;
  build("rustc --edition 2021 -O " + examples + "rust/my_filter.rs -o " +
        (folder.path / "my_filter").string());
  check_bloom(program_in(folder.path));
}

TEST_CASE("a program in Go is a filter", "[foreign]") {
  if (!has("go")) return;
  const Temporary folder;
  build("go build -o " + (folder.path / "my_filter").string() + " " + examples + "go/my_filter.go");
  check_bloom(program_in(folder.path));
}
