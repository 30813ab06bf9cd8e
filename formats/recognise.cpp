// Which format bytes are of: the first whose reader takes them all. Formats with a magic number
// come first; the others are told by numbers of their header that must fit the length of the file.

#include <algorithm>
#include <array>
#include <string>

#include "formats/big_endian.hpp"
#include "formats/inspection.hpp"
#include "formats/stored_filter.hpp"

namespace bloomlab::formats {
namespace {

using Bytes = std::span<const std::byte>;

bool begins_with(Bytes bytes, std::string_view letters) {
  return bytes.size() >= letters.size() &&
         std::ranges::equal(bytes.first(letters.size()), std::as_bytes(std::span(letters)));
}

std::uint64_t big_at(Bytes bytes, std::size_t place, int count) {
  if (place + static_cast<std::size_t>(count) > bytes.size()) return ~std::uint64_t{0};
  ByteReader in(bytes.subspan(place));
  return take_big(in, count, "start");
}

std::vector<Inspection> one(const StoredFilter& filter, std::optional<double> p) {
  return {inspect(filter, p)};
}

struct Format {
  std::string_view name;
  bool has_magic;
  /// Whether the bytes begin as one of that format would.
  bool (*starts)(Bytes);
  std::vector<Inspection> (*read)(Bytes, std::optional<double>);
};

constexpr std::array formats{
    Format{"bloomlab", true, [](Bytes bytes) { return begins_with(bytes, "BLOOMLAB"); },
           [](Bytes bytes, std::optional<double> p) {
             return std::vector<Inspection>{inspect_own(bytes, p)};
           }},
    Format{"parquet", true, [](Bytes bytes) { return begins_with(bytes, "PAR1"); },
           [](Bytes bytes, std::optional<double> p) {
             std::vector<Inspection> all;
             for (const StoredFilter& filter : read_parquet_file(bytes)) {
               all.push_back(inspect(filter, p));
             }
             return all;
           }},
    Format{"parquet_filter", false,
           [](Bytes bytes) { return !bytes.empty() && bytes[0] == std::byte{0x15}; },
           [](Bytes bytes, std::optional<double> p) { return one(read_parquet_filter(bytes), p); }},
    Format{"guava", false,
           [](Bytes bytes) { return big_at(bytes, 0, 1) <= 1 && big_at(bytes, 1, 1) != 0; },
           [](Bytes bytes, std::optional<double> p) { return one(read_guava(bytes), p); }},
    Format{"spark", false,
           [](Bytes bytes) {
             return (big_at(bytes, 0, 4) == 1 || big_at(bytes, 0, 4) == 2) &&
                    big_at(bytes, 4, 4) <= max_probes;
           },
           [](Bytes bytes, std::optional<double> p) { return one(read_spark(bytes), p); }},
    Format{
        "bits_and_blooms", false,
        [](Bytes bytes) {
          return big_at(bytes, 0, 8) <= max_filter_bits && big_at(bytes, 8, 8) <= max_probes;
        },
        [](Bytes bytes, std::optional<double> p) { return one(read_bits_and_blooms(bytes), p); }},
    Format{"redisbloom", false,
           [](Bytes bytes) {
             if (bytes.size() < 20) return false;
             ByteReader in(bytes.subspan(8));
             const std::uint64_t layers = in.number(4, "layers");
             return layers >= 1 && layers <= 64 && in.number(4, "options") <= 15;
           },
           [](Bytes bytes, std::optional<double> p) { return one(read_redisbloom(bytes), p); }},
};

}  // namespace

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats) names.push_back(format.name);
  return names;
}

std::vector<Inspection> inspect_bytes(Bytes bytes, std::optional<double> p,
                                      std::string_view wanted) {
  std::string reasons;
  for (const Format& format : formats) {
    if (wanted.empty() ? !format.starts(bytes) : format.name != wanted) continue;
    try {
      return format.read(bytes, p);
    } catch (const NoFilter&) {
      throw;
    } catch (const OtherVersion&) {
      throw;
    } catch (const FormatError& error) {
      reasons += "; as " + std::string(format.name) + ": " + error.what();
      if (format.has_magic) break;
    }
  }
  throw FormatError(reasons.empty()
                        ? "no filter that is known begins like this; name it by --format"
                        : "damaged, or no filter" + reasons);
}

}  // namespace bloomlab::formats
