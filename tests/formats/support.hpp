// Files of the folder fixtures.
#pragma once

#include <string>

namespace bloomlab::tests {

/// The bytes of tests/formats/fixtures/NAME.
[[nodiscard]] std::string fixture(const std::string& name);

}  // namespace bloomlab::tests
