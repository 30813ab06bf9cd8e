// A call is a line, and a line a key where it has keys; an answer is one line.
#include <algorithm>
#include <charconv>
#include <utility>

#include "foreign/key_bytes.hpp"
#include "foreign/protocol.hpp"

namespace bloomlab::foreign {
namespace {

/// Largest line of an answer, apart from those whose size follows from the call [bytes].
constexpr std::size_t most_line = 4096;

void append_hex(std::string_view bytes, std::string& text) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class TextFilter final : public ForeignFilter {
 public:
  TextFilter(std::unique_ptr<Channel> channel, Description description, record::Json options)
      : channel_(std::move(channel)),
        description_(std::move(description)),
        options_(std::move(options)) {}

  const Description& description() const noexcept override { return description_; }

  void create(const Request& request) override {
    expect_ok("create", call("create " + create_text(request, options_) + "\n", most_line));
  }

  bool insert(const KeyBatch& keys) override {
    const std::string answer = call_with("insert", keys);
    if (answer == "full") return false;
    expect_ok("insert", answer);
    return true;
  }

  void query(const KeyBatch& keys, std::span<Answer> answers) override {
    const std::string answer = call_with("query", keys);
    const auto is_answer = [](char c) { return c == '0' || c == '1'; };
    if (answer.size() != keys.size() || !std::ranges::all_of(answer, is_answer)) {
      channel_->refuse("query", answer,
                       std::to_string(keys.size()) + " digits 0 or 1, one for each key");
    }
    std::ranges::transform(answer, answers.begin(),
                           [](char c) { return c == '1' ? Answer::maybe : Answer::absent; });
  }

  std::uint64_t memory_bits() override {
    const std::string answer = call("memory\n", most_line);
    std::uint64_t bits = 0;
    const auto [end, fault] = std::from_chars(answer.data(), answer.data() + answer.size(), bits);
    if (fault != std::errc{} || end != answer.data() + answer.size()) {
      channel_->refuse("memory", answer, "a whole number of bits");
    }
    return bits;
  }

  std::uint64_t present_bytes() override { return channel_->present_bytes(); }

  void remove(const KeyBatch& keys) override { expect_ok("remove", call_with("remove", keys)); }

  std::string save() override {
    const std::size_t most = channel_->most_unread();
    const bool by_memory = most == 2 * channel_->most_saved();
    const std::string answer =
        call("save\n", most, by_memory ? ", two for each of its limit of memory" : "");
    std::string saved;
    for (std::size_t i = 0; i + 1 < answer.size(); i += 2) {
      const int high = digit_value(answer[i]);
      const int low = digit_value(answer[i + 1]);
      if (high < 0 || low < 0) break;
      saved += static_cast<char>(high * 16 + low);
    }
    if (saved.size() * 2 != answer.size()) channel_->refuse("save", answer, "the filter in hex");
    return saved;
  }

  void hash(const KeyBatch& keys, std::uint64_t seed, std::span<std::uint64_t> digests) override {
    constexpr std::size_t digits = 16;
    const std::string answer = call_with("hash", keys, " " + std::to_string(seed), digits);
    bool is_answer = answer.size() == digits * keys.size();
    for (std::size_t i = 0; is_answer && i < keys.size(); ++i) {
      const char* const first = answer.data() + digits * i;
      const auto [end, fault] = std::from_chars(first, first + digits, digests[i], 16);
      is_answer = fault == std::errc{} && end == first + digits;
    }
    if (is_answer) return;
    channel_->refuse("hash", answer,
                     std::to_string(keys.size()) + " times 16 hex digits, the digest of each key");
  }

  void load(std::string_view saved) override { send_saved("load", saved); }
  void merge(std::string_view saved) override { send_saved("merge", saved); }

 private:
  /// Sends the text, and returns the answer; refusals are thrown.
  /// @param most bytes of it   @param why so many, as Channel::read_line
  std::string call(const std::string& text, std::size_t most, std::string_view why = {}) {
    channel_->begin_call();
    channel_->write(text);
    std::string answer = channel_->read_line(most, why);
    if (answer == "unsupported") {
      channel_->fail(FailureKind::unsupported,
                     text.substr(0, text.find_first_of(" \n")) + " is not supported");
    }
    if (answer.starts_with("error")) {
      channel_->fail(FailureKind::refused, shown_words(answer));
    }
    return answer;
  }

  /// @param more of the call, behind the number of keys   @param answer_bytes of each key, at most
  std::string call_with(std::string_view operation, const KeyBatch& keys,
                        const std::string& more = {}, std::size_t answer_bytes = 1) {
    std::string text(operation);
    text += ' ';
    text += std::to_string(keys.size()) + more + "\n";
    for_each_key(keys, [&](std::string_view key) {
      append_hex(key, text);
      text += '\n';
    });
    return call(text, std::max(most_line, answer_bytes * keys.size()));
  }

  void send_saved(std::string_view operation, std::string_view saved) {
    std::string text(operation);
    text += ' ';
    append_hex(saved, text);
    text += '\n';
    expect_ok(operation, call(text, most_line));
  }

  void expect_ok(std::string_view operation, const std::string& answer) const {
    if (answer != "ok") channel_->refuse(operation, answer, "ok");
  }

  std::unique_ptr<Channel> channel_;
  Description description_;
  record::Json options_;
};

}  // namespace

std::unique_ptr<ForeignFilter> text_filter(std::unique_ptr<Channel> channel,
                                           Description description, record::Json options) {
  return std::make_unique<TextFilter>(std::move(channel), std::move(description),
                                      std::move(options));
}

}  // namespace bloomlab::foreign
