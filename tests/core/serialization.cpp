// Numbers, texts and parameters as bytes, the members of a saved filter's header one by one, and
// the files that they stand in.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/keyed_filter.hpp"
#include "core/saved_filter.hpp"
#include "core/serialization/bytes.hpp"
#include "core/serialization/file.hpp"
#include "core/serialization/image.hpp"
#include "core/serialization/parameter_bytes.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;
using namespace std::string_literals;

namespace {

std::string letters_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> view_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// A number with its lowest byte first.
std::string number_text(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// The text behind its length.
std::string counted_text(const std::string& text) { return number_text(text.size(), 2) + text; }

template <class Call>
std::string format_error_of(const Call& call) {
  try {
    call();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "none";
}

std::string too_few(const std::string& what, std::size_t needed, std::size_t left) {
  return what + ": " + std::to_string(needed) + " bytes are needed, " + std::to_string(left) +
         " are left";
}

}  // namespace

TEST_CASE("numbers of 1 to 8 bytes and texts are written and read back", "[core][bytes]") {
  for (int bytes = 1; bytes <= 8; ++bytes) {
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - 8 * bytes);
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x80},
                                      0x0123456789abcdef & most, most}) {
      ByteWriter out;
      out.number(value, bytes);
      CHECK(letters_of(out.bytes()) == number_text(value, static_cast<std::size_t>(bytes)));
      ByteReader in(out.bytes());
      CHECK(in.number(bytes, "value") == value);
      CHECK(in.left() == 0);
    }
    const std::string cut(static_cast<std::size_t>(bytes - 1), 'a');
    CHECK(format_error_of([&] {
            static_cast<void>(ByteReader(view_of(cut)).number(bytes, "value"));
          }) == too_few("value", static_cast<std::size_t>(bytes), cut.size()));
  }
  for (const std::size_t length : {0U, 1U, 255U, 256U, 65535U}) {
    const std::string text(length, 'x');
    ByteWriter out;
    out.text(text);
    out.number(7, 1);
    CHECK(letters_of(out.bytes()) == counted_text(text) + '\7');
    ByteReader in(out.bytes());
    CHECK(in.text("name") == text);
    CHECK(in.left() == 1);
  }
  const std::string cut = counted_text("abc").substr(0, 4);
  CHECK(format_error_of([&] { static_cast<void>(ByteReader(view_of(cut)).text("name")); }) ==
        too_few("name", 3, 2));
}

namespace {

enum class Sort { first, second, third };
constexpr std::array<std::string_view, 3> sorts{"first", "second", "third"};

/// Parameters of every kind.
struct Sample {
  std::uint64_t m = 0;
  std::uint32_t k = 0;
  std::optional<std::uint64_t> most = std::nullopt;
  double rate = 0.0;
  Sort sort = Sort::first;

  template <class Visitor>
  void describe(Visitor& visit) {
    visit(IntegerField{"m", "", ""}, m);
    visit(IntegerField{"k", "", ""}, k);
    visit(IntegerField{"most", "", ""}, most);
    visit(RealField{"rate", "", ""}, rate);
    visit(ChoiceField{"sort", "", sorts}, sort);
  }
  bool operator==(const Sample&) const = default;
};

/// A parameter's name, its kind and its value.
std::string field_text(const std::string& name, int kind, const std::string& value) {
  return counted_text(name) + static_cast<char>(kind) + value;
}

std::string fault_of_fields(const std::string& text) {
  return format_error_of([&] {
    ByteReader in(view_of(text));
    ParameterReader read(in);
    Sample sample;
    sample.describe(read);
  });
}

}  // namespace

