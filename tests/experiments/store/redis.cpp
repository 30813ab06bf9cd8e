// What a server may say to a connection, and what not; and the counts of the kind that starts one.
#include "experiments/store/redis.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/theory/standard.hpp"
#include "experiments/kinds/cache_penetration.hpp"
#include "record/input_error.hpp"
#include "tests/catch_runner.hpp"

namespace bloomlab::experiments {
namespace {

using namespace std::chrono_literals;

/// What the connection makes of a reply to GET, the fault where it is one.
std::string made_of(const std::string& reply, bool is_closed = false) {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  RedisConnection connection(ends[0], 60ms);
  REQUIRE(::send(ends[1], reply.data(), reply.size(), 0) == static_cast<ssize_t>(reply.size()));
  if (is_closed) ::shutdown(ends[1], SHUT_RDWR);
  std::string made;
  try {
    const RedisReply said = connection.ask({"GET", "key"});
    made = said.text ? "text " + *said.text : "number " + std::to_string(said.integer);
  } catch (const record::InputError& fault) {
    made = fault.what();
  }
  ::close(ends[1]);
  return made;
}

TEST_CASE("a server's reply is taken as the protocol has it, or refused in one line",
          "[applications][store]") {
  const std::string broken = "redis-server: its reply to GET is not of the protocol: ";
  const std::string late = "redis-server: gave no reply to GET within 60 ms";
  const std::string closed = "redis-server: closed its socket at GET";
  struct Row {
    std::string reply;
    std::string made;
  };
  const std::vector<Row> rows = {
      {"+OK\r\n", "text OK"},
      {"$4\r\na\r\nb\r\n", "text a\r\nb"},
      {"$0\r\n\r\n", "text "},
      {"$-1\r\n", "number 0"},
      {":-7\r\n", "number -7"},
      {"-OOM no \x1b[31m room\r\n", "redis-server: refused GET: OOM no ?[31m room"},
      {"-" + std::string(400, 'x') + "\r\n", "redis-server: refused GET: " + std::string(200, 'x')},
      {"", late},
      {"+OK", late},
      {"+OK\n", late},
      {"$5\r\nab\r\n", late},
      {"HTTP/1.1 200 OK\r\n", broken + "no status, number, value or error"},
      {"\r\n", broken + "no status, number, value or error"},
      {"*1\r\n+OK\r\n", broken + "no status, number, value or error"},
      {std::string(60000, 'x'), broken + "a line without an end"},
      {"+" + std::string(600, 'x') + "\r\n", broken + "a line without an end"},
      {"$2\r\nabcd\r\n", broken + "a value without an end"},
      {"$-2\r\n", broken + "a value of -2 bytes"},
      {"$16777217\r\n", broken + "a value of 16777217 bytes"},
      {"$99999999999999999999\r\n", broken + "a number that is none"},
      {"$ 2\r\nab\r\n", broken + "a number that is none"},
      {"$02\r\nab\r\n", broken + "a number that is none"},
      {"$\r\n", broken + "a number that is none"},
      {":1x\r\n", broken + "a number that is none"},
      {"+OK\r\n+OK\r\n", broken + "more than one reply"},
      {"$2\r\nab\r\n" + std::string(60000, 'x'), broken + "more than one reply"},
  };
  for (const Row& row : rows) {
    INFO(row.reply.substr(0, 40));
    CHECK(made_of(row.reply) == row.made);
  }
  CHECK(made_of("$5\r\nab", true) == closed);
  CHECK(made_of("", true) == closed);
}

TEST_CASE("the three guards of a cache that are timed take turns in every order",
          "[applications][store]") {
  CHECK(CachePenetration::check({1, 0.9, 1, 10}, {}) ==
        "repetitions is 10; the three guards take turns in all six orders: write a multiple of 6");
  CHECK(CachePenetration::check({1, 0.9, 1, 12}, {}) == std::nullopt);
}

TEST_CASE("of queries of absent keys the false positives reach the store, of an expired key all",
          "[applications][store]") {
  if (::system("command -v redis-server >/dev/null || command -v redis-check-rdb >/dev/null") !=
      0) {
    return tests::skip("Redis is not installed");
  }
  using Scene = CachePenetration::Point::Scene;
  const CachePenetration::Parameters p{20000, 0.75, 4, 6};
  for (const auto scene : {Scene::penetration, Scene::breakdown, Scene::later_keys}) {
    const CachePenetration::Point::Parameters at{scene, 3000, 30, 6, 5, 0};
    const Measurement one = CachePenetration::measure(p, at, 5).front();
    INFO(one.measured.dump());
    const auto count = [&](const std::string& name) { return one.measured.at(name).get<double>(); };
    const double queries = count("queries");
    const double absent = count("absent");
    const double rate = theory::exact_fpr(18000, 2700 + (scene == Scene::later_keys ? 0 : 300), 4);
    for (const std::string guard : {"none", "filter", "loader"})
      CHECK(count(guard + "_wrong") == 0);
    for (const std::string guard : {"none", "filter", "untold"}) {
      CHECK(count(guard + "_misses") == count(guard + "_reads"));
    }
    CHECK(count("k") == 4);
    CHECK(count("m") == 18000);
    CHECK(count("later") == (scene == Scene::later_keys ? 300 : 0));
    if (scene == Scene::penetration) {
      CHECK(queries == 20000);
      CHECK(std::abs(absent - 15000) < 250);  // four standard deviations
      // Every present key is read once, and is then in the cache.
      const double found = count("none_found");
      CHECK(found > 2000);
      CHECK(found < 3000);
      for (const std::string guard : {"none", "loader"}) {
        CHECK(count(guard + "_reads") == absent + found);
        CHECK(count(guard + "_found") == found);
      }
      for (const std::string guard : {"filter", "untold"}) {
        CHECK(count(guard + "_found") == found);
        CHECK(std::abs(count(guard + "_reads") - found - absent * rate) < 0.2 * absent * rate);
      }
      CHECK(count("loader_misses") == 2 * count("loader_reads"));
      CHECK(count("untold_wrong") == 0);
      CHECK(count("expired") == 0);
    } else if (scene == Scene::breakdown) {
      CHECK(queries == 20);
      CHECK(absent == 0);
      for (const std::string guard : {"none", "filter", "untold"}) {
        CHECK(count(guard + "_reads") == 20);
        CHECK(count(guard + "_found") == 20);
      }
      CHECK(count("loader_reads") == 4);
      CHECK(count("loader_misses") == 24);  // the one that loads has looked twice
      CHECK(count("untold_wrong") == 0);
      CHECK(count("expired") == 16);
    } else {
      CHECK(queries == 300);
      CHECK(count("filter_reads") == 300);
      CHECK(count("untold_reads") + count("untold_wrong") == 300);
      CHECK(std::abs(count("untold_reads") - 300 * rate) < 18);  // four standard deviations
      CHECK(count("untold_reads") > 0);
    }
    CHECK(one.timing.size() == (scene == Scene::later_keys ? 0 : 3));
    for (const auto& [name, durations] : one.timing.items()) CHECK(durations.size() == 6);
    CHECK(one.measured == CachePenetration::measure(p, at, 5).front().measured);
  }
}

}  // namespace
}  // namespace bloomlab::experiments
