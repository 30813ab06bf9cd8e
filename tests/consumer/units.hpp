// What the units of the program share: the filters, and functions that each unit compiles anew.
#pragma once

#include <array>
#include <bloomlab/core/filters/split_block.hpp>
#include <bloomlab/core/keyed_filter.hpp>
#include <bloomlab/core/probe/products.hpp>
#include <cstddef>
#include <cstdint>

using Lines = bloomlab::KeyedFilter<bloomlab::XxHash3_64, bloomlab::SplitBlock>;
using Classic = bloomlab::KeyedFilter<>;
using Eight = std::array<std::uint64_t, 8>;

namespace plain {
void insert_lines(Lines& filter, std::uint64_t first, std::uint64_t end);
std::size_t count_lines(const Lines& filter, std::uint64_t first, std::uint64_t end);
void insert_classic(Classic& filter, std::uint64_t first, std::uint64_t end);
std::size_t count_classic(const Classic& filter, std::uint64_t first, std::uint64_t end);
Eight eight_positions(std::uint64_t word, std::size_t first, std::uint64_t m);
}  // namespace plain
namespace vectors {
void insert_lines(Lines& filter, std::uint64_t first, std::uint64_t end);
std::size_t count_lines(const Lines& filter, std::uint64_t first, std::uint64_t end);
void insert_classic(Classic& filter, std::uint64_t first, std::uint64_t end);
std::size_t count_classic(const Classic& filter, std::uint64_t first, std::uint64_t end);
Eight eight_positions(std::uint64_t word, std::size_t first, std::uint64_t m);
}  // namespace vectors