TEST_CASE("parameters are their names, kinds and values, and no others are read", "[core][bytes]") {
  const std::string m = field_text("m", 1, number_text(5, 8));
  const std::string k = field_text("k", 1, number_text(7, 8));
  const std::string most = field_text("most", 1, number_text(9, 8));
  const std::string no_most = field_text("most", 4, "");
  const std::string rate = field_text("rate", 2, number_text(0x3fe0000000000000, 8));
  const auto sort = [](const std::string& word) {
    return field_text("sort", 3, counted_text(word));
  };
  for (const Sample& one :
       {Sample{5, 7, 9, 0.5, Sort::first}, Sample{5, 7, std::nullopt, 0.5, Sort::second},
        Sample{5, 7, std::nullopt, 0.5, Sort::third}}) {
    Sample sample = one;
    ByteWriter out;
    ParameterWriter write(out);
    sample.describe(write);
    CHECK(letters_of(out.bytes()) ==
          m + k + (one.most ? most : no_most) + rate +
              sort(std::string(sorts.at(static_cast<std::size_t>(one.sort)))));
    ByteReader in(out.bytes());
    ParameterReader read(in);
    Sample again{.most = 77};
    again.describe(read);
    CHECK((again == one));
    CHECK(in.left() == 0);
  }
  const std::string most_k = field_text("k", 1, number_text(0xffffffff, 8));
  const std::string beyond_k = field_text("k", 1, number_text(0x100000000, 8));
  const std::string kind = " is of another kind";
  const std::pair<std::string, std::string> cases[] = {
      {m + most_k + most + rate + sort("third"), "none"},
      {m + beyond_k + most + rate + sort("third"), "parameter k is out of range"},
      {m + k + most + rate + sort("fourth"), "parameter sort has an unknown value"},
      {m + k + most + rate + sort(""), "parameter sort has an unknown value"},
      {k + k + most + rate + sort("first"), "parameter m is missing"},
      {m + k + rate + sort("first"), "parameter most is missing"},
      {m + k + most + rate + field_text("sor", 3, ""), "parameter sort is missing"},
      {field_text("m", 4, ""), "parameter m" + kind},
      {field_text("m", 2, number_text(5, 8)), "parameter m" + kind},
      {field_text("m", 0, number_text(5, 8)), "parameter m" + kind},
      {m + k + field_text("most", 2, number_text(5, 8)), "parameter most" + kind},
      {m + k + field_text("most", 5, number_text(5, 8)), "parameter most" + kind},
      {m + k + most + field_text("rate", 1, number_text(5, 8)), "parameter rate" + kind},
      {m + k + most + field_text("rate", 3, number_text(5, 8)), "parameter rate" + kind},
      {m + k + most + rate + field_text("sort", 1, number_text(0, 8)), "parameter sort" + kind},
      {"", too_few("parameter", 2, 0)},
      {m, too_few("parameter", 2, 0)},
      {counted_text("m"), too_few("m", 1, 0)},
      {m.substr(0, m.size() - 1), too_few("m", 8, 7)},
      {m + k + most.substr(0, most.size() - 1), too_few("most", 8, 7)},
      {m + k + no_most + rate.substr(0, rate.size() - 1), too_few("rate", 8, 7)},
      {m + k + no_most + rate + sort("third").substr(0, 13), too_few("sort", 5, 4)},
  };
  for (const auto& [text, fault] : cases) CHECK(fault_of_fields(text) == fault);
}

TEST_CASE("bytes in memory are read in pieces of any size", "[core][image]") {
  const std::string text = "a text of some length";
  for (std::size_t piece = 0; piece <= text.size() + 1; ++piece) {
    MemorySource source(view_of(text));
    std::string read;
    std::string part(piece, '?');
    for (std::size_t times = 0; times <= text.size(); ++times) {
      const std::size_t count = source.read(std::as_writable_bytes(std::span(part)));
      CHECK(count == std::min(piece, text.size() - read.size()));
      read += part.substr(0, count);
      CHECK(letters_of(source.rest()) == text.substr(read.size()));
    }
    CHECK(read == (piece == 0 ? "" : text));
  }
}

namespace {

/// A header of these members, whatever they are, with its length and its checksum.
std::string header_text(const std::string& members) {
  std::string text = "BLOOMLAB" + number_text(2, 4) + number_text(0x01020304, 4) +
                     number_text(24 + members.size() + 8, 8) + members;
  text += number_text(checksum_of(view_of(text)), 8);
  text.resize((text.size() + 63) / 64 * 64);
  return text;
}

std::string fault_of_header(const std::string& text) {
  return format_error_of([&] {
    MemorySource source(view_of(text));
    static_cast<void>(read_header(source));
  });
}

}  // namespace

