// The host of a shared library: answers frames by calls of its functions.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/frames.hpp"
#include "foreign/library.hpp"
#include "foreign/runner/runner.hpp"

namespace bloomlab::foreign::runner {
namespace {

/// Thrown where the other side closed its end: nothing is left to do.
struct Closed {};

/// The two ends that frames go over. The library's own output goes to standard error.
class Wire {
 public:
  Wire() : output_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)) {
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }

  void read(void* to, std::size_t size) const {
    for (auto* at = static_cast<char*>(to); size != 0;) {
      const ssize_t count = ::read(STDIN_FILENO, at, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw Closed{};
      at += count;
      size -= static_cast<std::size_t>(count);
    }
  }

  void write(const void* from, std::size_t size) const {
    for (const auto* at = static_cast<const char*>(from); size != 0;) {
      const ssize_t count = ::write(output_, at, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw Closed{};
      at += count;
      size -= static_cast<std::size_t>(count);
    }
  }

  void answer(int status, const void* payload, std::size_t size) const {
    const AnswerHeader header{.status = static_cast<std::uint32_t>(status), .payload_bytes = size};
    write(&header, sizeof header);
    write(payload, size);
  }

 private:
  int output_;
};

class Host {
 public:
  explicit Host(const Library& library) : filter_(library) {}

  void serve(const Wire& wire) {
    for (CallHeader call;;) {
      wire.read(&call, sizeof call);
      if (call.payload_bytes > most_payload_bytes) throw Closed{};
      memory_.resize(static_cast<std::size_t>(call.payload_bytes + 7) / 8);
      wire.read(memory_.data(), static_cast<std::size_t>(call.payload_bytes));
      try {
        answer(call, wire);
      } catch (const LibraryRefusal& refusal) {
        wire.answer(refusal.status, refusal.text.data(), refusal.text.size());
      }
    }
  }

 private:
  void answer(const CallHeader& call, const Wire& wire) {
    const auto operation = static_cast<Operation>(call.operation);
    const std::string_view payload{reinterpret_cast<const char*>(memory_.data()),
                                   static_cast<std::size_t>(call.payload_bytes)};
    if (operation != Operation::create && !filter_.is_created()) {
      throw LibraryRefusal{BLOOMLAB_FAILED, "no filter was created"};
    }
    int status = BLOOMLAB_OK;
    switch (operation) {
      case Operation::create:
        filter_.create(std::string(payload));
        break;
      case Operation::insert:
        status = filter_.insert(keys_of(call));
        break;
      case Operation::query: {
        const LibraryKeys keys = keys_of(call);
        answers_.resize(keys.count);
        filter_.query(keys, answers_.data());
        return wire.answer(status, answers_.data(), answers_.size());
      }
      case Operation::memory_bits: {
        const std::uint64_t bits = filter_.memory_bits();
        return wire.answer(status, &bits, sizeof bits);
      }
      case Operation::remove:
        filter_.remove(keys_of(call));
        break;
      case Operation::save: {
        const std::vector<std::uint8_t> saved = filter_.save();
        return wire.answer(status, saved.data(), saved.size());
      }
      case Operation::load:
        filter_.load(payload);
        break;
      case Operation::merge:
        filter_.merge(payload);
        break;
      default:
        status = BLOOMLAB_UNSUPPORTED;
    }
    wire.answer(status, nullptr, 0);
  }

  /// The keys of the frame that was read.
  [[nodiscard]] LibraryKeys keys_of(const CallHeader& call) const {
    const auto count = static_cast<std::size_t>(call.count);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(memory_.data());
    const bool too_many = call.count > most_payload_bytes;
    if (call.key_bytes != 0) {
      if (too_many || call.payload_bytes != call.count * call.key_bytes) refuse_size();
      return {.count = count, .bytes = bytes, .key_bytes = call.key_bytes};
    }
    const std::uint64_t header = (call.count + 1) * sizeof(std::uint64_t);
    if (too_many || header > call.payload_bytes || memory_[count] != call.payload_bytes - header) {
      refuse_size();
    }
    return {.count = count, .bytes = bytes + header, .offsets = memory_.data()};
  }

  [[noreturn]] static void refuse_size() {
    throw LibraryRefusal{BLOOMLAB_FAILED, "a frame of the wrong size"};
  }

  LibraryFilter filter_;
  std::vector<std::uint64_t> memory_;  // of a frame: aligned for 8-byte numbers
  std::vector<std::uint8_t> answers_;
};

}  // namespace

int host_library(const std::string& path) {
  const Wire wire;
  try {
    const Library library(path);
    const std::string greeting = library.greeting() + "\n";
    wire.write(greeting.data(), greeting.size());
    Host(library).serve(wire);
  } catch (const LibraryRefusal& refusal) {
    std::fprintf(stderr, "%s\n", refusal.text.c_str());
    return status_of_failed_start;
  } catch (const Closed&) {
    // The end.
  }
  return 0;
}

}  // namespace bloomlab::foreign::runner
