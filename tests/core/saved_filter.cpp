// Keyed filters in files, streams and memory.

#include "core/saved_filter.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/catalogue.hpp"
#include "core/filters/built.hpp"
#include "core/serialization/contents.hpp"
#include "tests/core/support.hpp"

using namespace bloomlab;
using bloomlab::test::keys;

namespace {

/// A file that is deleted at the end.
struct TemporaryFile {
  std::string path =
      (std::filesystem::temp_directory_path() / ("bloomlab_saved_" + std::to_string(random_seed())))
          .string();
  ~TemporaryFile() { std::filesystem::remove(path); }
};

/// Bytes that begin at a multiple of 8.
class Aligned {
 public:
  explicit Aligned(std::span<const std::byte> bytes) : words_((bytes.size() + 7) / 8) {
    size_ = bytes.size();
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(words_)).begin());
  }
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(words_)).first(size_); }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

template <class Keyed>
void check_same(const Keyed& one, const Keyed& other) {
  CHECK(one == other);
  CHECK(one.seed() == other.seed());
  for (const std::uint64_t key : keys(0, 2000)) {
    if (one.contains(key) != static_cast<Answer>(other.contains(key))) FAIL("key " << key);
  }
}

template <class Keyed>
void check_saved(const Keyed& filter) {
  std::stringstream stream;
  save(filter, stream);
  const auto bytes = saved_bytes(filter);
  const std::string written = stream.str();
  CHECK(std::ranges::equal(std::as_bytes(std::span(written)), bytes));
  check_same(load<Keyed>(stream), filter);
  check_same(load_bytes<Keyed>(bytes), filter);
  const TemporaryFile file;
  save_file(filter, file.path);
  CHECK(std::filesystem::file_size(file.path) == bytes.size());
  check_same(load_file<Keyed>(file.path), filter);
  const MappedFilter<Keyed> mapped = map_file<Keyed>(file.path);
  CHECK(mapped.verify());
  check_same(*mapped, filter);
}

template <class T>
using IsSaved = std::bool_constant<Serializable<T> && (Growing<T> || Built<T>)>;
using SavedFilters = bloomlab::test::Only<Filters, IsSaved>;
template <class T>
using IsSavedGrowing = std::bool_constant<Serializable<T> && Growing<T>>;
using SavedGrowingFilters = bloomlab::test::Only<Filters, IsSavedGrowing>;

/// A filter of n keys.
template <class Filter>
auto keyed_of(const typename Filter::Parameters& parameters, std::size_t n) {
  using Keyed = KeyedFilter<XxHash3_64, Filter>;
  if constexpr (Built<Filter>) {
    return Keyed::build(parameters, keys(0, n), 8);
  } else {
    Keyed filter(parameters, 8);
    static_cast<void>(filter.insert(keys(0, n)));
    return filter;
  }
}

/// The smallest example, for tests that alter every byte.
template <class Filter>
auto smallest_keyed() {
  const auto all = Filter::examples();
  return keyed_of<Filter>(
      *std::ranges::min_element(all, {}, [](const auto& p) { return Filter::memory_bits(p, 3); }),
      3);
}

}  // namespace

TEST_CASE("every filter but the exact sets can be saved", "[core][saved]") {
  for_each_type<Filters>([]<class Filter>(std::type_identity<Filter>) {
    INFO(Filter::name);
    CHECK(Serializable<Filter> != ExactSet<Filter>);
  });
}

TEMPLATE_LIST_TEST_CASE("every filter is saved, loaded and mapped", "[core][saved]", SavedFilters) {
  for (const auto& parameters : TestType::examples()) {
    if constexpr (Probed<TestType>) {
      if (TestType::check(parameters, Probe::of<Remix, MultiplyShift>())) continue;
    }
    for (const std::size_t n : {0U, 1U, 700U}) check_saved(keyed_of<TestType>(parameters, n));
  }
}

