#include "experiments/speed/speed_implementation.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "core/catalogue.hpp"
#include "core/parallel/insert_parallel.hpp"
#include "experiments/cells/cell_parts.hpp"
#include "experiments/cells/cell_resolve.hpp"
#include "experiments/cells/implementation_factory.hpp"
#include "experiments/cells/own_filters.hpp"
#include "experiments/peers/catalogue.hpp"
#include "experiments/peers/sized_filters.hpp"
#include "experiments/speed/called_filters.hpp"
#include "record/hashes.hpp"
#include "record/input_error.hpp"

namespace bloomlab::experiments {
namespace {

using record::Json;

const SizedFilter* sized_filter(std::string_view name) {
  const auto all = sized_filters();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const SizedFilter& filter) { return filter.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool takes_a_probe(std::string_view filter) {
  bool takes = false;
  visit_name<Filters>(filter, [&]<class Filter>(std::type_identity<Filter>) {
    takes = !Filter::chooses_positions;
  });
  return takes;
}

/// The cell of a config that would hold this filter. The hashing scheme is the default
/// of the library.
Cell cell_of(const SpeedSetup& setup, const SizedFilter& sized) {
  Json filter = {{"kind", sized.name}};
  filter.update(sized.parameters(setup.n, setup.bits_per_key));
  Json hash = {{"name", setup.hash}};
  if (takes_a_probe(sized.name)) {
    hash["probe"] = "products";
    hash["reduction"] = "multiply_shift";
  }
  const Json point = {
      {"keys", {{"source", "uniform"}}}, {"n", setup.n}, {"filter", filter}, {"hash", hash}};
  const record::Origin origin{"a filter of the speed kinds"};
  return resolve_cell(record::JsonView(point, origin));
}

/// What `of_filter` says of the type of the filter of this name, or `of_peer` of that of the peer.
template <class OfFilter, class OfPeer>
bool has_property(std::string_view implementation, OfFilter of_filter, OfPeer of_peer) {
  bool property = false;
  if (sized_filter(implementation) != nullptr) {
    visit_name<Filters>(implementation, [&](auto filter) { property = of_filter(filter); });
  } else if (own_filter(implementation) == nullptr) {  // which has none of them
    visit_name<Peers>(implementation, [&](auto peer) { property = of_peer(peer); });
  }
  return property;
}

std::vector<std::string_view> all_speed_names() {
  std::vector<std::string_view> names;
  for (const SizedFilter& filter : sized_filters()) names.push_back(filter.name);
  for_each_type<Peers>([&]<class P>(std::type_identity<P>) { names.push_back(P::name); });
  for (const OwnFilterType& own : own_filters()) names.push_back(own.name);
  return names;
}

/// Whether it is a filter of the catalogue that is called as programs call it.
bool is_called_filter(const SpeedSetup& setup) {
  return setup.keys_per_call && !speed_implementation_is_key_by_key(setup.implementation);
}

/// Why calls of so many keys cannot be had, or nothing.
std::optional<std::string> calls_fault(const SpeedSetup& setup) {
  if (!is_called_filter(setup) || is_called(setup.implementation, setup.hash)) return std::nullopt;
  return "calls of \"" + std::string(setup.implementation) + "\" with hash \"" +
         std::string(setup.hash) + "\" are not compiled; take one of " + quoted_called_filters() +
         " with one of " + quoted_called_hashes() + ", or what takes one key at a time: " +
         quoted_implementations(speed_implementation_is_key_by_key);
}

/// Why a peer cannot have the hash, or nothing.
std::optional<std::string> hash_fault(const SpeedSetup& setup) {
  std::optional<std::string> fault;
  if (own_filter(setup.implementation) != nullptr) return fault;
  visit_name<Peers>(setup.implementation, [&]<class P>(std::type_identity<P>) {
    if constexpr (requires { P::compiled_hash; }) {
      if (setup.hash == P::compiled_hash) return;
      fault = "\"" + std::string(P::name) + "\" is compiled with hash \"" +
              std::string(P::compiled_hash) + "\"; found \"" + std::string(setup.hash) + "\"";
    }
  });
  return fault;
}

/// Why a filter from outside cannot be started, or nothing.
std::optional<std::string> target_fault(std::string_view implementation,
                                        const foreign::Target& target) {
  if (target.library.empty() && target.command.empty()) {
    const bool is_library = implementation == ForeignLibrary::name;
    return "\"" + std::string(implementation) + "\" is a filter from outside; name it by " +
           (is_library ? "\"library\": {\"path\": ...}" : "\"command\": {\"line\": ...}") +
           ", which the kind \"throughput\" takes";
  }
  std::string fault = foreign::fault_of(target);
  if (fault.empty()) return std::nullopt;
  return fault;
}

}  // namespace

std::span<const std::string_view> speed_implementation_names() {
  static const std::vector<std::string_view> names = all_speed_names();
  return names;
}

std::string quoted_implementations(bool (*fits)(std::string_view)) {
  std::string quoted;
  for (const std::string_view name : speed_implementation_names()) {
    if (fits(name)) quoted.append(quoted.empty() ? "\"" : ", \"").append(name).append("\"");
  }
  return quoted;
}

SpeedImplementation make_speed_implementation(const SpeedSetup& setup, std::uint64_t seed) {
  SpeedImplementation made;
  if (const SizedFilter* const sized = sized_filter(setup.implementation)) {
    const Cell cell = cell_of(setup, *sized);
    made = {is_called_filter(setup) ? make_called_filter(cell, seed, *setup.keys_per_call)
                                    : make_implementation(cell, seed),
            cell.json().at("filter")};
  } else if (const OwnFilterType* const own = own_filter(setup.implementation)) {
    made = {make_own_filter(*own,
                            {.n = setup.n,
                             .bits_per_key = setup.bits_per_key,
                             .seed = hash_seed(seed),
                             .options = "{}"},
                            setup.hash),
            {{"kind", own->name}, {"own", true}}};
  } else {
    visit_name<Peers>(setup.implementation, [&]<Peer P>(std::type_identity<P>) {
      auto peer = std::make_unique<P>(PeerSetup{setup.n, setup.bits_per_key,
                                                record::make_hasher(setup.hash), hash_seed(seed),
                                                setup.target, setup.texts, setup.keys_per_call});
      made.filter = peer->law();
      made.implementation = std::move(peer);
    });
  }
  made.implementation->tune(setup.tuning);
  return made;
}

std::optional<std::size_t> lookahead_of(const Implementation& implementation) {
  const auto tuning = implementation.tuning();
  if (!tuning) return std::nullopt;
  return tuning->lookahead(implementation.state().memory_bits / 8);
}

std::optional<std::string> speed_implementation_fault(const SpeedSetup& setup) {
  if (auto fault = calls_fault(setup)) return fault;
  const SizedFilter* const sized = sized_filter(setup.implementation);
  if (speed_implementation_is_foreign(setup.implementation))
    return target_fault(setup.implementation, setup.target);
  if (sized == nullptr) return hash_fault(setup);
  try {
    static_cast<void>(cell_of(setup, *sized));
    return std::nullopt;
  } catch (const record::InputError& fault) {
    return fault.what();
  }
}

bool speed_implementation_is_available(std::string_view implementation) {
  if (own_filter(implementation) != nullptr) return true;
  return has_property(
      implementation, [](auto) { return true; },
      []<class P>(std::type_identity<P>) { return P::available; });
}

bool speed_implementation_hides_its_bits(std::string_view implementation) {
  return speed_implementation_is_foreign(implementation) || own_filter(implementation) != nullptr;
}

bool speed_implementation_is_foreign(std::string_view implementation) {
  return implementation == ForeignLibrary::name || implementation == ForeignCommand::name;
}

bool speed_implementation_takes_threads(std::string_view implementation) {
  return has_property(
      implementation,
      []<class Filter>(std::type_identity<Filter>) { return BuiltByThreads<Filter>; },
      []<class P>(std::type_identity<P>) { return P::filled_by_threads; });
}

std::uint64_t speed_implementation_copies(std::string_view implementation, std::uint64_t threads) {
  const bool merged = has_property(
      implementation,
      []<class Filter>(std::type_identity<Filter>) { return !FilledInShares<Filter>; },
      []<class P>(std::type_identity<P>) {
        return requires { requires P::merged; };
      });
  return merged ? threads : 1;
}

bool speed_implementation_is_key_by_key(std::string_view implementation) {
  return has_property(
      implementation, []<class Filter>(std::type_identity<Filter>) { return ExactSet<Filter>; },
      []<class P>(std::type_identity<P>) { return P::key_by_key; });
}

bool speed_implementation_is_tuned(std::string_view implementation) {
  return has_property(
      implementation, []<class Filter>(std::type_identity<Filter>) { return Tuned<Filter>; },
      []<class P>(std::type_identity<P>) { return P::tuned; });
}

std::uint64_t speed_implementation_bytes(const SpeedSetup& setup) {
  const SizedFilter* const sized = sized_filter(setup.implementation);
  if (sized == nullptr) return peer_bits(setup.n, setup.bits_per_key) / 8;
  std::uint64_t bits = 0;
  visit_filter(cell_of(setup, *sized),
               [&]<class Filter>(std::type_identity<Filter>, const auto& parameters) {
                 bits = Filter::memory_bits(parameters, setup.n);
               });
  return bits / 8;
}

}  // namespace bloomlab::experiments
