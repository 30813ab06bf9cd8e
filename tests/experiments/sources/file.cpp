#include "experiments/sources/file.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "record/input_error.hpp"
#include "tests/experiments/config_files.hpp"

namespace bloomlab::experiments {
namespace {

using Lines = std::vector<std::string>;

Lines texts_of(const KeyBatch& batch) { return {batch.texts().begin(), batch.texts().end()}; }

}  // namespace

TEST_CASE("lines end at LF or CR LF, count once, and are not empty", "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  CHECK(distinct_lines(folder.write("a", "one\ntwo\r\n\none\r\n\r\n two\nlast")) ==
        Lines{"one", "two", " two", "last"});
  CHECK(distinct_lines(folder.write("b", "")).empty());
  CHECK(distinct_lines(folder.write("c", "a\rb\n")) == Lines{"a\rb"});
}

TEST_CASE("the first n lines are inserted keys and the next q absent keys",
          "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  const File::Parameters parameters{folder.write("words", "a\nb\nb\nc\nd\ne\n").string()};
  KeyBuffer buffer;
  for (const std::uint64_t seed : {1, 2}) {
    const File::Keys keys(parameters, seed, 2, 3);
    CHECK(texts_of(keys.inserted_keys(0, 2, buffer)) == Lines{"a", "b"});
    CHECK(texts_of(keys.absent_keys(0, 3, buffer)) == Lines{"c", "d", "e"});
    CHECK(texts_of(keys.absent_keys(1, 1, buffer)) == Lines{"d"});
  }
  CHECK(File::supply(parameters) == 5);
  CHECK_FALSE(File::redraws_keys(parameters));
}

TEST_CASE("a file with too few lines is refused by name", "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("words", "a\nb\nc\n").string();
  CHECK_THROWS_WITH(File::Keys({path}, 0, 2, 2),
                    path +
                        ": has 3 distinct lines, but n + queries = 4 are needed; ask for less "
                        "or name a longer file");
}

TEST_CASE("a file that cannot be read is refused with the reason", "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  CHECK_THROWS_WITH(distinct_lines(folder.path() / "missing"), "no such file");
  CHECK_THROWS_WITH(distinct_lines(folder.path()), "not a file");
}

TEST_CASE("a file that has changed is read again", "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  const auto path = folder.write("words", "a\nb\n");
  const SharedLines first = shared_distinct_lines(path);
  CHECK(shared_distinct_lines(path) == first);
  folder.write("words", "a\nb\nc\n");
  CHECK(*shared_distinct_lines(path) == Lines{"a", "b", "c"});
  CHECK(*first == Lines{"a", "b"});
}

}  // namespace bloomlab::experiments
