// The host of a shared library: answers frames by calls of its functions.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "foreign/bloomlab_filter.h"
#include "foreign/frames.hpp"
#include "foreign/runner/runner.hpp"

namespace bloomlab::foreign::runner {
namespace {

/// Thrown where the other side closed its end: nothing is left to do.
struct Closed {};

/// An answer other than ok, with its text.
struct Refusal {
  int status;
  std::string text;
};

/// The two ends that frames go over. The library's own output goes to standard error.
class Wire {
 public:
  Wire() : output_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10)) {
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    static_cast<void>(::fcntl(STDIN_FILENO, F_SETPIPE_SZ, 1 << 20));
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

/// The keys of a call, of one length or with offsets, in memory that is aligned for 8-byte numbers.
struct Keys {
  std::vector<std::uint64_t> memory = {};
  std::vector<std::uint64_t> offsets = {};  // made here where the keys have one length
  bloomlab_keys view = {};
  std::uint64_t key_bytes = 0;
};

class Host {
 public:
  explicit Host(const bloomlab_filter_functions& functions) : f_(functions) {}
  ~Host() { destroy(filter_); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  void serve(const Wire& wire) {
    for (CallHeader call;;) {
      wire.read(&call, sizeof call);
      if (call.payload_bytes > most_payload_bytes) throw Closed{};
      keys_.memory.resize(static_cast<std::size_t>(call.payload_bytes + 7) / 8);
      wire.read(keys_.memory.data(), static_cast<std::size_t>(call.payload_bytes));
      try {
        answer(call, wire);
      } catch (const Refusal& refusal) {
        wire.answer(refusal.status, refusal.text.data(), refusal.text.size());
      }
    }
  }

 private:
  void answer(const CallHeader& call, const Wire& wire) {
    const auto operation = static_cast<Operation>(call.operation);
    const std::string_view payload{reinterpret_cast<const char*>(keys_.memory.data()),
                                   static_cast<std::size_t>(call.payload_bytes)};
    if (operation != Operation::create && filter_ == nullptr) {
      throw Refusal{BLOOMLAB_FAILED, "no filter was created"};
    }
    switch (operation) {
      case Operation::create:
        create(std::string(payload));
        return wire.answer(BLOOMLAB_OK, nullptr, 0);
      case Operation::insert:
        take_keys(call);
        return wire.answer(insert(), nullptr, 0);
      case Operation::query:
        take_keys(call);
        query();
        return wire.answer(BLOOMLAB_OK, answers_.data(), answers_.size());
      case Operation::memory_bits: {
        const std::uint64_t bits = f_.memory_bits(filter_);
        return wire.answer(BLOOMLAB_OK, &bits, sizeof bits);
      }
      case Operation::remove:
        take_keys(call);
        require(f_.remove != nullptr ? f_.remove(filter_, &keys_.view) : BLOOMLAB_UNSUPPORTED,
                "remove");
        return wire.answer(BLOOMLAB_OK, nullptr, 0);
      case Operation::save: {
        const std::vector<std::uint8_t> saved = save();
        return wire.answer(BLOOMLAB_OK, saved.data(), saved.size());
      }
      case Operation::load:
        load(filter_, payload);
        return wire.answer(BLOOMLAB_OK, nullptr, 0);
      case Operation::merge:
        merge(payload);
        return wire.answer(BLOOMLAB_OK, nullptr, 0);
    }
    throw Refusal{BLOOMLAB_UNSUPPORTED, "no operation " + std::to_string(call.operation)};
  }

  static void require(int status, const char* function) {
    if (status == BLOOMLAB_OK) return;
    const std::string text = status == BLOOMLAB_UNSUPPORTED ? " is not supported"
                             : status == BLOOMLAB_NO_MEMORY
                                 ? " found no memory"
                                 : " returned status " + std::to_string(status);
    throw Refusal{status, function + text};
  }

  void destroy(void* filter) const {
    if (filter != nullptr) f_.destroy(filter);
  }

  /// A filter from "N BITS_PER_KEY FPR SEED OPTIONS".
  [[nodiscard]] void* created(const std::string& text) const {
    char* at = nullptr;
    char message[512] = "";
    bloomlab_request request = {};
    request.size = sizeof request;
    request.n = std::strtoull(text.c_str(), &at, 10);
    request.bits_per_key = std::strtod(at, &at);
    request.fpr = std::strtod(at, &at);
    request.seed = std::strtoull(at, &at, 10);
    request.options = *at == ' ' ? at + 1 : at;
    request.message = message;
    request.message_size = sizeof message;
    void* filter = nullptr;
    const int status = f_.create(&request, &filter);
    message[sizeof message - 1] = '\0';
    if (status != BLOOMLAB_OK && message[0] != '\0') throw Refusal{status, message};
    require(status, "create");
    if (filter == nullptr) throw Refusal{BLOOMLAB_FAILED, "create gave no filter"};
    return filter;
  }

  void create(std::string text) {
    destroy(std::exchange(filter_, nullptr));
    request_ = std::move(text);
    filter_ = created(request_);
  }

  void take_keys(const CallHeader& call) {
    const auto count = static_cast<std::size_t>(call.count);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(keys_.memory.data());
    keys_.key_bytes = call.key_bytes;
    if (call.key_bytes != 0) {
      if (call.count > most_payload_bytes || call.payload_bytes != call.count * call.key_bytes) {
        throw Refusal{BLOOMLAB_FAILED, "a frame of the wrong size"};
      }
      keys_.view = {count, bytes, nullptr};
      return;
    }
    const std::uint64_t header = (call.count + 1) * sizeof(std::uint64_t);
    if (call.count > most_payload_bytes || header > call.payload_bytes ||
        keys_.memory[count] != call.payload_bytes - header) {
      throw Refusal{BLOOMLAB_FAILED, "a frame of the wrong size"};
    }
    keys_.view = {count, bytes + header, keys_.memory.data()};
  }

  /// Offsets for keys of one length, where the function wants them.
  const bloomlab_keys* with_offsets() {
    if (keys_.view.offsets == nullptr) {
      const std::size_t needed = keys_.view.count + 1;
      if (keys_.offsets.size() < needed || keys_.offsets[1] != keys_.key_bytes) {
        keys_.offsets.resize(std::max<std::size_t>(needed, 2));
        for (std::size_t i = 0; i < keys_.offsets.size(); ++i)
          keys_.offsets[i] = i * keys_.key_bytes;
      }
      keys_.view.offsets = keys_.offsets.data();
    }
    return &keys_.view;
  }

  template <class Use>
  void for_each_key(Use use) {
    const bloomlab_keys& keys = *with_offsets();
    for (std::size_t i = 0; i < keys.count; ++i) {
      use(i, keys.bytes + keys.offsets[i],
          static_cast<std::size_t>(keys.offsets[i + 1] - keys.offsets[i]));
    }
  }

  [[nodiscard]] bool are_integers() const { return keys_.key_bytes == sizeof(std::uint64_t); }

  int insert() {
    int status = BLOOMLAB_OK;
    if (are_integers() && f_.insert_integers != nullptr) {
      status = f_.insert_integers(filter_, keys_.memory.data(), keys_.view.count);
    } else if (f_.insert != nullptr) {
      status = f_.insert(filter_, with_offsets());
    } else {
      for_each_key([&](std::size_t, const std::uint8_t* key, std::size_t length) {
        const int one = f_.insert_one(filter_, key, length);
        if (one != BLOOMLAB_FULL) require(one, "insert_one");
        status = std::max(status, one);
      });
    }
    if (status != BLOOMLAB_FULL) require(status, "insert");
    return status;
  }

  void query() {
    // What no function wrote is seen as no answer.
    constexpr std::uint8_t unwritten = 0xFF;
    answers_.assign(keys_.view.count, unwritten);
    if (are_integers() && f_.query_integers != nullptr) {
      require(f_.query_integers(filter_, keys_.memory.data(), keys_.view.count, answers_.data()),
              "query_integers");
    } else if (f_.query != nullptr) {
      require(f_.query(filter_, with_offsets(), answers_.data()), "query");
    } else {
      for_each_key([&](std::size_t i, const std::uint8_t* key, std::size_t length) {
        const int one = f_.query_one(filter_, key, length);
        if (one < 0) require(-one, "query_one");
        answers_[i] = one == 0 ? 0 : 1;
      });
    }
  }

  [[nodiscard]] std::vector<std::uint8_t> save() const {
    if (f_.save == nullptr) require(BLOOMLAB_UNSUPPORTED, "save");
    std::size_t size = 0;
    require(f_.save(filter_, nullptr, 0, &size), "save");
    std::vector<std::uint8_t> saved(size);
    require(f_.save(filter_, saved.data(), saved.size(), &size), "save");
    saved.resize(std::min(size, saved.size()));
    return saved;
  }

  void load(void* filter, std::string_view saved) const {
    if (f_.load == nullptr) require(BLOOMLAB_UNSUPPORTED, "load");
    require(f_.load(filter, reinterpret_cast<const std::uint8_t*>(saved.data()), saved.size()),
            "load");
  }

  void merge(std::string_view saved) {
    if (f_.merge == nullptr) require(BLOOMLAB_UNSUPPORTED, "merge");
    void* const other = created(request_);
    try {
      load(other, saved);
      require(f_.merge(filter_, other), "merge");
    } catch (const Refusal&) {
      destroy(other);
      throw;
    }
    destroy(other);
  }

  const bloomlab_filter_functions& f_;
  void* filter_ = nullptr;
  std::string request_;
  Keys keys_;
  std::vector<std::uint8_t> answers_;
};

/// Why the functions cannot be used, or nothing.
const char* fault_of(const bloomlab_filter_functions* f) {
  if (f == nullptr) return "bloomlab_filter() returned NULL: it cannot be used on this machine";
  if (f->abi != BLOOMLAB_FILTER_ABI) return "is made for another version of bloomlab_filter.h";
  if (f->size < sizeof *f) return "its struct of functions is smaller than that of version 1";
  if (f->name == nullptr || f->name[0] == '\0') return "its name is missing";
  if (std::strpbrk(f->name, " \t\r\n") != nullptr) return "its name is more than a word";
  if (f->create == nullptr || f->destroy == nullptr || f->memory_bits == nullptr) {
    return "create, destroy or memory_bits is NULL";
  }
  if (f->insert == nullptr && f->insert_one == nullptr) return "insert and insert_one are NULL";
  if (f->query == nullptr && f->query_one == nullptr) return "query and query_one are NULL";
  if ((f->save == nullptr) != (f->load == nullptr))
    return "save without load, or load without save";
  return nullptr;
}

std::string in_one_line(const char* text) {
  std::string line = text == nullptr ? "" : text;
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

std::string greeting_of(const bloomlab_filter_functions& f) {
  std::string line = "bloomlab-filter 1 binary name=" + std::string(f.name);
  std::string version = in_one_line(f.version);
  std::ranges::replace(version, ' ', '_');
  if (!version.empty()) line += " version=" + version;
  if ((f.flags & BLOOMLAB_NONDETERMINISTIC) != 0) line += " nondeterministic";
  if (f.remove != nullptr) line += " removes";
  if (f.save != nullptr) line += " saves";
  if (f.save != nullptr && f.merge != nullptr) line += " merges";
  if (const std::string help = in_one_line(f.help); !help.empty()) line += " help=" + help;
  return line + "\n";
}

/// The exit status of a program that could not be started.
constexpr int cannot_start = 127;

int refuse_library(const std::string& path, const char* fault) {
  std::fprintf(stderr, "%s: %s\n", path.c_str(), fault);
  return cannot_start;
}

}  // namespace

int host_library(const std::string& path) {
  const Wire wire;
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return refuse_library("cannot be loaded", ::dlerror());
  using Symbol = const bloomlab_filter_functions* (*)();
  const auto symbol = reinterpret_cast<Symbol>(::dlsym(library, "bloomlab_filter"));
  if (symbol == nullptr) return refuse_library(path, "exports no function bloomlab_filter");
  const bloomlab_filter_functions* const functions = symbol();
  if (const char* const fault = fault_of(functions)) return refuse_library(path, fault);
  try {
    const std::string greeting = greeting_of(*functions);
    wire.write(greeting.data(), greeting.size());
    Host(*functions).serve(wire);
  } catch (const Closed&) {
    // The end.
  }
  return 0;
}

}  // namespace bloomlab::foreign::runner
