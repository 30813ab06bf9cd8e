// Which format bytes are of, once their wrappers are opened: the first whose reader takes them all.
// Formats with a magic number come first; the others are told by numbers of their header that must
// fit the length of the file.

#include <algorithm>
#include <array>
#include <string>

#include "formats/big_endian.hpp"
#include "formats/inspection.hpp"
#include "formats/joined.hpp"
#include "formats/raw.hpp"
#include "formats/stored_filter.hpp"
#include "formats/wrapped.hpp"

namespace bloomlab::formats {
namespace {

using Bytes = std::span<const std::byte>;

bool begins_with(Bytes bytes, std::string_view letters) {
  return bytes.size() >= letters.size() &&
         std::ranges::equal(bytes.first(letters.size()), std::as_bytes(std::span(letters)));
}

/// A filter that was found, and where.
struct Found {
  std::unique_ptr<OpenFilter> filter;
  std::string place = {};  ///< among several; empty: as the filter itself says
};

std::vector<Found> one(std::unique_ptr<OpenFilter> filter) {
  std::vector<Found> found;
  found.push_back({std::move(filter)});
  return found;
}

/// Bytes of a header and words of 8 bytes; 0 where their number is not there.
std::uint64_t length_of(std::uint64_t header, std::uint64_t words) {
  return words == no_number ? 0 : header + 8 * words;
}

struct Format {
  std::string_view name;
  bool has_magic;
  /// Whether the bytes begin as one of that format would.
  bool (*starts)(Bytes);
  std::vector<Found> (*read)(Bytes);
  /// Bytes of the filter that stands in front, as its header says; 0: it does not, or not here.
  std::uint64_t (*length)(Bytes) = nullptr;
};

constexpr std::array formats{
    Format{"bloomlab", true, [](Bytes bytes) { return begins_with(bytes, "BLOOMLAB"); },
           [](Bytes bytes) { return one(open_own(bytes)); }},
    Format{"parquet", true, [](Bytes bytes) { return begins_with(bytes, "PAR1"); },
           [](Bytes bytes) {
             std::vector<Found> all;
             for (StoredFilter& filter : read_parquet_file(bytes)) {
               all.push_back({open_foreign(std::move(filter))});
             }
             return all;
           }},
    Format{"parquet_filter", false,
           [](Bytes bytes) { return !bytes.empty() && bytes[0] == std::byte{0x15}; },
           [](Bytes bytes) { return one(open_foreign(read_parquet_filter(bytes))); }},
    Format{"guava", false,
           [](Bytes bytes) { return big_at(bytes, 0, 1) <= 1 && big_at(bytes, 1, 1) != 0; },
           [](Bytes bytes) { return one(open_foreign(read_guava(bytes))); },
           [](Bytes bytes) { return length_of(6, big_at(bytes, 2, 4)); }},
    Format{"spark", false,
           [](Bytes bytes) {
             return (big_at(bytes, 0, 4) == 1 || big_at(bytes, 0, 4) == 2) &&
                    big_at(bytes, 4, 4) <= max_probes;
           },
           [](Bytes bytes) { return one(open_foreign(read_spark(bytes))); },
           [](Bytes bytes) {
             const std::uint64_t header = big_at(bytes, 0, 4) == 1 ? 12 : 16;
             return length_of(header, big_at(bytes, header - 4, 4));
           }},
    Format{"bits_and_blooms", false,
           [](Bytes bytes) {
             return big_at(bytes, 0, 8) <= max_filter_bits && big_at(bytes, 8, 8) <= max_probes;
           },
           [](Bytes bytes) { return one(open_foreign(read_bits_and_blooms(bytes))); },
           [](Bytes bytes) {
             const std::uint64_t m = big_at(bytes, 0, 8);
             return length_of(24, m / 64 + (m % 64 != 0 ? 1 : 0));
           }},
    Format{"redisbloom", false,
           [](Bytes bytes) {
             if (bytes.size() < 20) return false;
             ByteReader in(bytes.subspan(8));
             const std::uint64_t layers = in.number(4, "layers");
             return layers >= 1 && layers <= 64 && in.number(4, "options") <= 15;
           },
           [](Bytes bytes) { return one(open_foreign(read_redisbloom(bytes))); }},
};

/// The filters that stand one behind the other, if a header says where the first one ends.
std::vector<Found> read_each(const Format& format, Bytes bytes) {
  constexpr std::size_t most_filters = 10'000;
  std::vector<Found> all;
  std::vector<std::uint64_t> places;
  std::uint64_t at = 0;
  do {
    const Bytes rest = bytes.subspan(at);
    const std::uint64_t told = format.length == nullptr ? 0 : format.length(rest);
    const std::uint64_t length = told == 0 ? rest.size() : std::min(told, rest.size());
    try {
      if (all.size() == most_filters) {
        throw FormatError("at most " + std::to_string(most_filters) + " are shown");
      }
      for (Found& filter : format.read(rest.first(length))) {
        all.push_back(std::move(filter));
        places.push_back(at);
      }
    } catch (const FormatError& error) {
      if (at == 0) throw;
      throw FormatError("filter " + std::to_string(all.size() + 1) + ", at byte " +
                        std::to_string(at) + ": " + error.what());
    }
    at += length;  // not 0: no reader takes nothing for a filter
  } while (at < bytes.size());
  for (std::size_t i = 0; format.length != nullptr && all.size() > 1 && i < all.size(); ++i) {
    all[i].place = "filter " + std::to_string(i + 1) + " of " + std::to_string(all.size()) +
                   ", at byte " + std::to_string(places[i]);
  }
  return all;
}

std::string joined(std::span<const std::string_view> names, std::string_view between) {
  std::string text;
  for (const std::string_view name : names) {
    text += (text.empty() ? "" : std::string(between)) + std::string(name);
  }
  return text;
}

/// Where nothing begins like a filter.
std::string unknown(bool empty) {
  return std::string(empty ? "holds nothing" : "no filter that is known begins like this") +
         "; formats: " + joined(format_names(), " ") + "; opened are " +
         joined(wrapper_names, ", ") + "; bits alone: --format raw --bits M --probes K";
}

/// @param damage why what begins like a wrapper is none; empty: it does not
std::vector<Found> recognised(Bytes bytes, std::string_view wanted, const std::string& damage) {
  std::string reasons;
  bool magic = false;
  for (const Format& format : formats) {
    if (wanted.empty() ? !format.starts(bytes) : format.name != wanted) continue;
    try {
      return read_each(format, bytes);
    } catch (const NoFilter&) {
      throw;
    } catch (const OtherVersion&) {
      throw;
    } catch (const FormatError& error) {
      reasons += "; as " + std::string(format.name) + ": " + error.what();
      magic = format.has_magic;
      if (magic) break;
    }
  }
  if (!damage.empty()) throw FormatError(damage);
  if (!magic && wanted.empty()) {
    if (const auto name = named_format(bytes)) throw FormatError(*name);
  }
  throw FormatError(reasons.empty() ? unknown(bytes.empty()) : "damaged, or no filter" + reasons);
}

/// Calls take(filter, wrappers) with all that read(bytes, damage) finds in the wrappers; `damage`
/// says why the innermost one is not opened, if it looks like one.
template <class Read, class Take>
void in_wrappers(Bytes bytes, const Read& read, const Take& take) {
  std::vector<std::string> wrappers;
  std::vector<std::byte> held;
  std::string damage;
  const auto around = [&] {
    std::string text;
    for (const std::string& wrapper : wrappers) text += wrapper + ", in it ";
    return text;
  };
  try {
    while (damage.empty()) {
      std::optional<Opened> inner;
      try {
        inner = open_wrapper(bytes);
      } catch (const FormatError& error) {
        damage = error.what();
      }
      if (!inner) break;
      if (wrappers.size() == most_wrappers) {
        throw FormatError(std::string(inner->wrapper) + "; at most " +
                          std::to_string(most_wrappers) + " are opened: open one yourself");
      }
      wrappers.emplace_back(inner->wrapper);
      held = std::move(inner->bytes);
      bytes = held;
    }
    for (const Found& found : read(bytes, damage)) take(found, wrappers);
  } catch (const FormatError& error) {
    if (wrappers.empty()) throw;
    throw FormatError(around() + error.what());
  }
}

template <class Read>
std::vector<Inspection> inspected(Bytes bytes, std::optional<double> p, const Read& read) {
  std::vector<Inspection> all;
  in_wrappers(bytes, read, [&](const Found& found, const std::vector<std::string>& wrappers) {
    Inspection told = found.filter->told(p);
    if (!found.place.empty()) told.place = found.place;
    told.wrappers = wrappers;
    all.push_back(std::move(told));
  });
  return all;
}

}  // namespace

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats) names.push_back(format.name);
  return names;
}

std::vector<Inspection> inspect_bytes(Bytes bytes, std::optional<double> p,
                                      std::string_view wanted) {
  return inspected(bytes, p, [&](Bytes inner, const std::string& damage) {
    return recognised(inner, wanted, damage);
  });
}

void for_each_filter(Bytes bytes, std::string_view format,
                     const std::function<void(const OpenFilter&)>& take) {
  in_wrappers(
      bytes,
      [&](Bytes inner, const std::string& damage) { return recognised(inner, format, damage); },
      [&](const Found& found, const std::vector<std::string>&) { take(*found.filter); });
}

std::vector<Inspection> inspect_raw(Bytes bytes, std::optional<double> p, const RawBits& raw) {
  return inspected(bytes, p, [&](Bytes inner, const std::string& damage) {
    if (!damage.empty()) throw FormatError(damage);
    return one(open_foreign(read_raw(inner, raw)));
  });
}

}  // namespace bloomlab::formats
