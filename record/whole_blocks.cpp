#include "record/whole_blocks.hpp"

#include <string>
#include <type_traits>

#include "core/catalogue.hpp"
#include "record/input_error.hpp"
#include "record/parameters_json.hpp"

namespace bloomlab::record {

std::uint64_t block_bits_of(const Json& filter) {
  std::uint64_t bits = 1;
  if (!filter.is_object() || !filter.contains("kind")) return bits;
  for_each_type<Filters>([&]<class Filter>(std::type_identity<Filter>) {
    if (filter.at("kind") != Filter::name) return;
    try {
      bits = block_bits<Filter>(parameters_of<Filter>(filter, "kind"));
    } catch (const InputError&) {
      bits = 1;
    }
  });
  return bits;
}

}  // namespace bloomlab::record