TEST_CASE("a header has all of its members and no more, whatever their lengths", "[core][image]") {
  const std::pair<std::string, std::string> members[] = {
      {"name of the filter", counted_text("standard")},
      {"name of the hash", counted_text("h")},
      {"name of the hashing scheme", counted_text("")},
      {"name of the reduction", counted_text("mask")},
      {"seed", number_text(0x0123456789abcdef, 8)},
      {"parameters", number_text(5, 8) + "12345"},
      {"length of the contents", number_text(77, 8)},
      {"checksum of the contents", number_text(99, 8)},
  };
  std::string before;
  for (const auto& [what, text] : members) {
    const bool number = text.size() == 8;
    const std::size_t front = number ? 8 : what == "parameters" ? 8 : 2;
    for (std::size_t there = 0; there < text.size(); ++there) {
      const std::string fault = fault_of_header(header_text(before + text.substr(0, there)));
      CHECK(fault == (there < front ? too_few(what, front, there)
                                    : too_few(what, text.size() - front, there - front)));
    }
    before += text;
  }
  const std::string good = header_text(before);
  CHECK(fault_of_header(good) == "none");
  CHECK(fault_of_header(header_text(before + '\0')) ==
        "header: there is more in it than there should be");
  for (std::size_t there = 0; there < good.size(); ++there) {
    const std::size_t needed = there < 24 ? 24 : good.size() - 24;
    CHECK(fault_of_header(good.substr(0, there)) ==
          too_few(there < 24 ? "start of an image" : "header", needed,
                  there < 24 ? there : there - 24) +
              "; the image was cut off");
  }
  for (std::size_t length = 0; length < 130; ++length) {
    ImageHeader header{.filter = std::string(length, 'f'),
                       .hash = "hash",
                       .family = "family",
                       .reduction = "reduction",
                       .seed = length,
                       .parameters = std::vector<std::byte>(length / 2, std::byte{3}),
                       .contents_bytes = 10 * length,
                       .contents_checksum = ~length};
    const std::vector<std::byte> bytes = header_bytes(header);
    CHECK(bytes.size() % 64 == 0);
    MemorySource source(bytes);
    const ImageHeader read = read_header(source);
    CHECK(source.rest().empty());
    CHECK(read.filter == header.filter);
    CHECK(read.hash == "hash");
    CHECK(read.family == "family");
    CHECK(read.reduction == "reduction");
    CHECK(read.seed == length);
    CHECK(read.parameters == header.parameters);
    CHECK(read.contents_bytes == 10 * length);
    CHECK(read.contents_checksum == ~length);
    const std::string members_alone =
        counted_text(header.filter) + counted_text("hash") + counted_text("family") +
        counted_text("reduction") + number_text(length, 8) + number_text(length / 2, 8) +
        std::string(length / 2, '\3') + number_text(10 * length, 8) + number_text(~length, 8);
    CHECK(letters_of(bytes) == header_text(members_alone));
  }
}

TEST_CASE("contents of any number of parts of 2^15 words are saved and loaded", "[core][image]") {
  for (const std::uint64_t words : {(1U << 15) - 1, 1U << 15, (1U << 15) + 1, 3U << 15}) {
    KeyedFilter<> filter({.m = 64 * words - 5, .k = 3});
    filter.insert(keys(0, 3000));
    const auto bytes = saved_bytes(filter);
    CHECK(load_bytes<KeyedFilter<>>(bytes) == filter);
    MemorySource source(bytes);
    const ImageHeader header = read_header(source);
    CHECK(header.contents_bytes == source.rest().size());
    CHECK(header.contents_checksum == checksum_of(source.rest()));
  }
  RunningChecksum sum;
  CHECK(sum.value() == checksum_of({}));
  const std::string text = "two pieces have the checksum of the whole";
  sum.add(view_of(text).first(7));
  sum.add(view_of(text).subspan(7));
  CHECK(sum.value() == checksum_of(view_of(text)));
}