TEMPLATE_LIST_TEST_CASE("a loaded filter takes keys as the saved one would have", "[core][saved]",
                        SavedGrowingFilters) {
  auto filter = keyed_of<TestType>(TestType::examples().front(), 400);
  auto loaded = load_bytes<decltype(filter)>(saved_bytes(filter));
  for (const std::uint64_t key : keys(400, 1100)) {
    static_cast<void>(filter.insert(key));
    static_cast<void>(loaded.insert(key));
  }
  CHECK(loaded == filter);
}

TEMPLATE_LIST_TEST_CASE("every altered or missing byte is found", "[core][saved]", SavedFilters) {
  const auto filter = smallest_keyed<TestType>();
  using Keyed = std::remove_const_t<decltype(filter)>;
  const auto bytes = saved_bytes(filter);
  const std::size_t step = bytes.size() / 4000 + 1;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    auto altered = bytes;
    altered[i] ^= std::byte{0x10};
    CHECK_THROWS_AS(load_bytes<Keyed>(altered), FormatError);
  }
  for (std::size_t length = 0; length < bytes.size(); length += step) {
    const auto part = std::span(bytes).first(length);
    CHECK_THROWS_AS(load_bytes<Keyed>(part), FormatError);
    Aligned aligned(part);
    CHECK_THROWS_AS(map_bytes<Keyed>(aligned.bytes()), FormatError);
  }
  auto longer = bytes;
  longer.push_back(std::byte{0});
  CHECK_THROWS_AS(load_bytes<Keyed>(longer), FormatError);
}

// The checksums are made anew: only the reader itself stands between these bytes and the filter.
TEMPLATE_LIST_TEST_CASE("bytes made to do harm are refused or give a filter that answers",
                        "[core][saved]", SavedFilters) {
  const auto filter = smallest_keyed<TestType>();
  using Keyed = std::remove_const_t<decltype(filter)>;
  const auto bytes = saved_bytes(filter);
  MemorySource source(bytes);
  const ImageHeader honest = read_header(source);
  const std::vector<std::byte> contents(source.rest().begin(), source.rest().end());
  for (const bool in_parameters : {true, false}) {
    const std::size_t size = in_parameters ? honest.parameters.size() : contents.size();
    for (std::size_t i = 0; i < size; i += size / 200 + 1) {
      for (const std::byte value : {std::byte{0x00}, std::byte{0xff}, std::byte{0x80}}) {
        ImageHeader header = honest;
        std::vector<std::byte> altered = contents;
        (in_parameters ? header.parameters : altered).at(i) = value;
        header.contents_checksum = checksum_of(altered);
        std::vector<std::byte> image = header_bytes(header);
        image.insert(image.end(), altered.begin(), altered.end());
        try {
          const auto loaded = load_bytes<Keyed>(image);
          for (const std::uint64_t key : keys(0, 100)) static_cast<void>(loaded.contains(key));
          CHECK(saved_bytes(loaded) == image);
        } catch (const FormatError&) {
        }
      }
    }
  }
}

TEST_CASE("a size that the bytes do not have is refused before it is allocated", "[core][saved]") {
  const auto bytes = saved_bytes(KeyedFilter<>({.m = 64, .k = 1}));
  MemorySource source(bytes);
  ImageHeader header = read_header(source);
  ByteWriter parameters;
  ParameterWriter visit(parameters);
  Standard::Parameters huge{.m = max_filter_bits, .k = 1};
  Standard::describe(visit, huge);
  header.parameters = parameters.take();
  std::vector<std::byte> image = header_bytes(header);
  image.insert(image.end(), source.rest().begin(), source.rest().end());
  CHECK_THROWS_WITH(load_bytes<KeyedFilter<>>(image),
                    "contents: 16 bytes are too few for these parameters");
}

