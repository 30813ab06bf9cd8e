#include "planner/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "record/input_error.hpp"
#include "record/number_text.hpp"

namespace bloomlab::planner {
namespace {

/// SI prefixes by power of 1000.
constexpr std::string_view prefixes = "kMGTPEZY";
constexpr double ns_per_second = 1e9;
constexpr double seconds_per_minute = 60.0;

[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string_view fault) {
  std::string message(what);
  message.append(": found \"").append(text).append("\"; ").append(fault);
  throw record::InputError(message);
}

/// Power of 1000 that a prefix stands for; K is k.
std::optional<int> power_of_prefix(char c) {
  const std::size_t at = prefixes.find(c == 'K' ? 'k' : c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<int>(at) + 1;
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

bool only_spaces(std::string_view text) { return without_spaces(text).empty(); }

/// A whole number of things has no thousandths: the small letter means the large one.
char prefix_of_count(char c) {
  constexpr std::string_view small = "mgt";
  return small.find(c) == std::string_view::npos ? c : static_cast<char>(c - 'a' + 'A');
}

/// The space or comma that a text begins with; empty where it begins with neither. Programs print
/// the other spaces between groups of digits, and readers copy them.
std::string_view leading_separator(std::string_view text) {
  for (const std::string_view one : {" ", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF", ","}) {
    if (text.starts_with(one)) return one;
  }
  return {};
}

std::size_t leading_digits(std::string_view text) {
  const std::size_t end = text.find_first_not_of("0123456789");
  return std::min(end, text.size());
}

/// The text without what separates groups of three digits in the number that it begins with:
/// 10 000 000 and 10,000,000 are 10000000. A text that is not grouped so stays as it is; so does
/// one whose only comma may be a decimal one, unless `comma_groups`.
std::string ungrouped(std::string_view text, bool comma_groups) {
  const std::size_t first = leading_digits(text);
  const std::string_view separator = leading_separator(text.substr(first));
  if (first == 0 || first > 3 || text.front() == '0' || separator.empty()) return std::string(text);
  std::string digits(text.substr(0, first));
  std::string_view rest = text.substr(first);
  int groups = 0;
  while (rest.starts_with(separator) && leading_digits(rest.substr(separator.size())) == 3) {
    digits += rest.substr(separator.size(), 3);
    rest.remove_prefix(separator.size() + 3);
    ++groups;
  }
  if (separator == "," && groups == 1 && !comma_groups) return std::string(text);
  return digits.append(rest);
}

/// A number with an SI prefix right behind it, and nothing else; nothing where it is not that.
/// @param counts of whole things, where m means M
std::optional<Decimal> with_prefix(std::string_view text, bool counts) {
  std::optional<Decimal> number = read_decimal(text);
  if (!number || number->rest.empty()) return number;
  const char prefix = number->rest.front();
  const auto power = power_of_prefix(counts ? prefix_of_count(prefix) : prefix);
  if (!power) return std::nullopt;
  if (number->digits > 0) number->exponent += 3 * *power;
  number->rest.remove_prefix(1);
  return number;
}

/// 2^34; nothing where the text is no such power, or one above 2^63.
std::optional<std::uint64_t> power_of_two(std::string_view text) {
  if (!text.starts_with("2^")) return std::nullopt;
  unsigned exponent = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + 2, end, exponent);
  if (read.ec != std::errc() || read.ptr != end || exponent > 63) return std::nullopt;
  return std::uint64_t{1} << exponent;
}

/// Bits of a unit of memory; nothing for a word that is no unit.
std::optional<std::uint64_t> bits_of_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::uint64_t>, 6> names = {
      {{"bits", 1}, {"bit", 1}, {"b", 1}, {"bytes", 8}, {"byte", 8}, {"B", 8}}};
  const auto name = std::ranges::find_if(
      names, [&](const auto& candidate) { return unit.ends_with(candidate.first); });
  if (name == names.end()) return std::nullopt;
  std::uint64_t bits = name->second;
  const std::string_view prefix = unit.substr(0, unit.size() - name->first.size());
  if (prefix.empty()) return bits;
  const auto power = power_of_prefix(prefix.front());
  const bool binary = prefix.size() == 2 && prefix[1] == 'i';
  if (!power || *power > 6 || (prefix.size() > 1 && !binary)) return std::nullopt;
  for (int i = 0; i < *power; ++i) bits *= binary ? 1024 : 1000;
  return bits;
}

/// The text without the " keys" or " key" behind a number of keys.
std::string_view without_things(std::string_view text, std::string_view things) {
  if (things.empty()) return text;
  for (const std::string_view name : {things, things.substr(0, things.size() - 1)}) {
    if (!text.ends_with(name) || text.size() <= name.size() + 1) continue;
    const std::string_view number = text.substr(0, text.size() - name.size());
    if (number.back() == ' ') return number.substr(0, number.size() - 1);
  }
  return text;
}

constexpr std::string_view memory_examples =
    "write a number and a unit: 64MiB, 64MB (10^6 bytes), 64Mb (10^6 bits), 512KiB, 1GiB, 4096bits";

/// Whether a text ends as a size in memory does, and not as a number of `things`, bits or bytes,
/// which may be named behind a space.
bool names_memory(std::string_view text, std::string_view things) {
  if (text.ends_with(" " + std::string(things))) return false;
  constexpr std::array<std::string_view, 6> units = {"B", "b", "bit", "bits", "byte", "bytes"};
  return std::ranges::any_of(units, [&](std::string_view unit) { return text.ends_with(unit); });
}

/// "1 in 1000000" as a probability; nothing where the text does not begin with "1 in".
std::optional<double> one_in(std::string_view text) {
  if (!text.starts_with("1 in ")) return std::nullopt;
  const std::string count = ungrouped(without_spaces(text.substr(5)), true);
  const auto number = with_prefix(count, true);
  if (!number || !number->rest.empty()) return std::nullopt;
  return 1.0 / number->value();
}

/// A number, or a number and %; nothing where it is neither.
std::optional<double> share_of(std::string_view text) {
  const auto number = read_decimal(text);
  if (!number) return std::nullopt;
  if (number->rest.empty()) return number->value();
  if (without_spaces(number->rest) != "%") return std::nullopt;
  Decimal hundredth = *number;
  if (hundredth.digits > 0) hundredth.exponent -= 2;
  return hundredth.value();
}

constexpr std::uint64_t most = std::uint64_t{1} << 63;
constexpr int most_digits = 19;
constexpr int largest_exponent = 400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view times_ten = "\u00d710";

/// One superscript digit or minus as programs print it, as the plain character and its bytes.
std::optional<std::pair<char, std::size_t>> plain_superscript(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 11> all = {{{"\u207b", '-'},
                                                                      {"\u2070", '0'},
                                                                      {"\u00b9", '1'},
                                                                      {"\u00b2", '2'},
                                                                      {"\u00b3", '3'},
                                                                      {"\u2074", '4'},
                                                                      {"\u2075", '5'},
                                                                      {"\u2076", '6'},
                                                                      {"\u2077", '7'},
                                                                      {"\u2078", '8'},
                                                                      {"\u2079", '9'}}};
  for (const auto& [printed, plain] : all) {
    if (text.starts_with(printed)) return std::pair{plain, printed.size()};
  }
  return std::nullopt;
}

/// The exponent of "×10⁻⁵", as numbers are printed, and how many bytes it takes.
std::optional<std::pair<int, std::size_t>> read_printed_exponent(std::string_view text) {
  constexpr std::size_t most_characters = 4;
  if (!text.starts_with(times_ten)) return std::nullopt;
  std::size_t end = times_ten.size();
  std::string digits;
  while (const auto next = plain_superscript(text.substr(end))) {
    digits += next->first;
    end += next->second;
  }
  int value = 0;
  const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool read = fault == std::errc() && stop == digits.data() + digits.size();
  if (!read || digits.size() > most_characters) return std::nullopt;
  return std::pair{value, end};
}

/// The exponent behind e or E, and how many characters it takes; nothing where there is none, so
/// that the E of 3E stays a prefix.
std::optional<std::pair<int, std::size_t>> read_exponent(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  const std::size_t sign = text[1] == '-' || text[1] == '+' ? 1 : 0;
  std::size_t end = 1 + sign;
  int value = 0;
  for (; end < text.size() && is_digit(text[end]); ++end) {
    if (value < largest_exponent) value = 10 * value + (text[end] - '0');
  }
  if (end == 1 + sign) return std::nullopt;
  return std::pair{text[1] == '-' ? -value : value, end};
}

/// A size in memory as bits, at most 2^63.
ScaledInteger memory_size(std::string_view what, std::string_view text) {
  const std::string digits = ungrouped(text, false);
  const auto number = read_decimal(digits);
  if (!number) refuse(what, text, memory_examples);
  if (only_spaces(number->rest)) {
    std::string fault = "it could mean bits, bytes or megabytes; ";
    fault += memory_examples;
    refuse(what, text, fault);
  }
  const std::string_view unit = without_spaces(number->rest);
  const auto unit_bits = bits_of_unit(unit);
  if (!unit_bits) {
    std::string fault = "\"";
    fault.append(unit).append("\" is no unit of memory; ").append(memory_examples);
    refuse(what, text, fault);
  }
  const ScaledInteger bits = scaled(*number, *unit_bits);
  if (bits.too_large) refuse(what, text, "at most 2^63 bits = 1 EiB is allowed");
  return bits;
}

/// What a whole number counts, bits or bytes.
struct MemoryUnit {
  std::string_view name;
  std::uint64_t bits;
  std::string_view example;
};

/// A whole number of the unit, or a size in memory of so many.
std::uint64_t whole_number(std::string_view what, std::string_view text, const MemoryUnit& unit,
                           std::uint64_t largest, std::uint64_t smallest) {
  const std::string name(unit.name);
  if (!names_memory(text, name)) return parse_count(what, text, name, largest, smallest);
  const ScaledInteger size = memory_size(what, text);
  if (!size.whole || size.value % unit.bits != 0) {
    refuse(what, text,
           "a whole number of " + name + " is allowed, such as " + std::string(unit.example));
  }
  const std::uint64_t number = size.value / unit.bits;
  if (number < smallest || number > largest) {
    refuse(what, text,
           "from " + std::to_string(smallest) + " to " + std::to_string(largest) + " " + name +
               " are allowed");
  }
  return number;
}

}  // namespace

std::uint64_t parse_count(std::string_view what, std::string_view text, std::string_view things,
                          std::uint64_t most, std::uint64_t least) {
  const bool any = most == largest_quantity;
  std::string allowed = "a whole number";
  if (!things.empty()) allowed.append(" of ").append(things);
  allowed += " from " + std::to_string(least) + " to ";
  allowed +=
      any ? "2^63 is allowed, such as 10000000, 1e7 or 10M" : std::to_string(most) + " is allowed";
  const std::string digits = ungrouped(without_things(text, things), true);
  if (const auto power = power_of_two(digits); power && *power >= least && *power <= most) {
    return *power;
  }
  const auto plain = read_decimal(digits);
  if (plain && plain->rest.size() == 2 && plain->rest.front() == ' ' &&
      power_of_prefix(prefix_of_count(plain->rest.back()))) {
    refuse(what, text, "write the prefix right behind the number, such as 64M");
  }
  const auto number = with_prefix(digits, true);
  if (!number || !number->rest.empty()) refuse(what, text, allowed);
  const ScaledInteger count = scaled(*number, 1);
  if (count.too_large && any) refuse(what, text, "at most 2^63 = 9.22e18 is allowed");
  if (count.too_large || !count.whole || count.value < least || count.value > most)
    refuse(what, text, allowed);
  return count.value;
}

double parse_probability(std::string_view what, std::string_view text) {
  const auto value = one_in(text) ? one_in(text) : share_of(text);
  if (!value || !(*value > 0.0 && *value < 1.0)) {
    refuse(what, text,
           "a rate above 0 and below 1 is allowed, such as 1e-4, 0.01% or \"1 in 1000000\"");
  }
  return *value;
}

double parse_share(std::string_view what, std::string_view text) {
  const auto value = share_of(text);
  if (!value || *value > 1.0) {
    refuse(what, text, "a share from 0 to 1 is allowed, such as 0.3 or 30%");
  }
  return *value;
}

std::uint64_t parse_memory(std::string_view what, std::string_view text) {
  const std::uint64_t bits = memory_size(what, text).value;
  if (bits == 0) refuse(what, text, "at least 1 bit is allowed");
  return bits;
}

std::uint64_t parse_bits(std::string_view what, std::string_view text, std::uint64_t most) {
  if (!names_memory(text, "bits")) return parse_count(what, text, "bits", most);
  const std::uint64_t bits = parse_memory(what, text);
  if (bits > most) refuse(what, text, "at most " + std::to_string(most) + " bits are allowed");
  return bits;
}

std::uint64_t parse_whole_bits(std::string_view what, std::string_view text, std::uint64_t most,
                               std::uint64_t least) {
  return whole_number(what, text, {"bits", 1, "1Kib"}, most, least);
}

std::uint64_t parse_bytes(std::string_view what, std::string_view text, std::uint64_t most,
                          std::uint64_t least) {
  return whole_number(what, text, {"bytes", 8, "1MiB"}, most, least);
}

double parse_duration_ns(std::string_view what, std::string_view text) {
  struct Unit {
    std::string_view name;
    double ns;
  };
  static constexpr std::array<Unit, 6> units = {{{"ns", 1.0},
                                                 {"us", 1e3},
                                                 {"\xC2\xB5s", 1e3},
                                                 {"ms", 1e6},
                                                 {"s", ns_per_second},
                                                 {"min", seconds_per_minute * ns_per_second}}};
  if (const auto number = read_decimal(text); number && number->digits > 0) {
    for (const Unit& unit : units) {
      const double duration = number->value() * unit.ns;
      if (without_spaces(number->rest) != unit.name) continue;
      if (duration > 0.0 && std::isfinite(duration)) return duration;
    }
  }
  refuse(what, text,
         "a duration above 0 is allowed: a number and ns, us, ms, s or min, such as 5ms");
}

double parse_frequency(std::string_view what, std::string_view text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string_view period = text.substr(slash);
  const auto number = with_prefix(text.substr(0, slash), false);
  const bool known = period.empty() || period == "/s" || period == "/min";
  const bool read = known && number && number->rest.empty();
  const double frequency =
      read ? number->value() / (period == "/min" ? seconds_per_minute : 1.0) : 0.0;
  // A number too small to be stored, such as 1e-400, is 0.
  if (!(frequency > 0.0) || !std::isfinite(frequency)) {
    refuse(what, text, "a frequency above 0 is allowed, such as 20k/s, 1e6/s or 300/min");
  }
  return frequency;
}

double parse_price_per_bit(std::string_view what, std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto number = read_decimal(text.substr(0, slash));
  const auto unit_bits = slash == std::string_view::npos ? std::optional<std::uint64_t>()
                                                         : bits_of_unit(text.substr(slash + 1));
  if (!number || !number->rest.empty() || !unit_bits || !std::isfinite(number->value())) {
    refuse(what, text, "a price is a number, a slash and a unit of memory, such as 0.05/GiB");
  }
  return number->value() / static_cast<double>(*unit_bits);
}

double Decimal::value() const {
  const std::string text = std::to_string(digits) + "e" + std::to_string(exponent);
  double value = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Out of range leaves the value alone: too large or too small for a double.
  if (fault == std::errc::result_out_of_range && exponent > 0) return 1e308 * 10.0;
  return value;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  std::size_t found = 0;
  int significant = 0;
  bool fraction = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    ++found;
    if (number.digits > 0 || text[at] != '0') ++significant;
    if (significant > most_digits) {
      if (text[at] != '0') return std::nullopt;
      number.exponent += fraction ? 0 : 1;
      continue;
    }
    number.digits = 10 * number.digits + static_cast<std::uint64_t>(text[at] - '0');
    number.exponent -= fraction ? 1 : 0;
  }
  if (found == 0) return std::nullopt;
  auto power = read_exponent(text.substr(at));
  if (!power) power = read_printed_exponent(text.substr(at));
  if (power) {
    number.exponent += power->first;
    at += power->second;
  }
  if (number.digits == 0) number.exponent = 0;
  number.rest = text.substr(at);
  return number;
}

ScaledInteger scaled(const Decimal& number, std::uint64_t factor) {
  __extension__ using Wide = unsigned __int128;
  Wide value = static_cast<Wide>(number.digits) * factor;
  ScaledInteger result;
  for (int i = 0; i < number.exponent && value <= most; ++i) value *= 10;
  for (int i = 0; i > number.exponent && value > 0; --i) {
    result.whole = result.whole && value % 10 == 0;
    value /= 10;
  }
  result.too_large = value > most;
  result.value = static_cast<std::uint64_t>(value);
  return result;
}

std::string spaced(std::uint64_t value) {
  std::string text = std::to_string(value);
  if (text.size() <= 4) return text;
  for (std::size_t at = text.size() - 3; at < text.size() && at > 0;
       at -= std::min<std::size_t>(at, 3)) {
    text.insert(at, 1, ' ');
  }
  return text;
}

std::string counted_text(std::uint64_t count, std::string_view thing) {
  return spaced(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

std::string rate_text(double rate) {
  const std::string text = parameter_text(rate);
  return text == "1" && rate < 1.0 ? exact_text(rate) : text;
}

std::string one_in_text(double rate) {
  if (!(rate > 0.0)) return "none";
  const double count = 1.0 / rate;
  if (count < 10.0) return "1 in " + significant(count, 3);
  // 1 / rate is no number beyond 10^308.
  if (!std::isfinite(count)) return "1 in 10^" + significant(-std::log10(rate), 3);
  if (count >= 1e9) return "1 in " + significant(count, 4);
  return "1 in " + spaced(static_cast<std::uint64_t>(count));
}

std::string iec_text(std::uint64_t bits, int digits) {
  static constexpr std::array<std::string_view, 7> units = {"B",   "KiB", "MiB", "GiB",
                                                            "TiB", "PiB", "EiB"};
  double size = static_cast<double>(bits) / 8.0;
  std::size_t unit = 0;
  for (; size >= 1024.0 && unit + 1 < units.size(); ++unit) size /= 1024.0;
  return significant(size, digits) + " " + std::string(units[unit]);
}

}  // namespace bloomlab::planner
