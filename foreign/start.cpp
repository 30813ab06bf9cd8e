#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "foreign/child.hpp"
#include "foreign/foreign_filter.hpp"
#include "foreign/greeting.hpp"
#include "foreign/process_tree.hpp"
#include "foreign/protocol.hpp"
#include "record/json_view.hpp"

namespace bloomlab::foreign {

std::uint64_t ForeignFilter::count_contained(const KeyBatch& keys) {
  constexpr std::size_t at_once = 8192;
  std::array<Answer, at_once> answers;
  std::uint64_t count = 0;
  for (std::size_t first = 0; first < keys.size(); first += at_once) {
    const KeyBatch part = keys.slice(first, std::min(at_once, keys.size() - first));
    query(part, std::span(answers).first(part.size()));
    for (std::size_t i = 0; i < part.size(); ++i) count += answers[i] == Answer::maybe ? 1 : 0;
  }
  return count;
}

void ForeignFilter::hash(const KeyBatch& /*keys*/, std::uint64_t /*seed*/,
                         std::span<std::uint64_t> /*digests*/) {
  throw Failure(FailureKind::unsupported, description().name + ": hash is not supported");
}

std::uint64_t ForeignFilter::present_bytes() {
  const pid_t own = ::getpid();
  return foreign::present_bytes({&own, 1});
}

std::string create_text(const Request& request, const record::Json& options) {
  std::string text = std::to_string(request.n);
  text.append(1, ' ').append(record::shortest(request.bits_per_key.value_or(0.0)));
  text.append(1, ' ').append(record::shortest(request.fpr.value_or(0.0)));
  text.append(1, ' ').append(std::to_string(request.seed));
  return text.append(1, ' ').append(options.dump());
}

std::unique_ptr<ForeignFilter> filter_behind(std::unique_ptr<Channel> channel,
                                             record::Json options) {
  constexpr std::size_t most_greeting = 4096;
  const std::string line = channel->read_line(most_greeting);
  auto greeting = read_greeting(line);
  if (!greeting) {
    channel->refuse("its start", line,
                    "a greeting such as \"bloomlab-filter 1 text name=mine\"; see "
                    "docs/foreign_filters.md");
  }
  const auto make = greeting->protocol == Protocol::text ? text_filter : frame_filter;
  return make(std::move(channel), std::move(greeting->description), std::move(options));
}

std::unique_ptr<ForeignFilter> start(const Target& target) {
  return filter_behind(std::make_unique<Child>(target), target.options);
}

}  // namespace bloomlab::foreign
