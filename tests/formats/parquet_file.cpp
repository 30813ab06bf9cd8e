// Parquet files and their filters, written here number by number: what the footer may say, what it
// may leave out, and where each limit is.

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/stored_filter.hpp"
#include "formats/thrift_compact.hpp"

using namespace bloomlab;
using namespace bloomlab::formats;
using namespace std::string_literals;

namespace {

constexpr int i32_type = 5;
constexpr int i64_type = 6;
constexpr int binary_type = 8;
constexpr int list_type = 9;
constexpr int structure_type = 12;

std::string varint_text(std::uint64_t value) {
  std::string text;
  for (; value >= 128; value /= 128) text += static_cast<char>(value % 128 + 128);
  return text + static_cast<char>(value);
}

std::string integer_text(std::int64_t value) {
  const auto twice = 2 * static_cast<std::uint64_t>(value);
  return varint_text(value < 0 ? ~twice : twice);
}

std::string binary_text(const std::string& letters) {
  return varint_text(letters.size()) + letters;
}

/// A structure, field by field.
class Structure {
 public:
  Structure& field(int id, int type, const std::string& value) {
    const int step = id - last_;
    if (step >= 1 && step <= 15) {
      text_ += static_cast<char>(16 * step + type);
    } else {
      text_ += static_cast<char>(type) + integer_text(id);
    }
    text_ += value;
    last_ = id;
    return *this;
  }
  Structure& number(int id, int type, const std::optional<std::int64_t>& value) {
    return value ? field(id, type, integer_text(*value)) : *this;
  }
  std::string text() const { return text_ + '\0'; }

 private:
  std::string text_;
  int last_ = 0;
};

std::string list_text(int type, const std::vector<std::string>& elements) {
  const auto count = static_cast<int>(elements.size());
  std::string text(1, static_cast<char>(16 * std::min(count, 15) + type));
  if (count >= 15) text += varint_text(elements.size());
  for (const std::string& element : elements) text += element;
  return text;
}

const std::string one_choice = Structure().field(1, structure_type, "\0"s).text();

/// The header of a filter of so many bytes.
std::string filter_header(std::int64_t bytes) {
  return Structure()
      .number(1, i32_type, bytes)
      .field(2, structure_type, one_choice)
      .field(3, structure_type, one_choice)
      .field(4, structure_type, one_choice)
      .text();
}

const std::string small_filter = filter_header(32) + std::string(32, '\x11');

struct ColumnText {
  std::vector<std::string> path = {"a"};
  std::optional<std::int64_t> offset = 4;
  std::optional<std::int64_t> length = std::nullopt;
  std::optional<std::int64_t> values = std::nullopt;
  std::optional<std::int64_t> distinct = std::nullopt;