namespace {

/// A folder that is deleted at the end.
struct TemporaryFolder {
  std::string path =
      (std::filesystem::temp_directory_path() / ("bloomlab_files_" + std::to_string(random_seed())))
          .string();
  TemporaryFolder() { std::filesystem::create_directory(path); }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The lowest descriptor that is free.
int free_descriptor() {
  const int file = ::open("/dev/null", O_RDONLY);
  ::close(file);
  return file;
}

/// Saves, loads and maps files that are right and files that are not.
void use_files(const std::string& folder) {
  const KeyedFilter<> filter({.m = 64, .k = 1});
  const std::string path = folder + "/a.bloom";
  for (int i = 0; i < 3; ++i) save_file(filter, path);
  static_cast<void>(load_file<KeyedFilter<>>(path));
  static_cast<void>(map_file<KeyedFilter<>>(path));
  std::ofstream(folder + "/empty").close();
  for (const std::string& wrong : {folder, folder + "/none", folder + "/empty"}) {
    for (int i = 0; i < 2; ++i) {
      try {
        if (i == 0) static_cast<void>(load_file<KeyedFilter<>>(wrong));
        if (i == 1) static_cast<void>(map_file<KeyedFilter<>>(wrong));
      } catch (const std::exception&) {
      }
    }
  }
  try {
    save_file(filter, folder);
  } catch (const FileError&) {
  }
  {
    FileSink unfinished(path);
    unfinished.write("abc", 3);
  }
}

}  // namespace

TEST_CASE("every file is closed again, also where something was wrong with it", "[core][saved]") {
  const TemporaryFolder folder;
  const int before = free_descriptor();
  use_files(folder.path);
  CHECK(free_descriptor() == before);
  // So it is in a program that was started without standard input, where the first one is 0.
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::close(0);
    try {
      use_files(folder.path);
    } catch (const std::exception&) {
      ::_exit(2);
    }
    ::_exit(free_descriptor() == 0 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  const auto entries = std::filesystem::directory_iterator(folder.path);
  CHECK(std::distance(begin(entries), end(entries)) == 2);  // a.bloom and empty
}

TEST_CASE("what is written over stays where it is, and more comes at the end", "[core][saved]") {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/a";
  const std::string temporary = path + "." + std::to_string(::getpid()) + "-0.tmp";
  {
    FileSink sink(path);
    sink.write("0123456789", 10);
    sink.write_over(2, "ab", 2);
    sink.write("xyz", 3);
    sink.write_over(0, "AB", 2);
    sink.write_over(12, "Z", 1);
    sink.write("!", 1);
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK(std::filesystem::exists(temporary));
    sink.finish();
    CHECK_FALSE(std::filesystem::exists(temporary));
  }
  CHECK(text_of_file(path) == "ABab456789xyZ!");
  {
    FileSink sink(path);
    sink.write("other", 5);
  }
  CHECK(text_of_file(path) == "ABab456789xyZ!");  // as it was not finished
}

TEST_CASE("a file is read from its front in pieces, up to its end", "[core][saved]") {
  const TemporaryFolder folder;
  const std::string path = folder.path + "/a";
  std::ofstream(path) << "0123456789";
  FileSource source(path);
  std::string part(4, '?');
  const auto read = [&] {
    return part.substr(0, source.read(std::as_writable_bytes(std::span(part))));
  };
  CHECK(read() == "0123");
  CHECK(read() == "4567");
  CHECK(read() == "89");
  errno = EINTR;  // of an earlier call: the end is the end
  CHECK(read().empty());
  const MappedFile mapped(path);
  CHECK(letters_of(mapped.bytes()) == "0123456789");
}

TEST_CASE("where the path is a link, its target is written, through forty links", "[core][saved]") {
  const TemporaryFolder folder;
  const auto link = [&](int i) { return folder.path + "/link" + std::to_string(i); };
  std::filesystem::create_directory(folder.path + "/inner");
  std::filesystem::create_symlink("inner/target", link(0));  // relative to the link's folder
  for (int i = 1; i < 40; ++i) {
    std::filesystem::create_symlink(i % 2 == 0 ? link(i - 1) : "link" + std::to_string(i - 1),
                                    link(i));
  }
  std::filesystem::create_symlink("t", folder.path + "/short");  // a name of one letter
  FileSink(folder.path + "/short").finish();
  CHECK(std::filesystem::is_symlink(folder.path + "/short"));
  CHECK(std::filesystem::is_regular_file(folder.path + "/t"));
  for (const int i : {0, 1, 2, 39}) {
    FileSink sink(link(i));
    sink.write(std::to_string(i).c_str(), i < 10 ? 1 : 2);
    sink.finish();
    CHECK(std::filesystem::is_symlink(link(i)));
    CHECK(text_of_file(folder.path + "/inner/target") == std::to_string(i));
  }
}
