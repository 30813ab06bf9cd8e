#include "record/hashes.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "core/hashing.hpp"
#include "core/type_list.hpp"

namespace bloomlab::record {
namespace {

std::vector<HashOperations>& brought() {
  static std::vector<HashOperations> hashes;
  return hashes;
}

}  // namespace

void bring_hashes(std::span<const HashOperations> hashes) {
  brought().assign(hashes.begin(), hashes.end());
}

std::span<const HashOperations> brought_hashes() { return brought(); }

std::vector<std::string_view> hash_names() {
  std::vector<std::string_view> names;
  for_each_type<Hashes>([&]<class Hash>(std::type_identity<Hash>) { names.push_back(Hash::name); });
  for (const HashOperations& hash : brought()) names.push_back(hash.name);
  return names;
}

std::optional<Hasher> find_hasher(std::string_view name) {
  static constexpr HashOperations command = {
      .name = command_hash,
      .source = "a program",
      .digest_batch = [](const KeyBatch&, std::uint64_t, const DigestPlanes&) {
        throw std::logic_error("the program that hashes was not started");
      }};
  if (name == command_hash) return Hasher(command);
  const auto own = std::ranges::find(brought(), name, &HashOperations::name);
  if (own != brought().end()) return Hasher(*own);
  const auto names = hash_names();
  if (std::ranges::find(names, name) == names.end()) return std::nullopt;
  return bloomlab::make_hasher(name);
}

Hasher make_hasher(std::string_view name) {
  const auto found = find_hasher(name);
  return found ? *found : bloomlab::make_hasher(name);
}

}  // namespace bloomlab::record
