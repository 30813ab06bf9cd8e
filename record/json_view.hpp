// A JSON value together with the place it stands in, read strictly: exact integers, bounded reals,
// known words, no key too many and none too few. Every fault is one line that names file and place.
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parameters.hpp"
#include "record/json.hpp"

namespace bloomlab::record {

/// Where a JSON document came from.
struct Origin {
  std::string file;  ///< its name in messages
  /// Places that stand elsewhere in the file: pointer in the document -> pointer in the file.
  std::map<std::string, std::string> moved = {};

  /// `FILE` or `FILE: /pointer`, with moved places translated.
  [[nodiscard]] std::string where(const std::string& pointer) const;
};

/// A value in a document. The document and its origin must outlive it. Every reader below throws
/// InputError, saying what was found and what is allowed.
class JsonView {
 public:
  JsonView(const Json& json, const Origin& origin, std::string pointer = "")
      : json_(&json), origin_(&origin), pointer_(std::move(pointer)) {}

  [[nodiscard]] const Json& json() const noexcept { return *json_; }
  [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }

  /// Another value in the same place, such as what this one stands for.
  [[nodiscard]] JsonView with(const Json& json) const { return {json, *origin_, pointer_}; }

  /// Throws InputError `FILE: /pointer: fault`.
  [[noreturn]] void refuse(std::string_view fault) const;

  /// An integer written as one, within the field's bounds: neither true nor 7.9 nor 1000.0.
  [[nodiscard]] std::uint64_t integer(const IntegerField& field) const;
  /// A finite number within the field's bounds.
  [[nodiscard]] double real(const RealField& field) const;
  /// The index of the text among the field's words.
  [[nodiscard]] std::size_t choice(const ChoiceField& field) const;
  /// A text that is not empty.
  [[nodiscard]] std::string text(const TextField& field) const;
  /// A text among `known`, which are `what` (such as "hash"): returned as it stands there.
  [[nodiscard]] std::string_view word(std::string_view what,
                                      std::span<const std::string_view> known) const;

  /// The elements of an array; `what` says what it is in the message when it is none.
  [[nodiscard]] std::vector<JsonView> elements(std::string_view what) const;
  /// The members of an object, in written order; none where it is no object.
  [[nodiscard]] std::vector<std::pair<std::string, JsonView>> members() const;

 private:
  const Json* json_;
  const Origin* origin_;
  std::string pointer_;
  friend class ObjectReader;
};

/// An object whose keys are known. Refuses unknown ones, naming the nearest known key.
class ObjectReader {
 public:
  /// Any keys: for those that must be looked at before it is known which others there may be. The
  /// value is an object.
  explicit ObjectReader(const JsonView& view) : view_(view) {}
  /// Throws InputError where the value is no object (`what` names it, such as "the grid"), or where
  /// it has a key that is not among `known`.
  ObjectReader(const JsonView& view, std::string_view what,
               std::span<const std::string_view> known);

  [[nodiscard]] bool has(std::string_view key) const { return view_.json_->contains(key); }
  /// The member `key`. Throws InputError where it is missing; `meaning` says what it would be.
  [[nodiscard]] JsonView at(std::string_view key, std::string_view meaning) const;
  /// The member `key`, an object. Throws InputError where it is none.
  [[nodiscard]] const Json& object(std::string_view key, std::string_view meaning) const;
  [[nodiscard]] const JsonView& view() const noexcept { return view_; }

 private:
  JsonView view_;
};

/// What a value is, in a message: 7.9, "text", true, null, an object, an array.
[[nodiscard]] std::string shown(const Json& json);

/// What a field allows: `an integer from 1 to 256`, `a number in (0, 1]`, `one of "a", "b"`.
[[nodiscard]] std::string allowed(const IntegerField& field);
[[nodiscard]] std::string allowed(const RealField& field);
[[nodiscard]] std::string allowed(const ChoiceField& field);

/// The shortest decimal number that reads back as `value`.
[[nodiscard]] std::string shortest(double value);

/// What an exception of the JSON library says, in words of this program: that a value is not of its
/// kind, and which is wanted where that is said; the exception's own words where it is another's.
[[nodiscard]] std::string plain_fault(const std::exception& fault);

/// What was wrong with a file, with its name in front where the fault does not say it: a value that
/// is not of its kind is named so, in place of the library's own words.
[[nodiscard]] std::string fault_in(const std::string& place, const std::exception& fault);

}  // namespace bloomlab::record
