// The filters and hash functions that a program brings beside those of the catalogue
// (experiments/own_filter.hpp, own_hash.hpp): in configs they stand by their name, filters sized as
// filters from outside are.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/hash/hash_operations.hpp"
#include "experiments/cells/implementation.hpp"
#include "experiments/own_filter.hpp"

namespace bloomlab::experiments {

/// The kinds of filters from outside.
inline constexpr std::string_view library_kind = "library";
inline constexpr std::string_view command_kind = "command";

/// Makes them known, once, before anything else is asked of this module. Throws record::InputError
/// where a name is taken, or is no lower-case word.
void bring_own_filters(std::span<const OwnFilterType> filters);

[[nodiscard]] std::span<const OwnFilterType> own_filters();
/// The one of that name, or null.
[[nodiscard]] const OwnFilterType* own_filter(std::string_view name);

/// The same for hash functions, which record::make_hasher() then knows.
void bring_own_hashes(std::span<const HashOperations> hashes);
[[nodiscard]] bool is_own_hash(std::string_view name);
/// The name of the hash that a cell of any kind has, or an empty text.
[[nodiscard]] std::string hash_named_in(const record::Json& cell);

/// What a config may say of one: names and meanings.
[[nodiscard]] std::span<const std::pair<std::string_view, std::string_view>>
own_filter_parameters();

/// SHA-256 of this program, of which own filters and hash functions are a part.
[[nodiscard]] const std::string& digest_of_this_program();

/// @param hash of the catalogue, for those that take digests
/// Throws foreign::Failure with the text of what the filter throws.
[[nodiscard]] std::unique_ptr<Implementation> make_own_filter(const OwnFilterType& type,
                                                              const FilterRequest& request,
                                                              std::string_view hash);

/// Takes out of what was counted what nobody sees of such a filter, and adds how it failed: it had
/// no room, or denies inserted keys.
void annotate_unseen_filter(bool has_room, record::Json& measured);

}  // namespace bloomlab::experiments
