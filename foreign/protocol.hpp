// The two protocols of a filter from outside, once its greeting is read. docs/foreign_filters.md
// says what is written; the binary side of the child, for libraries, is foreign/runner/library.cpp.
#pragma once

#include <memory>

#include "foreign/child.hpp"
#include "foreign/foreign_filter.hpp"

namespace bloomlab::foreign {

/// A filter that takes lines of text: keys in hex, answers as 0 and 1.
[[nodiscard]] std::unique_ptr<ForeignFilter> text_filter(std::unique_ptr<Channel> channel,
                                                         Description description,
                                                         record::Json options);

/// A filter that takes frames (foreign/frames.hpp).
[[nodiscard]] std::unique_ptr<ForeignFilter> frame_filter(std::unique_ptr<Channel> channel,
                                                          Description description,
                                                          record::Json options);

/// The filter behind a channel: reads its greeting, which says the protocol. Throws Failure.
[[nodiscard]] std::unique_ptr<ForeignFilter> filter_behind(std::unique_ptr<Channel> channel,
                                                           record::Json options);

/// "N BITS_PER_KEY FPR SEED OPTIONS", as both protocols write it at create; 0: not given.
[[nodiscard]] std::string create_text(const Request& request, const record::Json& options);

}  // namespace bloomlab::foreign
