// A report card as a page for people, and as JSON.
#pragma once

#include <string>

#include "audit/audit.hpp"
#include "record/json.hpp"

namespace bloomlab::audit {

/// Markdown that a terminal shows as well: verdict, findings with their causes, rates, and what
/// else was measured.
[[nodiscard]] std::string page(const Report& report);

/// Everything that was measured and judged.
[[nodiscard]] record::Json json(const Report& report);

}  // namespace bloomlab::audit
