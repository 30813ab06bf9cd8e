// What a filter answers, by both protocols: its greeting, and then whatever comes to every call.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "foreign/protocol.hpp"
#include "fuzz.hpp"
#include "record/visible_text.hpp"

namespace {

using namespace bloomlab;
using foreign::Failure;
using foreign::FailureKind;

/// A filter that has its answers ready; they come in parts of `part` bytes.
class Answers final : public foreign::Channel {
 public:
  Answers(std::string_view bytes, std::size_t part, std::uint64_t memory_mib)
      : Channel("filter", memory_mib), left_(bytes), part_(part) {}

  void begin_call() override {}
  void write(std::string_view) override {}
  [[nodiscard]] std::uint64_t present_bytes() const override { return 0; }

 private:
  void take_more() override {
    if (left_.empty()) fail(FailureKind::ended, "closed its standard output");
    const std::string_view next = left_.substr(0, part_);
    input_.erase(0, std::exchange(start_, 0)).append(next);
    left_.remove_prefix(next.size());
  }

  std::string_view left_;
  std::size_t part_;
};

void call(foreign::ForeignFilter& filter, std::uint8_t number) {
  constexpr std::array<std::uint64_t, 3> values = {1, 2, ~std::uint64_t{0}};
  constexpr std::array<std::string_view, 3> texts = {"", "apple", "\xFF\n"};
  const KeyBatch keys = number % 2 == 0 ? KeyBatch::integers(values, 8) : KeyBatch::texts(texts);
  std::array<Answer, 3> answers{};
  std::array<std::uint64_t, 3> digests{};
  switch (number / 2 % 9) {
    case 0:
      return filter.create({.n = 3, .bits_per_key = 9.5, .fpr = {}, .seed = 1});
    case 1:
      return static_cast<void>(filter.insert(keys));
    case 2:
      filter.query(keys, answers);
      return fuzz::require(std::ranges::all_of(answers, [](Answer answer) {
        return answer == Answer::absent || answer == Answer::maybe;
      }));
    case 3:
      return static_cast<void>(filter.memory_bits());
    case 4:
      return filter.remove(keys);
    case 5:
      return static_cast<void>(filter.save());
    case 6:
      return filter.load("saved");
    case 7:
      return filter.hash(keys, 1, digests);
    default:
      return filter.merge("saved");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Protocol and limit of memory, bytes of a part, number of calls; the calls; then the answers.
  if (size < 3) return 0;
  std::string_view answers = fuzz::text_of(data, size).substr(3);
  const std::string_view calls = answers.substr(0, data[2] % 32);
  answers.remove_prefix(calls.size());
  constexpr std::array<std::string_view, 3> greetings = {"bloomlab-filter 1 text name=a\n",
                                                         "bloomlab-filter 1 binary name=a\n", ""};
  const std::string output = std::string(greetings[data[0] % 3]).append(answers);
  const std::uint64_t memory_mib = data[0] / 3 % 2 == 0 ? 4096 : 1;
  auto channel = std::make_unique<Answers>(output, std::size_t{data[1]} + 1, memory_mib);
  try {
    const auto filter = foreign::filter_behind(std::move(channel), record::Json::object());
    for (const char number : calls) call(*filter, static_cast<std::uint8_t>(number));
  } catch (const Failure& failure) {
    const std::string_view what = failure.what();
    fuzz::require(what.size() < 512 && what.find_first_of("\n\r\t") == what.npos);
    fuzz::require(!record::first_hidden(what));
  }
  return 0;
}
