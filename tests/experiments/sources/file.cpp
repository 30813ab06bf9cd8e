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
  const File::Parameters parameters{folder.write("words", "a\nb\nb\nc\nd\ne\n").string(), {}};
  KeyBuffer buffer;
  for (const std::uint64_t seed : {1U, 2U}) {
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
  CHECK_THROWS_WITH(File::Keys({path, {}}, 0, 2, 2),
                    path +
                        ": has 3 distinct lines, but n + queries = 4 are needed; ask for less "
                        "or name a longer file");
}

TEST_CASE("the absent keys of a second file are its first lines that are not inserted",
          "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  const File::Parameters files{folder.write("words", "a\nb\nc\nd\n").string(),
                               folder.write("others", "x\nb\ny\nb\nc\nz\n").string()};
  KeyBuffer buffer;
  const File::Keys two(files, 1, 2, 3);
  CHECK(texts_of(two.inserted_keys(0, 2, buffer)) == Lines{"a", "b"});
  CHECK(texts_of(two.absent_keys(0, 3, buffer)) == Lines{"x", "y", "c"});
  const File::Keys three(files, 1, 3, 3);
  CHECK(texts_of(three.absent_keys(0, 3, buffer)) == Lines{"x", "y", "z"});
  CHECK(File::absent_supply(files, 2).usable == 4);
  CHECK(File::absent_supply(files, 2).left_out == 1);
  CHECK(File::absent_supply(files, 3).left_out == 2);
  CHECK(File::supply(files) == 4);
  CHECK_THROWS_WITH(File::Keys(files, 1, 3, 4),
                    *files.absent_path +
                        ": has 3 distinct lines that are not inserted, but queries = 4 are "
                        "needed; ask for less or name a longer file");
  CHECK_THROWS_WITH(File::Keys(files, 1, 5, 1),
                    files.path +
                        ": has 4 distinct lines, but n = 5 are needed; ask for less or name a "
                        "longer file");
  folder.write("others", "q\n");
  CHECK(File::absent_supply(files, 2).usable == 1);
}

TEST_CASE("two files are read once, in any order", "[experiments][sources]") {
  const testing::TemporaryFolder folder;
  const auto one = folder.write("one", "a\nb\n");
  const auto two = folder.write("two", "b\nc\n");
  const SharedLines first = shared_distinct_lines(one);
  const SharedLines second = shared_distinct_lines(two);
  CHECK(shared_distinct_lines(one) == first);
  CHECK(shared_distinct_lines(one) == first);
  CHECK(shared_distinct_lines(two) == second);
  CHECK(*shared_places(one, two) == std::vector<std::uint64_t>{1, 2});
  CHECK(shared_places(one, two) == shared_places(one, two));
  CHECK(*shared_places(two, one) == std::vector<std::uint64_t>{2, 0});
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
