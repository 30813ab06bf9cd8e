// Frames of a call are written ahead: the answers of several are under way while more keys are
// written.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "foreign/frames.hpp"
#include "foreign/key_bytes.hpp"
#include "foreign/protocol.hpp"

namespace bloomlab::foreign {
namespace {

/// Keys of one frame, at most.
constexpr std::size_t keys_of_a_frame = std::size_t{1} << 15;
/// Largest text of a refusal [bytes].
constexpr std::uint64_t most_refusal = 4096;

std::string_view word_of(Operation operation) {
  switch (operation) {
    case Operation::create:
      return "create";
    case Operation::insert:
      return "insert";
    case Operation::query:
      return "query";
    case Operation::memory_bits:
      return "memory";
    case Operation::remove:
      return "remove";
    case Operation::save:
      return "save";
    case Operation::load:
      return "load";
    case Operation::merge:
      return "merge";
    case Operation::hash:
      return "hash";
  }
  return "a call";
}

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

class FrameFilter final : public ForeignFilter {
 public:
  FrameFilter(std::unique_ptr<Channel> channel, Description description, record::Json options)
      : channel_(std::move(channel)),
        description_(std::move(description)),
        options_(std::move(options)) {}

  const Description& description() const noexcept override { return description_; }

  void create(const Request& request) override {
    call(Operation::create, create_text(request, options_));
    expect_payload(Operation::create, answer(Operation::create), 0);
  }

  bool insert(const KeyBatch& keys) override {
    bool room = true;
    for_each_answer(Operation::insert, keys,
                    [&](const AnswerHeader& header, std::size_t, std::size_t) {
                      expect_payload(Operation::insert, header, 0);
                      room = room && header.status == static_cast<std::uint32_t>(Status::ok);
                    });
    return room;
  }

  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    const auto take = [&](const AnswerHeader& header, std::size_t first, std::size_t count) {
      expect_payload(Operation::query, header, count);
      bytes_.resize(count);
      channel_->read(bytes_);
      const auto other = std::ranges::find_if(bytes_, [](char c) { return c != 0 && c != 1; });
      if (other != bytes_.end()) {
        channel_->refuse("query", "byte " + std::to_string(static_cast<unsigned char>(*other)),
                         "0 or 1 for each key");
      }
      static_assert(sizeof(Answer) == 1);
      std::memcpy(answers.data() + first, bytes_.data(), count);
    };
    for_each_answer(Operation::query, keys, take);
  }

  void hash(const KeyBatch& keys, std::uint64_t seed, std::span<std::uint64_t> digests) override {
    const auto take = [&](const AnswerHeader& header, std::size_t first, std::size_t count) {
      expect_payload(Operation::hash, header, count * sizeof(std::uint64_t));
      channel_->read({reinterpret_cast<char*>(digests.data() + first), header.payload_bytes});
    };
    for_each_answer(Operation::hash, keys, take, bytes_of(seed));
  }

  std::uint64_t memory_bits() override {
    call(Operation::memory_bits, "");
    std::uint64_t bits = 0;
    expect_payload(Operation::memory_bits, answer(Operation::memory_bits), sizeof bits);
    channel_->read({reinterpret_cast<char*>(&bits), sizeof bits});
    return bits;
  }

  std::uint64_t present_bytes() override { return channel_->present_bytes(); }

  void remove(const KeyBatch& keys) override {
    for_each_answer(Operation::remove, keys,
                    [&](const AnswerHeader& header, std::size_t, std::size_t) {
                      expect_payload(Operation::remove, header, 0);
                    });
  }

  std::string save() override {
    call(Operation::save, "");
    const AnswerHeader header = answer(Operation::save);
    if (header.payload_bytes > channel_->most_saved()) {
      channel_->refuse(
          "save", std::to_string(header.payload_bytes) + " bytes",
          "at most " + std::to_string(channel_->most_saved()) + " bytes, its limit of memory");
    }
    // No memory for what a filter only says.
    constexpr std::size_t part = std::size_t{1} << 20;
    std::string saved;
    for (std::size_t read = 0; read < header.payload_bytes; read = saved.size()) {
      saved.resize(std::min<std::size_t>(read + part, header.payload_bytes));
      channel_->read(std::span(saved).subspan(read));
    }
    return saved;
  }

