#include "analysis/pages/database.hpp"

#include <sqlite3.h>
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

using namespace bloomlab::analysis::pages;
using bloomlab::record::InputError;
using Catch::Contains;
using Catch::StartsWith;

namespace {

Database with_numbers() {
  Database database;
  database.add_table("t", {.columns = {"a b", "x"},
                           .rows = {{std::string("one"), std::int64_t{1}},
                                    {std::string("two"), 2.5},
                                    {Value(), Value()}}});
  return database;
}

std::string fault_of(Database& database, const std::string& sql) {
  try {
    static_cast<void>(database.query(sql, "p.md: line 3"));
  } catch (const InputError& fault) {
    return fault.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a query gives back names, types and nulls as they were put in", "[pages][database]") {
  Database database = with_numbers();
  const Relation rows = database.query("select \"a b\" as name, x from t", "here");
  CHECK(rows.columns == std::vector<std::string>{"name", "x"});
  REQUIRE(rows.rows.size() == 3);
  CHECK(rows.rows[0] == std::vector<Value>{std::string("one"), std::int64_t{1}});
  CHECK(rows.rows[1][1] == Value(2.5));
  CHECK(std::holds_alternative<std::monostate>(rows.rows[2][1]));
}

TEST_CASE("a fault of SQL names the page and the line", "[pages][database]") {
  Database database = with_numbers();
  CHECK(fault_of(database, "select y from t") == "p.md: line 3: no such column: y");
  // Newer versions of SQLite quote the name here, and ask whether a string was meant.
  CHECK_THAT(fault_of(database, "select \"y\" from t"),
             StartsWith("p.md: line 3: no such column: y") ||
                 StartsWith("p.md: line 3: no such column: \"y\" - "));
  CHECK_THAT(fault_of(database, "selec 1"), Contains("p.md: line 3: near \"selec\""));
  CHECK(fault_of(database, "-- nothing") == "p.md: line 3: there is no query here; write a SELECT");
  CHECK(fault_of(database, "select 1; select 2") ==
        "p.md: line 3: two queries in one block; give each a block of its own");
}

TEST_CASE("a page can only read", "[pages][database]") {
  Database database = with_numbers();
  const std::string only_reading =
      "p.md: line 3: only a query that reads this folder's results is allowed here; write a SELECT";
  for (const std::string sql :
       {"delete from t", "create table u (x)", "pragma database_list", "drop table t",
        "attach '/etc/passwd' as other", "update t set x = 1", "insert into t values (1, 2)",
        "vacuum into '/tmp/page'", "begin"}) {
    INFO(sql);
    CHECK(fault_of(database, sql) == only_reading);
  }
  CHECK_THAT(fault_of(database, "select load_extension('x')"), Contains("p.md: line 3: "));
  CHECK(database.query("select count(*) from t", "here").rows[0][0] == Value(std::int64_t{3}));
}

TEST_CASE("a query without end is stopped and says so", "[pages][database]") {
  Database database;
  CHECK_THAT(fault_of(database,
                      "with recursive r(i) as (select 1 union all select i + 1 from r) "
                      "select max(i) from r"),
             Contains("takes more than 5 seconds and was stopped"));
}

TEST_CASE("a query of too many rows or too long a text is refused", "[pages][database]") {
  Database database;
  CHECK_THAT(fault_of(database,
                      "with recursive r(i) as (select 1 union all select i + 1 from r) "
                      "select i from r"),
             Contains("more than 100000 rows"));
  CHECK_THAT(fault_of(database, "select zeroblob(1000000000)"),
             Contains("a text of more than 262144 bytes"));
}

TEST_CASE("an unknown column of a relation names those that there are", "[pages][database]") {
  const Relation relation{.columns = {"a", "b"}, .rows = {}};
  CHECK(relation.index_of("b", "here") == 1);
  CHECK_THROWS_WITH(relation.index_of("c", "p.md: line 9"),
                    "p.md: line 9: no column \"c\"; the query has \"a\", \"b\"");
}

TEST_CASE("a hostile query ends soon, takes bounded memory and is named", "[pages][database]") {
  Database database = with_numbers();
  const std::string million =
      "with recursive c(i) as (select 1 union all select i + 1 from c where i < 1000000) ";
  for (const std::string& sql : std::vector<std::string>{
           million + "select i from c order by randomblob(1000)",
           million + "select count(distinct hex(randomblob(2000))) from c",
           million + "select group_concat(hex(randomblob(500))) from c",
           million + "select zeroblob(250000) from c limit 90000",
           million + "select c.i from c, c as d order by c.i * d.i",
           "with recursive c(t) as (select 'ab' union all select t || t from c) select t from c",
           "select replace(printf('%.*c', 200000, 'a'), 'a', printf('%.*c', 200000, 'b'))",
           "select zeroblob(16000000)", "select 'a' like printf('%.*c', 5000, '%')",
           "select hex(zeroblob(200000000))",
           "select json_group_array(json(printf('[%.*c]', 200000, '1'))) from t, t u, t v"}) {
    INFO(sql);
    sqlite3_memory_highwater(1);
    CHECK_THAT(fault_of(database, sql), Catch::StartsWith("p.md: line 3: "));
    CHECK(sqlite3_memory_highwater(1) < std::int64_t{3} << 29);
  }
  // Null, as what it makes is too long; and the longest that is allowed.
  CHECK(fault_of(database, "select printf('%.*c', 900000000, 'a')").empty());
  CHECK(fault_of(database,
                 "select instr(printf('%.*c', 260000, 'a'), printf('%.*c', 130000, 'a') || 'b')")
            .empty());
  CHECK(fault_of(database, "select count(*) from t").empty());
}

TEST_CASE("the queries of a page have a time together", "[pages][database]") {
  Database database(1.5);
  const std::string endless =
      "with recursive c(i) as (select 1 union all select i + 1 from c) select count(*) from c";
  CHECK_THAT(fault_of(database, endless), Contains("and was stopped"));
  CHECK(fault_of(database, "select 1") ==
        "p.md: line 3: the queries before this one took more than 1.5 seconds; ask for fewer rows");
}

TEST_CASE("a large table is in little memory, and its file has no name that could be left",
          "[pages][database]") {
  Relation rows{.columns = {"number", "text"}, .rows = {}};
  for (std::int64_t i = 0; i < 1000; ++i) rows.rows.push_back({i, std::string(200'000, 'a')});
  sqlite3_memory_highwater(1);
  Database database;
  database.add_table("large", rows);
  CHECK(sqlite3_memory_highwater(1) < 2 * Database::most_memory_bytes);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code closed;  // that of the folder itself
    const std::string file = std::filesystem::read_symlink(entry.path(), closed).string();
    if (file.find("etilqs_") != std::string::npos && file.ends_with(" (deleted)")) ++files;
  }
  CHECK(files == 1);
  const Relation found =
      database.query("select count(*), sum(number), sum(length(text)) from large", "here");
  CHECK(found.rows.front() ==
        std::vector<Value>{std::int64_t{1000}, std::int64_t{499'500}, std::int64_t{200'000'000}});
}

TEST_CASE("a table for whose file there is no room is refused in one line", "[pages][database]") {
  Relation rows{.columns = {"text"}, .rows = {}};
  for (int i = 0; i < 500; ++i) rows.rows.push_back({std::string(400'000, 'a')});
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{.rlim_cur = 1 << 20, .rlim_max = before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string fault;
  try {
    Database().add_table("large", rows);
  } catch (const bloomlab::record::RunError& error) {
    fault = error.what();
  }
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  std::signal(SIGXFSZ, handler);
  CHECK_THAT(fault, StartsWith("table large: the temporary file of its tables cannot be used (") &&
                        Contains("by the variable TMPDIR"));
}

TEST_CASE("what a page would not show is written out, and forges no link", "[pages][database]") {
  Database database = with_numbers();
  const Relation rows = database.query(
      "select char(1), char(1) || 'r' || char(2), char(27) || '[31m', cast(x'ff41' as text)", "");
  CHECK(rows.rows.front() ==
        std::vector<Value>{"\\u{0001}", "\\u{0001}r\\u{0002}", "\\u{001B}[31m", "\\xFFA"});
}
