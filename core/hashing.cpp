#include "core/hashing.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bloomlab {
namespace {

template <class List>
[[noreturn]] void refuse(std::string_view what, std::string_view name) {
  std::string text = "unknown " + std::string(what) + " \"" + std::string(name) + "\"; known: ";
  std::string_view separator;
  for_each_type<List>([&]<class Type>(std::type_identity<Type>) {
    text.append(separator).append(Type::name);
    separator = ", ";
  });
  throw std::invalid_argument(text);
}

template <class List>
bool lists(std::string_view name) {
  bool found = false;
  for_each_type<List>(
      [&]<class Type>(std::type_identity<Type>) { found = found || Type::name == name; });
  return found;
}

template <class Family>
std::optional<Probe> probe_of_family(std::string_view reduction) {
  std::optional<Probe> probe;
  for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
    if constexpr (Family::template allows<Reduction>) {
      if (Reduction::name == reduction) probe = Probe::of<Family, Reduction>();
    }
  });
  return probe;
}

}  // namespace

Hasher make_hasher(std::string_view name) {
  std::optional<Hasher> hasher;
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    if (Hash::name == name) hasher = Hasher::of<Hash>();
  });
  if (!hasher) refuse<Hashes>("hash", name);
  return *hasher;
}

Probe make_probe(std::string_view family, std::string_view reduction) {
  if (!lists<HashingSchemes>(family)) refuse<HashingSchemes>("hashing scheme", family);
  if (!lists<Reductions>(reduction)) refuse<Reductions>("reduction", reduction);
  std::optional<Probe> probe;
  for_each_type<HashingSchemes>([&]<class Family>(std::type_identity<Family>) {
    if (Family::name == family) probe = probe_of_family<Family>(reduction);
  });
  if (!probe) {
    throw std::invalid_argument("hashing scheme \"" + std::string(family) +
                                "\" does not take the reduction \"" + std::string(reduction) +
                                "\"");
  }
  return *probe;
}

}  // namespace bloomlab