  void load(std::string_view saved) override { send_saved(Operation::load, saved); }
  void merge(std::string_view saved) override { send_saved(Operation::merge, saved); }

 private:
  void call(Operation operation, std::string_view payload) {
    channel_->begin_call();
    const CallHeader header{.operation = static_cast<std::uint32_t>(operation),
                            .payload_bytes = payload.size()};
    channel_->write(bytes_of(header));
    channel_->write(payload);
  }

  void send_saved(Operation operation, std::string_view saved) {
    call(operation, saved);
    expect_payload(operation, answer(operation), 0);
  }

  /// @param start what stands in front of the keys
  void write_keys(Operation operation, const KeyBatch& keys, std::string_view start) {
    CallHeader header{.operation = static_cast<std::uint32_t>(operation), .count = keys.size()};
    if (keys.integer_bytes() == sizeof(std::uint64_t)) {
      header.key_bytes = sizeof(std::uint64_t);
      const std::size_t bytes = keys.size() * sizeof(std::uint64_t);
      header.payload_bytes = start.size() + bytes;
      channel_->write(bytes_of(header));
      channel_->write(start);
      channel_->write({reinterpret_cast<const char*>(keys.values().data()), bytes});
      return;
    }
    std::vector<std::uint64_t> offsets = {0};
    std::string bytes;
    for_each_key(keys, [&](std::string_view key) {
      bytes += key;
      offsets.push_back(bytes.size());
    });
    const std::size_t offset_bytes = offsets.size() * sizeof(std::uint64_t);
    header.payload_bytes = start.size() + offset_bytes + bytes.size();
    channel_->write(bytes_of(header));
    channel_->write(start);
    channel_->write({reinterpret_cast<const char*>(offsets.data()), offset_bytes});
    channel_->write(bytes);
  }

  /// Writes the keys in frames, some ahead, and gives `take` the header of each answer with the
  /// numbers of its keys.
  template <class Take>
  void for_each_answer(Operation operation, const KeyBatch& keys, Take take,
                       std::string_view start = {}) {
    constexpr std::size_t ahead = 3 * keys_of_a_frame;
    channel_->begin_call();
    std::size_t written = 0;
    std::size_t taken = 0;
    do {
      while (written == 0 || (written < keys.size() && written < taken + ahead)) {
        const std::size_t count = std::min(keys_of_a_frame, keys.size() - written);
        write_keys(operation, keys.slice(written, count), start);
        written += count;
        if (count == 0) break;
      }
      const std::size_t count = std::min(keys_of_a_frame, keys.size() - taken);
      take(answer(operation), taken, count);
      taken += count;
    } while (taken < keys.size());
  }

  AnswerHeader answer(Operation operation) {
    AnswerHeader header;
    channel_->read({reinterpret_cast<char*>(&header), sizeof header});
    if (header.status > 5 || header.reserved != 0 || header.payload_bytes > most_payload_bytes) {
      channel_->refuse(word_of(operation), bytes_of(header), "the header of an answer");
    }
    const auto status = static_cast<Status>(header.status);
    if (status == Status::ok || (status == Status::full && operation == Operation::insert)) {
      return header;
    }
    std::string text(std::min(header.payload_bytes, most_refusal), '\0');
    channel_->read(text);
    channel_->fail(
        status == Status::unsupported ? FailureKind::unsupported : FailureKind::refused,
        std::string(word_of(operation)) + ": " +
            (text.empty() ? "status " + std::to_string(header.status) : shown_words(text)));
  }

  void expect_payload(Operation operation, const AnswerHeader& header, std::uint64_t bytes) const {
    if (header.payload_bytes == bytes) return;
    channel_->refuse(word_of(operation), std::to_string(header.payload_bytes) + " bytes",
                     std::to_string(bytes));
  }

  std::unique_ptr<Channel> channel_;
  Description description_;
  record::Json options_;
  std::vector<char> bytes_;
};

}  // namespace

std::unique_ptr<ForeignFilter> frame_filter(std::unique_ptr<Channel> channel,
                                            Description description, record::Json options) {
  return std::make_unique<FrameFilter>(std::move(channel), std::move(description),
                                       std::move(options));
}

}  // namespace bloomlab::foreign
