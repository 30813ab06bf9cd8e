// The catalogue against the folders: nothing is forgotten, and names are file names.

#include "core/catalogue.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "tests/paths.hpp"

using namespace bloomlab;
using Catch::Matchers::Message;

namespace {

template <class List>
std::set<std::string> names() {
  std::set<std::string> all;
  for_each_type<List>(
      [&]<class Type>(std::type_identity<Type>) { all.insert(std::string(Type::name)); });
  return all;
}

/// The names in the catalogue's order, as messages list them.
template <class List>
std::string joined() {
  std::string all;
  for_each_type<List>([&]<class Type>(std::type_identity<Type>) {
    if (!all.empty()) all += ", ";
    all += Type::name;
  });
  return all;
}

/// File stem and declared name of every header in the folder that declares a name.
std::set<std::pair<std::string, std::string>> declared(const std::string& folder) {
  static constexpr std::string_view declaration = "std::string_view name = \"";
  std::set<std::pair<std::string, std::string>> found;
  const auto path = std::filesystem::path(BLOOMLAB_SOURCE_DIR) / "core" / folder;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = text.find(declaration);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + declaration.size();
    found.emplace(entry.path().stem().string(), text.substr(begin, text.find('"', begin) - begin));
  }
  return found;
}

template <class List>
void check_folder(const std::string& folder) {
  INFO("core/" << folder);
  std::set<std::pair<std::string, std::string>> listed;
  for (const std::string& name : names<List>()) listed.emplace(name, name);
  CHECK(listed.size() == List::size);
  CHECK(declared(folder) == listed);
}

}  // namespace

TEST_CASE("the catalogue lists every header that declares a name", "[core][catalogue]") {
  check_folder<Filters>("filters");
  check_folder<Hashes>("hash");
  check_folder<HashingSchemes>("probe");
  check_folder<Reductions>("reduction");
}

TEST_CASE("the catalogue has the names of the first release", "[core][catalogue]") {
  for (const char* name : {"standard", "scalable", "scalable_untightened"}) {
    CHECK(names<Filters>().contains(name));
  }
  for (const char* name : {"xxhash3_64", "xxhash3_128", "murmur2_64a", "murmur3_128", "fnv1a_64",
                           "md5", "sha1", "sha256", "identity"}) {
    CHECK(names<Hashes>().contains(name));
    CHECK(make_hasher(name).name() == name);
  }
}

TEST_CASE("names make probes", "[core][catalogue]") {
  for (const std::string& family : names<HashingSchemes>()) {
    for (const std::string& reduction : names<Reductions>()) {
      if (family == "lab_shift_xor" && reduction != "modulo") continue;
      if (family == "double_hashing_nz" && reduction == "mask") continue;
      if (family == "products" && reduction != "multiply_shift") continue;
      if (family != "independent" && reduction == "signed_modulo") continue;
      const Probe probe = make_probe(family, reduction);
      CHECK(probe.family() == family);
      CHECK(probe.reduction() == reduction);
    }
  }
}

TEST_CASE("unknown names are refused with the known ones", "[core][catalogue]") {
  CHECK_THROWS_MATCHES(make_hasher("murmur3"), std::invalid_argument,
                       Message("unknown hash \"murmur3\"; known: " + joined<Hashes>()));
  CHECK_THROWS_MATCHES(
      make_probe("triple", "modulo"), std::invalid_argument,
      Message("unknown hashing scheme \"triple\"; known: " + joined<HashingSchemes>()));
  CHECK_THROWS_MATCHES(make_probe("independent", "mod"), std::invalid_argument,
                       Message("unknown reduction \"mod\"; known: " + joined<Reductions>()));
  CHECK_THROWS_MATCHES(make_probe("lab_shift_xor", "mask"), std::invalid_argument,
                       Message("hashing scheme \"lab_shift_xor\" does not take the reduction "
                               "\"mask\""));
  CHECK(joined<Reductions>().starts_with("multiply_shift, modulo, mask"));
}
