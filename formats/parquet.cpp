// Filters of Parquet files. A file ends with its description, the length of that in 4 bytes, and
// PAR1; the description says where the filter of each column of each group of rows begins.

#include <algorithm>
#include <array>
#include <optional>

#include "formats/big_endian.hpp"
#include "formats/stored_filter.hpp"
#include "formats/thrift_compact.hpp"

namespace bloomlab::formats {
namespace {

constexpr std::uint64_t parquet_block_bytes = 32;

void require_type(bool fits, std::string_view what) {
  if (!fits) refuse_bytes(what, "its field has another type");
}

/// The header's choices: a union whose member 1, an empty structure, is the only one defined.
/// Whether there is a member: parquetjs writes none.
bool read_choice(ThriftReader& in, std::string_view what) {
  int choice = 0;
  in.structure([&](int id, ThriftType type) {
    choice = id;
    in.skip(type);
  });
  if (choice <= 1) return choice == 1;
  refuse_bytes(what, "choice " + std::to_string(choice) +
                         "; this release knows 1 only (split block, XXH64, not compressed)");
}

/// The header and the blocks at the front of what is left.
StoredFilter read_front(ByteReader& in) {
  ThriftReader thrift(in);
  std::int64_t bytes = 0;
  int seen = 0;
  bool chosen = true;
  thrift.structure([&](int id, ThriftType type) {
    if (id == 1) {
      require_type(type == ThriftType::i32, "bytes of the filter");
      bytes = thrift.integer("bytes of the filter");
    } else if (id >= 2 && id <= 4) {
      require_type(type == ThriftType::structure, "header of the filter");
      chosen = read_choice(thrift, id == 2   ? "algorithm"
                                   : id == 3 ? "hash"
                                             : "compression") &&
               chosen;
    } else {
      return thrift.skip(type);
    }
    seen |= 1 << id;
  });
  if (seen != 0b11110) refuse_bytes("header of the filter", "a field is missing");
  const auto size = static_cast<std::uint64_t>(bytes);
  if (bytes <= 0 || size % parquet_block_bytes != 0 || size > in.left()) {
    refuse_bytes("bytes of the filter", "found " + std::to_string(bytes) + "; a multiple of 32 " +
                                            "and at most the " + std::to_string(in.left()) +
                                            " that follow");
  }
  StoredFilter filter{.format = "parquet", .version = "split block", .hash = "xxhash64 seed 0"};
  if (!chosen) {
    filter.fault =
        "its header names no algorithm, hash or compression; strict readers do not take it";
  }

  StoredBits bits{.layout = Layout::split_block, .m = 8 * size, .k = 8};
  bits.words = {in.take(size, "blocks"), std::endian::little};
  filter.layers.push_back(std::move(bits));
  return filter;
}

/// Where a filter begins, and whose it is.
struct FilterPlace {
  std::int64_t offset = -1;
  std::optional<std::int64_t> length = std::nullopt;  ///< of the header and the blocks [bytes]
  std::optional<std::int64_t> distinct = std::nullopt;
  std::int64_t values = 0;
  std::string place;
};

std::string dotted(ThriftReader& in) {
  std::string path;
  in.list([&](std::uint64_t i, ThriftType type) {
    require_type(type == ThriftType::binary, "path of a column");
    path += (i == 0 ? "" : ".") + in.text("path of a column");
  });
  return path;
}

/// The number of distinct values that the statistics of a column state, if any.
std::optional<std::int64_t> read_distinct(ThriftReader& in) {
  std::optional<std::int64_t> distinct;
  in.structure([&](int id, ThriftType type) {
    if (id != 4 || type != ThriftType::i64) return in.skip(type);
    distinct = in.integer("number of distinct values");
  });
  return distinct;
}

FilterPlace read_column(ThriftReader& in) {
  FilterPlace found;
  in.structure([&](int id, ThriftType type) {
    if (id != 3 || type != ThriftType::structure) return in.skip(type);
    in.structure([&](int field, ThriftType of) {
      if (field == 3 && of == ThriftType::list) {
        found.place = dotted(in);
      } else if (field == 5 && of == ThriftType::i64) {
        found.values = in.integer("number of values");
      } else if (field == 14 && of == ThriftType::i64) {
        found.offset = in.integer("place of a filter");
      } else if (field == 15 && of == ThriftType::i32) {
        found.length = in.integer("length of a filter");
      } else if (field == 12 && of == ThriftType::structure) {
        found.distinct = read_distinct(in);
      } else {
        in.skip(of);
      }
    });
  });
  return found;
}

std::vector<FilterPlace> read_footer(std::span<const std::byte> footer) {
  ByteReader bytes(footer);
  ThriftReader in(bytes);
  std::vector<FilterPlace> found;
  in.structure([&](int id, ThriftType type) {
    if (id != 4 || type != ThriftType::list) return in.skip(type);
    in.list([&](std::uint64_t group, ThriftType of) {
      require_type(of == ThriftType::structure, "group of rows");
      in.structure([&](int field, ThriftType what) {
        if (field != 1 || what != ThriftType::list) return in.skip(what);
        in.list([&](std::uint64_t, ThriftType column) {
          require_type(column == ThriftType::structure, "column");
          FilterPlace place = read_column(in);
          if (place.offset < 0) return;
          place.place = "row group " + std::to_string(group) + ", column " + place.place;
          found.push_back(std::move(place));
        });
      });
    });
  });
  if (bytes.left() != 0) refuse_bytes("footer", "there is more in it than there should be");
  return found;
}

bool is_at(std::span<const std::byte> bytes, std::uint64_t place, std::string_view letters) {
  return std::ranges::equal(bytes.subspan(place, letters.size()),
                            std::as_bytes(std::span(letters)));
}

}  // namespace

StoredFilter read_parquet_filter(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  StoredFilter filter = read_front(in);
  if (in.left() != 0) {
    refuse_bytes("end", std::to_string(in.left()) + " bytes follow the blocks; none are expected");
  }
  return filter;
}

std::vector<StoredFilter> read_parquet_file(std::span<const std::byte> bytes) {
  constexpr std::uint64_t ends = 12;  // PAR1, and the length of the footer with PAR1
  if (bytes.size() < ends || !is_at(bytes, 0, "PAR1") || !is_at(bytes, bytes.size() - 4, "PAR1")) {
    refuse_bytes("Parquet", "a file begins and ends with PAR1; it was cut off, or is encrypted");
  }
  ByteReader tail(bytes.subspan(bytes.size() - 8));
  const std::uint64_t length = tail.number(4, "length of the footer");
  if (length > bytes.size() - ends) {
    refuse_bytes("length of the footer", "found " + std::to_string(length) + " in a file of " +
                                             std::to_string(bytes.size()) + " bytes");
  }
  const auto data = bytes.first(bytes.size() - 8 - length);
  std::vector<StoredFilter> filters;
  std::uint64_t taken = 0;
  for (const FilterPlace& one : read_footer(bytes.subspan(data.size(), length))) {
    if (static_cast<std::uint64_t>(one.offset) >= data.size()) {
      refuse_bytes(one.place,
                   "its filter would begin at " + std::to_string(one.offset) + ", behind the data");
    }
    ByteReader in(data.subspan(static_cast<std::uint64_t>(one.offset)));
    const std::uint64_t before = in.left();
    filters.push_back(read_front(in));
    const std::uint64_t read = before - in.left();
    if (one.length && static_cast<std::uint64_t>(*one.length) != read) {
      refuse_bytes(one.place, "its filter is " + std::to_string(read) + " bytes by its header, " +
                                  std::to_string(*one.length) + " by the footer; one was altered");
    }
    filters.back().place = one.place;
    if (one.distinct && *one.distinct >= 0) {
      filters.back().layers[0].recorded_keys = static_cast<std::uint64_t>(*one.distinct);
    }
    if (one.values >= 0) filters.back().values = static_cast<std::uint64_t>(one.values);
    // Filters do not overlap: a small file may not ask for much memory.
    taken += filters.back().layers[0].m / 8;
    if (taken > bytes.size()) refuse_bytes(one.place, "its filter overlaps others");
  }
  if (filters.empty()) {
    throw NoFilter("no column of this Parquet file has a bloom filter; ask its writer for one");
  }
  return filters;
}

std::vector<std::byte> parquet_filter_bytes(const StoredBits& bits) {
  ByteWriter out;
  out.number(0x15, 1);  // field 1, an i32
  for (std::uint64_t rest = bits.m / 8 * 2;; rest >>= 7) {
    out.number(rest < 0x80 ? rest : (rest & 0x7f) | 0x80, 1);
    if (rest < 0x80) break;
  }
  for (int i = 0; i < 3; ++i) out.number(0x00001c1c, 4);  // a union whose member 1 is empty
  out.number(0, 1);
  for (std::size_t i = 0; i < bits.words.size(); ++i) out.number(bits.words[i], 8);
  return out.take();
}

}  // namespace bloomlab::formats