TEST_CASE("a filter is loaded only as what it is", "[core][saved]") {
  const KeyedFilter<XxHash3_64, Standard, Remix> filter({.m = 1000, .k = 3});
  const auto bytes = saved_bytes(filter);
  CHECK_THROWS_WITH((load_bytes<KeyedFilter<XxHash64, Standard>>(bytes)),
                    Catch::Contains("hash: found \"xxhash3_64\", expected \"xxhash64\""));
  CHECK_THROWS_WITH((load_bytes<KeyedFilter<XxHash3_64, Partitioned>>(bytes)),
                    Catch::Contains("filter: found \"standard\", expected \"partitioned\""));
  CHECK_THROWS_WITH((load_bytes<KeyedFilter<XxHash3_64, Standard, DoubleHashing>>(bytes)),
                    Catch::Contains("hashing scheme"));
  CHECK_THROWS_WITH((load_bytes<KeyedFilter<XxHash3_64, Standard, Remix, Modulo>>(bytes)),
                    Catch::Contains("reduction"));
}

TEST_CASE("mapped contents are checked when it is asked for, and copied before they change",
          "[core][saved]") {
  KeyedFilter<> filter({.m = 10000, .k = 5}, 9);
  filter.insert(keys(0, 500));
  Aligned image(saved_bytes(filter));
  const auto mapped = map_bytes<KeyedFilter<>>(image.bytes());
  CHECK(mapped.verify());
  KeyedFilter<> copy = *mapped;
  copy.insert(keys(500, 500));
  CHECK(mapped.verify());
  CHECK(*mapped == filter);
  image.bytes()[image.bytes().size() - 100] ^= std::byte{1};
  CHECK_FALSE(mapped.verify());
  CHECK_THROWS_AS(load_bytes<KeyedFilter<>>(image.bytes()), FormatError);
  CHECK_THROWS_AS(map_bytes<KeyedFilter<>>(image.bytes().subspan(1)), std::invalid_argument);
}

TEST_CASE("files that are not there are named", "[core][saved]") {
  CHECK_THROWS_WITH(load_file<KeyedFilter<>>("/nowhere/a.bloom"),
                    Catch::StartsWith("/nowhere/a.bloom: cannot be opened"));
  CHECK_THROWS_AS(map_file<KeyedFilter<>>("/nowhere/a.bloom"), FileError);
  CHECK_THROWS_AS(save_file(KeyedFilter<>({.m = 64, .k = 1}), "/nowhere/a.bloom"), FileError);
}

