// Files that somebody else names: pipes, devices and sockets too.
#include "record/input_file.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <thread>

#include "record/input_error.hpp"
#include "temporary_folder.hpp"

using namespace bloomlab::record;
using namespace std::chrono_literals;

TEST_CASE("a pipe is read to its end, however late its writer comes", "[record][input]") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string text(300000, 'x');
  {
    const std::jthread writer([&] {
      std::this_thread::sleep_for(50ms);
      std::ofstream out(pipe);
      out << text << std::flush;
      std::this_thread::sleep_for(50ms);
      out << "end";
    });
    CHECK(read_input(pipe, {.silence = 5s}) == text + "end");
  }
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "gone", 4) == 4);
  ::close(ends[1]);
  CHECK(read_input("/dev/fd/" + std::to_string(ends[0])) == "gone");
  ::close(ends[0]);
}

TEST_CASE("a pipe that says nothing, devices and sockets are refused", "[record][input]") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string silent =
      "nothing came for 1 s; name a regular file, or a pipe that is being written";
  CHECK_THROWS_WITH(read_input(pipe, {.silence = 1s}), silent);
  {
    const std::ofstream open_writer(pipe, std::ios::in | std::ios::out);
    CHECK_THROWS_WITH(read_input(pipe, {.silence = 1s}), silent);
  }
  ::sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string socket_path = (folder.path() / "socket").string();
  REQUIRE(socket_path.size() < sizeof address.sun_path);
  std::strcpy(address.sun_path, socket_path.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(::bind(socket, reinterpret_cast<::sockaddr*>(&address), sizeof address) == 0);
  for (const std::string& path : {std::string("/dev/zero"), socket_path}) {
    CHECK_THROWS_WITH(read_input(path), "is a device or a socket; name a regular file, or a pipe");
  }
  ::close(socket);
}

TEST_CASE("no more is read than is allowed", "[record][input]") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a") << "12345";
  CHECK(read_input(folder.path() / "a", {.max_bytes = 5}) == "12345");
  CHECK_THROWS_WITH(read_input(folder.path() / "a", {.max_bytes = 4}),
                    "larger than 4 bytes; this is not a file that is expected here");
}

TEST_CASE("where links and pipes are not wanted, a regular file alone is read", "[record][input]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a";
  const auto link = folder.path() / "link";
  const auto pipe = folder.path() / "pipe";
  std::ofstream(file) << "12345";
  std::filesystem::create_symlink(file, link);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(read_regular(file, 5) == "12345");
  CHECK_THROWS_WITH(
      read_regular(file, 4),
      file.string() + ": larger than 4 bytes; this is not a file that is expected here");
  for (const auto& other : {link, pipe, folder.path()}) {
    CHECK_THROWS_WITH(read_regular(other, 5),
                      other.string() + ": is a link or no regular file; put the file itself there");
  }
  CHECK_THROWS_WITH(read_regular(folder.path() / "none", 5), Catch::Contains("cannot be read (No"));
}
