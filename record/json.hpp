// The JSON type of configs and results, compiled once.
#pragma once

#include <nlohmann/json.hpp>

namespace bloomlab::record {

/// JSON whose objects keep the order in which they were written.
using Json = nlohmann::ordered_json;

}  // namespace bloomlab::record

// Instantiated in json.cpp, which is optimised: every result passes here, and other units need
// neither compile this again nor link to what an unoptimised one has made of it.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