TEST_CASE("two processes save one path at once, and a whole file is always there",
          "[core][saved]") {
  const TemporaryFile file;
  KeyedFilter<> filter({.m = 200000, .k = 5}, 9);
  filter.insert(keys(0, 5000));
  save_file(filter, file.path);
  const auto failed_saves = [&] {
    int failed = 0;
    for (int i = 0; i < 300; ++i) {
      try {
        save_file(filter, file.path);
        if (load_file<KeyedFilter<>>(file.path) != filter) ++failed;
      } catch (const std::exception&) {
        ++failed;
      }
    }
    return failed;
  };
  const ::pid_t other = ::fork();
  if (other == 0) ::_exit(std::min(failed_saves(), 100));
  CHECK(failed_saves() == 0);
  int status = 0;
  ::waitpid(other, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("who has mapped a file keeps it when another is saved in its place", "[core][saved]") {
  const TemporaryFile file;
  KeyedFilter<> filter({.m = 200000, .k = 5}, 9);
  filter.insert(keys(0, 5000));
  save_file(filter, file.path);
  const auto mapped = map_file<KeyedFilter<>>(file.path);
  save_file(KeyedFilter<>({.m = 64, .k = 1}), file.path);
  CHECK(mapped.verify());
  CHECK(*mapped == filter);
}

TEST_CASE("a link that stands where a temporary file would is not followed", "[core][saved]") {
  const TemporaryFile file;
  const TemporaryFile precious;
  std::ofstream(precious.path) << "precious";
  const std::string name = file.path + "." + std::to_string(::getpid()) + "-0.tmp";
  for (const std::string& planted : {file.path + ".part", name}) {
    std::filesystem::create_symlink(precious.path, planted);
    save_file(KeyedFilter<>({.m = 64, .k = 1}), file.path);
    CHECK(std::filesystem::file_size(precious.path) == 8);
    CHECK_FALSE(std::filesystem::is_symlink(file.path));
    std::filesystem::remove(planted);
  }
}

TEST_CASE("what a killed program left beside a filter goes with the next one that is saved",
          "[core][saved]") {
  const TemporaryFile file;
  const ::pid_t ended = ::fork();
  REQUIRE(ended >= 0);
  if (ended == 0) ::_exit(0);
  REQUIRE(::waitpid(ended, nullptr, 0) == ended);
  const std::string dead = std::to_string(ended);
  const std::string alive = "1";
  const std::vector<std::string> kept = {alive + "-0.tmp", "0-0.tmp",        dead + "-0.tmp.gz",
                                         dead + "-.tmp",   dead + "-00.tmp", "0" + dead + "-0.tmp",
                                         dead + "+0.tmp",  dead + "-0x.tmp", "-" + dead + "-0.tmp",
                                         dead + ".tmp",    "notes-0.tmp"};
  const std::vector<std::string> left = {dead + "-0.tmp", dead + "-17.tmp"};
  const auto path_of = [&](const std::string& ending) { return file.path + "." + ending; };
  for (const auto& endings : {kept, left}) {
    for (const std::string& ending : endings) std::ofstream(path_of(ending)) << "something";
  }
  save_file(KeyedFilter<>({.m = 64, .k = 1}), file.path);
  for (const std::string& ending : left) {
    INFO(ending);
    CHECK_FALSE(std::filesystem::exists(path_of(ending)));
  }
  for (const std::string& ending : kept) {
    INFO(ending);
    CHECK(std::filesystem::remove(path_of(ending)));
  }
}

TEST_CASE("a filter is saved over nothing but a regular file", "[core][saved]") {
  const TemporaryFile file;
  REQUIRE(::mkfifo(file.path.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(save_file(KeyedFilter<>({.m = 64, .k = 1}), file.path),
                    file.path + ": is no regular file; only one is written over");
  CHECK(std::filesystem::is_fifo(file.path));
  const std::string refusal = ": is no regular file, as a saved filter must be";
  for (const std::string& path : {file.path, std::string("/dev/zero")}) {
    CHECK_THROWS_WITH(load_file<KeyedFilter<>>(path), path + refusal);
    CHECK_THROWS_WITH(map_file<KeyedFilter<>>(path), path + refusal);
  }
}

TEST_CASE("a save that fails says so and leaves nothing behind", "[core][saved]") {
  const TemporaryFile folder;
  std::filesystem::create_directory(folder.path);
  const std::string path = folder.path + "/a.bloom";
  const ::pid_t child = ::fork();
  if (child == 0) {  // where no file may be larger than 4 KiB
    ::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit limit{4096, 4096};
    int status = ::setrlimit(RLIMIT_FSIZE, &limit) == 0 ? 1 : 2;
    try {
      save_file(KeyedFilter<>({.m = 1'000'000, .k = 1}), path);
    } catch (const FileError& error) {
      status = std::string_view(error.what()).starts_with(path + ": cannot be written: ") ? 0 : 3;
    }
    ::_exit(status);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(std::filesystem::is_empty(folder.path));
  {
    FileSink sink(path);
    sink.write("a", 1);
    std::filesystem::create_directory(path);  // after the look at what stands there
    CHECK_THROWS_WITH(sink.finish(), Catch::StartsWith(path + ": cannot be put in place: "));
  }
  std::filesystem::remove(path);
  CHECK(std::filesystem::is_empty(folder.path));
}
