#include "core/hashing.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace bloomlab {
namespace {

std::vector<HashOperations>& brought() {
  static std::vector<HashOperations> hashes;
  return hashes;
}

template <class List>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> names;
  for_each_type<List>([&]<class Type>(std::type_identity<Type>) { names.push_back(Type::name); });
  return names;
}

[[noreturn]] void refuse(std::string_view what, std::string_view name,
                         const std::vector<std::string_view>& known) {
  std::string text = "unknown " + std::string(what) + " \"" + std::string(name) + "\"; known: ";
  std::string_view separator;
  for (const std::string_view other : known) {
    text.append(separator).append(other);
    separator = ", ";
  }
  throw std::invalid_argument(text);
}

template <class List>
void require(std::string_view what, std::string_view name) {
  const auto known = names_of<List>();
  if (std::find(known.begin(), known.end(), name) == known.end()) refuse(what, name, known);
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

void bring_hashes(std::span<const HashOperations> hashes) {
  brought().assign(hashes.begin(), hashes.end());
}

std::span<const HashOperations> brought_hashes() { return brought(); }

std::vector<std::string_view> hash_names() {
  std::vector<std::string_view> names = names_of<Hashes>();
  for (const HashOperations& hash : brought()) names.push_back(hash.name);
  return names;
}

std::optional<Hasher> find_hasher(std::string_view name) {
  std::optional<Hasher> hasher;
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    if (Hash::name == name) hasher = Hasher::of<Hash>();
  });
  for (const HashOperations& hash : brought()) {
    if (hash.name == name) hasher = Hasher(hash);
  }
  return hasher;
}

Hasher make_hasher(std::string_view name) {
  const std::optional<Hasher> hasher = find_hasher(name);
  if (!hasher) refuse("hash", name, hash_names());
  return *hasher;
}

Probe make_probe(std::string_view family, std::string_view reduction) {
  require<HashingSchemes>("hashing scheme", family);
  require<Reductions>("reduction", reduction);
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
