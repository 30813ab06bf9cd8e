#include "analysis/pages/database.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace bloomlab::analysis::pages;
using bloomlab::record::InputError;
using Catch::Contains;

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
  CHECK(fault_of(database, "select \"y\" from t") == "p.md: line 3: no such column: y");
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
  CHECK_THAT(fault_of(database, "select zeroblob(1000000000)"), Contains("too big"));
}

TEST_CASE("an unknown column of a relation names those that there are", "[pages][database]") {
  const Relation relation{.columns = {"a", "b"}, .rows = {}};
  CHECK(relation.index_of("b", "here") == 1);
  CHECK_THROWS_WITH(relation.index_of("c", "p.md: line 9"),
                    "p.md: line 9: no column \"c\"; the query has \"a\", \"b\"");
}
