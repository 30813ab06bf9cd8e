// Quantities of the command line and the planner's page.
#include <cmath>

#include "fuzz.hpp"
#include "planner/units.hpp"
#include "record/input_error.hpp"

namespace {

template <class Function>
void read(const Function& function) {
  try {
    function();
  } catch (const bloomlab::record::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  const std::string_view text = fuzz::text_of(data, size);
  read([&] { fuzz::require(planner::parse_count("n", text, "keys") >= 1); });
  read([&] {
    const double p = planner::parse_probability("p", text);
    fuzz::require(p > 0 && p < 1);
  });
  read([&] {
    const double share = planner::parse_share("share", text);
    fuzz::require(share >= 0 && share <= 1);
  });
  read([&] { static_cast<void>(planner::parse_memory("m", text)); });
  read([&] { fuzz::require(planner::parse_duration_ns("time", text) > 0); });
  read([&] { fuzz::require(planner::parse_frequency("rate", text) > 0); });
  read([&] { fuzz::require(planner::parse_price_per_bit("price", text) >= 0); });
  return 0;
}
