// What a refusal says.
#pragma once

#include <string>

#include "record/input_error.hpp"

namespace bloomlab::tests {

/// The text of the Error that the call throws; `otherwise` where it throws none.
template <class Error = record::InputError, class Call>
std::string thrown(const Call& call, const std::string& otherwise = "accepted") {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return otherwise;
}

}  // namespace bloomlab::tests
