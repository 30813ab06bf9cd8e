// The catalogue of closed forms: what `bloomlab theory` answers and the analysis compares with.
#pragma once

#include <span>
#include <string_view>

#include "core/theory/domain_error.hpp"
#include "core/theory/model.hpp"
#include "core/theory/query.hpp"

namespace bloomlab::theory {

/// Every model, in the order in which they are listed.
[[nodiscard]] std::span<const Model> models();

/// The model called `name`. Throws DomainError, naming the nearest known name.
[[nodiscard]] const Model& model(std::string_view name);

/// Checks the query against its model and evaluates it. Throws DomainError.
[[nodiscard]] Evaluation evaluate(const Query& query);

/// The value alone, which may cost much less. Throws DomainError.
[[nodiscard]] ColumnValue evaluate_value(const Query& query);

}  // namespace bloomlab::theory
