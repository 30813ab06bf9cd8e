#include "core/keys/key_form.hpp"

#include <random>

namespace bloomlab {

std::uint64_t random_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace bloomlab
