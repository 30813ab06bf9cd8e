// The side of a filter from outside, for filters of the catalogue: docs/foreign_filters.md.
#include <array>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <vector>

#include "cli/commands/audit_catalogue.hpp"
#include "foreign/frames.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

/// "N BITS_PER_KEY FPR SEED OPTIONS"; the options are of no use here.
foreign::Request request_of(const std::string& text) {
  std::istringstream words(text);
  foreign::Request request;
  double bits_per_key = 0.0;
  double fpr = 0.0;
  words >> request.n >> bits_per_key >> fpr >> request.seed;
  if (bits_per_key > 0.0) request.bits_per_key = bits_per_key;
  if (fpr > 0.0) request.fpr = fpr;
  return request;
}

int digit_of(char hex) { return hex <= '9' ? hex - '0' : (hex | 0x20) - 'a' + 10; }

/// Keys as they came: integers where each has 8 bytes, as within one process.
class Keys {
 public:
  void clear() { bytes_.clear(); }
  void add(std::string_view bytes) { bytes_.emplace_back(bytes); }
  [[nodiscard]] KeyBatch batch() {
    values_.clear();
    views_.assign(bytes_.begin(), bytes_.end());
    for (const std::string& key : bytes_) {
      if (key.size() != sizeof(std::uint64_t)) return KeyBatch::texts(views_);
      values_.emplace_back();
      std::memcpy(&values_.back(), key.data(), key.size());
    }
    return KeyBatch::integers(values_, 8);
  }

 private:
  std::vector<std::string> bytes_;
  std::vector<std::string_view> views_;
  std::vector<std::uint64_t> values_;
};

void serve_lines(foreign::ForeignFilter& filter) {
  std::ios::sync_with_stdio(false);
  std::cout << "bloomlab-filter 1 text name=" << filter.description().name << std::endl;
  Keys keys;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string call;
    std::size_t count = 0;
    words >> call;
    try {
      if (call == "create") {
        filter.create(request_of(line.substr(call.size())));
        std::cout << "ok" << std::endl;
      } else if (call == "memory") {
        std::cout << filter.memory_bits() << std::endl;
      } else if ((call == "insert" || call == "query") && words >> count) {
        keys.clear();
        std::string hex;
        for (std::size_t i = 0; i < count && std::getline(std::cin, hex); ++i) {
          std::string key(hex.size() / 2, '\0');
          for (std::size_t j = 0; j < key.size(); ++j) {
            key[j] = static_cast<char>(16 * digit_of(hex[2 * j]) + digit_of(hex[2 * j + 1]));
          }
          keys.add(key);
        }
        if (call == "insert") {
          std::cout << (filter.insert(keys.batch()) ? "ok" : "full") << std::endl;
          continue;
        }
        std::vector<Answer> answers(count);
        filter.query(keys.batch(), answers);
        for (const Answer answer : answers) std::cout << (answer == Answer::maybe ? '1' : '0');
        std::cout << std::endl;
      } else {
        std::cout << "unsupported" << std::endl;
      }
    } catch (const foreign::Failure& failure) {
      std::cout << "error " << failure.what() << std::endl;
    }
  }
}

/// Frames over standard input and output.
class Frames {
 public:
  explicit Frames(foreign::ForeignFilter& filter) : filter_(filter) {}

  void serve() {
    std::printf("bloomlab-filter 1 binary name=%s\n", filter_.description().name.c_str());
    std::fflush(stdout);
    for (foreign::CallHeader call; read(&call, sizeof call);) {
      words_.resize((call.payload_bytes + 7) / 8);
      if (!read(words_.data(), call.payload_bytes)) return;
      try {
        answer(call);
      } catch (const foreign::Failure& failure) {
        constexpr std::uint32_t failed = 3;
        write(failed, failure.what(), std::strlen(failure.what()));
      }
    }
  }

 private:
  static bool read(void* to, std::size_t size) { return std::fread(to, 1, size, stdin) == size; }
  static void write(std::uint32_t status, const void* payload, std::size_t size) {
    const foreign::AnswerHeader header{.status = status, .payload_bytes = size};
    std::fwrite(&header, sizeof header, 1, stdout);
    if (size > 0) std::fwrite(payload, 1, size, stdout);
    std::fflush(stdout);
  }
  static void write(foreign::Status status) {
    write(static_cast<std::uint32_t>(status), nullptr, 0);
  }

  void answer(const foreign::CallHeader& call) {
    using foreign::Operation;
    using foreign::Status;
    switch (static_cast<Operation>(call.operation)) {
      case Operation::create:
        filter_.create(request_of({bytes(), call.payload_bytes}));
        return write(Status::ok);
      case Operation::insert:
        return write(filter_.insert(keys_of(call)) ? Status::ok : Status::full);
      case Operation::query: {
        const KeyBatch keys = keys_of(call);
        answers_.resize(keys.size());
        filter_.query(keys, answers_);
        static_assert(sizeof(Answer) == 1 && static_cast<int>(Answer::maybe) == 1);
        return write(0, answers_.data(), answers_.size());
      }
      case Operation::memory_bits: {
        const std::uint64_t bits = filter_.memory_bits();
        return write(0, &bits, sizeof bits);
      }
      default:
        write(Status::unsupported);
    }
  }

  [[nodiscard]] const char* bytes() const { return reinterpret_cast<const char*>(words_.data()); }

  KeyBatch keys_of(const foreign::CallHeader& call) {
    const auto count = static_cast<std::size_t>(call.count);
    if (call.key_bytes == sizeof(std::uint64_t)) {
      return KeyBatch::integers(std::span(words_).first(count), 8);
    }
    keys_.clear();
    const char* const first = bytes() + (call.key_bytes == 0 ? 8 * (count + 1) : 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t begin = call.key_bytes == 0 ? words_[i] : i * call.key_bytes;
      const std::uint64_t end = call.key_bytes == 0 ? words_[i + 1] : begin + call.key_bytes;
      keys_.add({first + begin, static_cast<std::size_t>(end - begin)});
    }
    return keys_.batch();
  }

  foreign::ForeignFilter& filter_;
  std::vector<std::uint64_t> words_;  // of a frame
  Keys keys_;
  std::vector<Answer> answers_;
};

}  // namespace

void serve(const CatalogueFilter& filter, std::string_view protocol) {
  const auto served = start_here(filter);
  if (protocol == "text") return serve_lines(*served);
  if (protocol == "binary") return Frames(*served).serve();
  throw record::InputError("audit: --serve is \"" + std::string(protocol) +
                           "\"; give text or binary");
}

}  // namespace bloomlab::cli