  std::string text() const {
    std::vector<std::string> names;
    for (const std::string& name : path) names.push_back(binary_text(name));
    Structure about;
    about.number(1, i32_type, 6).field(3, list_type, list_text(binary_type, names));
    about.number(5, i64_type, values).number(6, i64_type, 100);
    if (distinct) {
      about.field(12, structure_type,
                  Structure().number(3, i64_type, 3).number(4, i64_type, distinct).text());
    }
    about.number(14, i64_type, offset).number(15, i32_type, length).number(40, i32_type, 1);
    return Structure()
        .number(2, i64_type, 4)
        .field(3, structure_type, about.text())
        .number(4, i64_type, 9)
        .text();
  }
};

std::string group_text(const std::vector<ColumnText>& columns) {
  std::vector<std::string> texts;
  for (const ColumnText& column : columns) texts.push_back(column.text());
  return Structure()
      .field(1, list_type, list_text(structure_type, texts))
      .number(2, i64_type, 1)
      .text();
}

std::string footer_text(const std::vector<std::string>& groups) {
  return Structure()
      .number(1, i32_type, 2)
      .field(4, list_type, list_text(structure_type, groups))
      .number(30, i64_type, 1)
      .text();
}

std::string parquet_text(const std::string& data, const std::string& footer,
                         std::optional<std::uint64_t> length = std::nullopt) {
  std::string text = "PAR1" + data + footer;
  for (int i = 0; i < 4; ++i) {
    text += static_cast<char>(length.value_or(footer.size()) >> (8 * i));
  }
  return text + "PAR1";
}

std::vector<StoredFilter> filters_in(const std::string& file) {
  return read_parquet_file(std::as_bytes(std::span(file)));
}

/// The only filter of a file with this column, whose data is one small filter.
StoredFilter filter_of_column(const ColumnText& column) {
  const std::string file = parquet_text(small_filter, footer_text({group_text({column})}));
  auto all = filters_in(file);
  REQUIRE(all.size() == 1);
  all[0].layers[0].words = {};  // a view of the file
  return all[0];
}

std::string refusal_of_column(const ColumnText& column) {
  try {
    static_cast<void>(filter_of_column(column));
  } catch (const FormatError& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

TEST_CASE("keys and values of a Parquet column are those that its footer states",
          "[formats][parquet]") {
  using Count = std::optional<std::uint64_t>;
  const std::pair<std::optional<std::int64_t>, Count> distinct[] = {
      {std::nullopt, std::nullopt}, {-1, std::nullopt}, {0, 0}, {1, 1}, {7, 7}};
  for (const auto& [stated, keys] : distinct) {
    const StoredFilter filter = filter_of_column({.distinct = stated});
    CHECK(filter.layers[0].recorded_keys == keys);
    CHECK(filter.layers[0].m == 256);
    CHECK(filter.layers[0].k == 8);
  }
  const std::pair<std::int64_t, Count> values[] = {
      {-1, std::nullopt},
      {0, 0},
      {1, 1},
      {std::numeric_limits<std::int64_t>::max(), std::uint64_t{1} << 63 ^ ~std::uint64_t{0}}};
  for (const auto& [stated, shown] : values) {
    CHECK(filter_of_column({.values = stated}).values == shown);
  }
  CHECK(filter_of_column({}).values.value_or(0) == 0);
}

TEST_CASE("a filter that stands elsewhere or is longer than the footer says is refused",
          "[formats][parquet]") {
  const auto size = static_cast<std::int64_t>(small_filter.size());
  for (const std::optional<std::int64_t> length : {std::optional<std::int64_t>(), {size}}) {
    CHECK(refusal_of_column({.length = length}) == "read");
  }
  for (const std::int64_t length : {size - 1, size + 1, std::int64_t{0}, std::int64_t{-1}, -size}) {
    CHECK(refusal_of_column({.length = length}) ==
          "row group 0, column a: its filter is 47 bytes by its header, " + std::to_string(length) +
              " by the footer; one was altered");
  }
  const std::string none =
      "no column of this Parquet file has a bloom filter; ask its writer for one";
  const std::int64_t end = 4 + size;  // of the data
  CHECK(refusal_of_column({.offset = std::nullopt}) == none);
  CHECK(refusal_of_column({.offset = -1}) == none);
  for (const std::int64_t offset : {end, end + 1, std::numeric_limits<std::int64_t>::max()}) {
    CHECK(refusal_of_column({.offset = offset}) ==
          "row group 0, column a: its filter would begin at " + std::to_string(offset) +
              ", behind the data");
  }
  // The last byte of the blocks, 0x11, says field 1 and a bool.
  CHECK(refusal_of_column({.offset = end - 1}) ==
        "bytes of the filter: its field has another type");
  CHECK(refusal_of_column({.offset = 0}) != "read");
}

TEST_CASE("filters of a Parquet file do not take more bytes than the file has",
          "[formats][parquet]") {
  std::string file;
  std::string footer;
  std::size_t filters = 0;
  do {
    const std::vector<ColumnText> columns(++filters);
    footer = footer_text({group_text(columns)});
    file = parquet_text(small_filter, footer);
  } while (file.size() > 32 * filters);
  const std::size_t unused = 32 * filters - file.size();
  REQUIRE(unused > 0);
  CHECK(filters_in(parquet_text(small_filter + std::string(unused, '\0'), footer)).size() ==
        filters);
  CHECK_THROWS_WITH(filters_in(parquet_text(small_filter + std::string(unused - 1, '\0'), footer)),
                    "row group 0, column a: its filter overlaps others");
}

TEST_CASE("each filter of a Parquet file has the place of its group and column",
          "[formats][parquet]") {
  const std::string one = filter_header(32) + std::string(32, '\x11');
  const std::string two = filter_header(64) + std::string(64, '\x01');
  const auto second = static_cast<std::int64_t>(4 + one.size());
  const auto one_size = static_cast<std::int64_t>(one.size());
  const auto two_size = static_cast<std::int64_t>(two.size());
  const std::string file = parquet_text(
      one + two,
      footer_text({group_text({{.path = {"a", "b", "c"}, .length = one_size},
                               {.path = {"d"}, .offset = std::nullopt},
                               {.path = {"e"}, .offset = second, .length = two_size}}),
                   group_text({}), group_text({{.path = {"f", ""}, .offset = second}})}));
  const auto all = filters_in(file);
  REQUIRE(all.size() == 3);
  CHECK(all[0].place == "row group 0, column a.b.c");
  CHECK(all[1].place == "row group 0, column e");
  CHECK(all[2].place == "row group 2, column f.");
  CHECK(all[0].layers[0].m == 256);
  CHECK(all[0].layers[0].words[3] == 0x1111111111111111);
  for (const std::size_t i : {1U, 2U}) {
    CHECK(all[i].layers[0].m == 512);
    CHECK(all[i].layers[0].words.size() == 8);
    CHECK(all[i].layers[0].words[7] == 0x0101010101010101);
  }
}

TEST_CASE("the footer of a Parquet file has the length that stands behind it",
          "[formats][parquet]") {
  const std::string footer = footer_text({});
  const std::string none = "no column of this Parquet file has a bloom filter";
  CHECK_THROWS_WITH(filters_in(parquet_text("", footer)), Catch::StartsWith(none));
  CHECK_THROWS_WITH(filters_in(parquet_text("", footer, footer.size() + 1)),
                    "length of the footer: found " + std::to_string(footer.size() + 1) +
                        " in a file of " + std::to_string(footer.size() + 12) + " bytes");
  CHECK_THROWS_WITH(filters_in(parquet_text("", footer, 0xffffffff)),
                    Catch::StartsWith("length of the footer: found 4294967295 in a file of "));
  CHECK_THROWS_WITH(filters_in(parquet_text("", "")), "field: 1 bytes are needed, 0 are left");
  CHECK_THROWS_WITH(filters_in(parquet_text("", footer + '\0')),
                    "footer: there is more in it than there should be");
  const std::string ends =
      "Parquet: a file begins and ends with PAR1; it was cut off, or is encrypted";
  for (const char* file : {"", "PAR1", "PAR1PAR1", "PAR1123PAR1", "PAR21234PAR1", "PAR11234PARE"}) {
    CHECK_THROWS_WITH(filters_in(file), ends);
  }
}

TEST_CASE("lists of a footer have elements of their type", "[formats][parquet]") {
  const auto footer_with = [](int type, const std::string& element) {
    return parquet_text("", Structure().field(4, list_type, list_text(type, {element})).text());
  };
  CHECK_THROWS_WITH(filters_in(footer_with(i32_type, integer_text(1))),
                    "group of rows: its field has another type");
  const auto group_with = [&](int type, const std::string& element) {
    return footer_with(structure_type,
                       Structure().field(1, list_type, list_text(type, {element})).text());
  };
  CHECK_THROWS_WITH(filters_in(group_with(i32_type, integer_text(1))),
                    "column: its field has another type");
  const std::string path =
      Structure()
          .field(3, structure_type,
                 Structure().field(3, list_type, list_text(i32_type, {"\2"})).text())
          .text();
  CHECK_THROWS_WITH(filters_in(group_with(structure_type, path)),
                    "path of a column: its field has another type");
}

TEST_CASE("a Parquet filter is written with its header, however many bytes it has",
          "[formats][parquet]") {
  for (const std::uint64_t blocks : {1U, 2U, 3U, 255U, 256U, 257U, 1U << 15U}) {
    StoredBits bits{.layout = Layout::split_block, .m = 256 * blocks, .k = 8};
    bits.words = StoredWords(4 * blocks);
    std::string expected = filter_header(static_cast<std::int64_t>(32 * blocks));
    for (std::uint64_t i = 0; i < 4 * blocks; ++i) {
      bits.words.own()[i] = 0x0123456789abcdef * (i + 1);
      for (int shift = 0; shift < 64; shift += 8) {
        expected += static_cast<char>(bits.words[i] >> shift);
      }
    }
    const std::vector<std::byte> written = parquet_filter_bytes(bits);
    CHECK(std::ranges::equal(written, std::as_bytes(std::span(expected))));
    CHECK(read_parquet_filter(written).layers[0].m == bits.m);
  }
}

TEST_CASE("a Parquet filter is of whole blocks, and there are all of them", "[formats][parquet]") {
  const auto read = [](const std::string& text) {
    return read_parquet_filter(std::as_bytes(std::span(text)));
  };
  for (const std::int64_t bytes : {32, 64, 96, 4096}) {
    const std::string blocks(static_cast<std::size_t>(bytes), '\x11');
    const std::string good = filter_header(bytes) + blocks;
    CHECK(read(good).layers[0].m == 8 * static_cast<std::uint64_t>(bytes));
    CHECK(read(good).fault.empty());
    CHECK_THROWS_WITH(read(good + "ab"), "end: 2 bytes follow the blocks; none are expected");
    CHECK_THROWS_WITH(read(good.substr(0, good.size() - 1)),
                      "bytes of the filter: found " + std::to_string(bytes) +
                          "; a multiple of 32 and at most the " + std::to_string(bytes - 1) +
                          " that follow");
  }
  for (const std::int64_t bytes : {0, 1, 31, 33, -1, -32, 48}) {
    CHECK_THROWS_WITH(read(filter_header(bytes) + std::string(64, '\x11')),
                      "bytes of the filter: found " + std::to_string(bytes) +
                          "; a multiple of 32 and at most the 64 that follow");
  }
}

TEST_CASE("the header of a Parquet filter has its four fields, with the only choices known",
          "[formats][parquet]") {
  const std::pair<int, std::string> choices[] = {{2, "algorithm"}, {3, "hash"}, {4, "compression"}};
  const auto read = [](const Structure& header) {
    const std::string text = header.text() + std::string(32, '\x11');
    return read_parquet_filter(std::as_bytes(std::span(text)));
  };
  for (const int missing : {1, 2, 3, 4}) {
    Structure header;
    if (missing != 1) header.number(1, i32_type, 32);
    for (const auto& [id, name] : choices) {
      if (missing != id) header.field(id, structure_type, one_choice);
    }
    CHECK_THROWS_WITH(read(header), "header of the filter: a field is missing");
  }
  for (const auto& [altered, name] : choices) {
    for (const int choice : {0, 1, 2, 16}) {
      Structure header;
      header.number(1, i32_type, 32);
      for (const auto& [id, of] : choices) {
        const std::string other =
            choice == 0 ? "\0"s : Structure().field(choice, structure_type, "\0"s).text();
        header.field(id, structure_type, id == altered ? other : one_choice);
      }
      header.field(5, binary_type, binary_text("of a later format"));
      if (choice > 1) {
        CHECK_THROWS_WITH(read(header),
                          name + ": choice " + std::to_string(choice) +
                              "; this release knows 1 only (split block, XXH64, not compressed)");
      } else {
        CHECK(read(header).fault.empty() == (choice == 1));
      }
    }
    Structure number;
    number.number(1, i32_type, 32).number(altered, i32_type, 1);
    CHECK_THROWS_WITH(read(number), "header of the filter: its field has another type");
  }
  CHECK_THROWS_WITH(read(Structure().number(1, i64_type, 32)),
                    "bytes of the filter: its field has another type");
}

namespace {

/// Bytes behind a value that was skipped; what is wrong as text.
std::string after_skip(int type, const std::string& bytes, bool in_list = false) {
  ByteReader in(std::as_bytes(std::span(bytes)));
  ThriftReader reader(in);
  try {
    reader.skip(static_cast<ThriftType>(type), in_list);
  } catch (const FormatError& error) {
    return error.what();
  }
  return std::to_string(in.left());
}

}  // namespace

TEST_CASE("values of every type of Thrift are skipped as a whole", "[formats][thrift]") {
  const std::string rest = "next";
  const std::pair<int, std::string> values[] = {
      {1, ""},
      {2, ""},
      {3, "\x80"},
      {4, "\x80\1"},
      {5, "\xff\xff\xff\xff\x0f"},
      {6, std::string(9, '\xff') + '\1'},
      {7, "12345678"},
      {8, binary_text("")},
      {8, binary_text(std::string(200, 'a'))},
      {9, list_text(1, {"\1", "\2"})},
      {9, list_text(2, {"\1", "\2", "\1"})},
      {9, list_text(3, std::vector<std::string>(20, "\x80"))},
      {9, list_text(8, {binary_text("abc"), binary_text("")})},
      {10, list_text(list_type, {list_text(7, {"12345678"}), list_text(0, {})})},
      {12, Structure().field(1, 1, "").field(2, 2, "").field(300, 8, binary_text("abc")).text()},
      {12, Structure().field(16, 12, "\0"s).field(2, 7, "12345678").text()},
  };
  for (const auto& [type, value] : values) {
    INFO("type " << type << ", " << value.size() << " bytes");
    CHECK(after_skip(type, value + rest) == "4");
    if (value.empty()) continue;
    CHECK_THAT(after_skip(type, value.substr(0, value.size() - 1)), Catch::Contains("bytes"));
  }
  CHECK(after_skip(1, rest, true) == "3");
  CHECK(after_skip(2, rest, true) == "3");
  const std::string map = "Thrift: a map or an empty type, which Parquet's headers have not";
  CHECK(after_skip(11, rest) == map);
  CHECK(after_skip(0, rest) == map);
  for (const int type : {13, 14, 15}) {
    CHECK(after_skip(12, static_cast<char>(16 + type) + rest) ==
          "Thrift: type " + std::to_string(type) + " is none");
  }
}

TEST_CASE("integers of Thrift have 64 bits with their sign", "[formats][thrift]") {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{63}, std::int64_t{64},
        std::int64_t{-64}, std::int64_t{-65}, std::int64_t{8191}, std::int64_t{8192},
        std::int64_t{1} << 40, Limits::max(), Limits::min()}) {
    const std::string bytes = integer_text(value);
    ByteReader in(std::as_bytes(std::span(bytes)));
    CHECK(ThriftReader(in).integer("number") == value);
    CHECK(in.left() == 0);
  }
  const std::string longer = std::string(10, '\x80') + '\0';
  ByteReader in(std::as_bytes(std::span(longer)));
  CHECK_THROWS_WITH(ThriftReader(in).integer("number"), "number: a number has more than 64 bits");
}

TEST_CASE("Thrift is read 32 values within one another, and not 33", "[formats][thrift]") {
  for (const std::size_t depth : {1U, 31U, 32U, 33U}) {
    std::string lists(depth - 1, '\x19');  // of one list each
    lists += '\x05';                       // of no integer
    const std::string structures = std::string(depth - 1, '\x1c') + std::string(depth, '\0');
    const std::string expected = depth <= 32 ? "0" : "Thrift: structures are nested too deeply";
    CHECK(after_skip(list_type, lists) == expected);
    CHECK(after_skip(structure_type, structures) == expected);
    // Beside one another there may be any number.
    const std::string beside = list_text(structure_type, std::vector<std::string>(100, "\0"s));
    CHECK(after_skip(list_type, beside) == "0");
  }
}

TEST_CASE("a list of Thrift has no more elements than bytes", "[formats][thrift]") {
  CHECK(after_skip(list_type, "\x25\1\1") == "0");
  CHECK(after_skip(list_type, "\x25\1") == "list: 2 elements in 1 bytes");
  CHECK(after_skip(list_type, "\xf5\xff\xff\xff\xff\xff\xff\xff\xff\x0f" + std::string(5, '\1')) ==
        "list: 1152921504606846975 elements in 5 bytes");
  CHECK(after_skip(list_type, "\x10\1") == "list: 1 elements in 1 bytes");  // of no type
  CHECK(after_skip(list_type, "\1") == "0");
}
