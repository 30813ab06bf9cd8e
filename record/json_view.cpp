#include "record/json_view.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "record/input_error.hpp"
#include "record/strict_json.hpp"
#include "record/suggest.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::record {
namespace {

std::string must_be(std::string_view name, const Json& found, const std::string& allowed) {
  return "found " + shown(found) + "; " + std::string(name) + " must be " + allowed;
}

}  // namespace

std::string Origin::where(const std::string& pointer) const {
  // The longest beginning of the pointer that was moved decides.
  std::string here = pointer;
  std::string::size_type cut = pointer.size();
  while (!moved.empty()) {
    const auto entry = moved.find(pointer.substr(0, cut));
    if (entry != moved.end()) {
      here = entry->second + pointer.substr(cut);
      break;
    }
    if (cut == 0) break;
    cut = pointer.rfind('/', cut - 1);
  }
  return here.empty() ? file : file + ": " + here;
}

void JsonView::refuse(std::string_view fault) const {
  throw InputError(origin_->where(pointer_) + ": " + std::string(fault));
}

std::uint64_t JsonView::integer(const IntegerField& field) const {
  const Json& found = *json_;
  if (found.is_number_float()) {
    const double value = found.get<double>();
    // 2^53: beyond it the double's digits are not those of an integer that somebody meant.
    constexpr double exact = 9007199254740992.0;
    if (value >= 0 && value <= exact && std::floor(value) == value) {
      const auto whole = static_cast<std::uint64_t>(value);
      if (whole >= field.min && whole <= field.max) {
        refuse("found " + shown(found) + "; an integer has no point and no exponent: write " +
               std::to_string(whole));
      }
    }
  }
  const bool natural =
      found.is_number_unsigned() || (found.is_number_integer() && found.get<std::int64_t>() >= 0);
  if (!natural) refuse(must_be(field.name, found, allowed(field)));
  const auto value = found.get<std::uint64_t>();
  if (value < field.min || value > field.max) refuse(must_be(field.name, found, allowed(field)));
  return value;
}

double JsonView::real(const RealField& field) const {
  const Json& found = *json_;
  if (!found.is_number()) refuse(must_be(field.name, found, allowed(field)));
  const auto value = found.get<double>();
  const bool low = field.min_excluded ? value > field.min : value >= field.min;
  const bool high = field.max_excluded ? value < field.max : value <= field.max;
  if (!std::isfinite(value) || !low || !high) {
    refuse(must_be(field.name, found, allowed(field)));
  }
  return value;
}

std::size_t JsonView::choice(const ChoiceField& field) const {
  if (!json_->is_string()) refuse(must_be(field.name, *json_, allowed(field)));
  const std::string_view chosen = word(field.name, field.words);
  return static_cast<std::size_t>(std::find(field.words.begin(), field.words.end(), chosen) -
                                  field.words.begin());
}

std::string JsonView::text(const TextField& field) const {
  if (!json_->is_string()) refuse(must_be(field.name, *json_, "a text"));
  auto value = json_->get<std::string>();
  if (value.empty()) refuse(std::string(field.name) + " is an empty text; write one");
  if (const std::size_t letters = letters_in(value); letters > field.most_letters) {
    refuse(std::string(field.name) + " has " + std::to_string(letters) + " letters; at most " +
           std::to_string(field.most_letters) + " are allowed: shorten it");
  }
  return value;
}

std::string_view JsonView::word(std::string_view what,
                                std::span<const std::string_view> known) const {
  if (!json_->is_string()) {
    const bool vowel = std::string_view("aeiou").find(what.front()) != std::string_view::npos;
    refuse("found " + shown(*json_) + "; expected the name of " + (vowel ? "an " : "a ") +
           std::string(what));
  }
  const auto& found = json_->get_ref<const std::string&>();
  const auto entry = std::find(known.begin(), known.end(), found);
  if (entry == known.end()) {
    refuse("unknown " + std::string(what) + " " + shown(*json_) + "; " + suggestion(found, known));
  }
  return *entry;
}

std::vector<JsonView> JsonView::elements(std::string_view what) const {
  if (!json_->is_array()) {
    refuse("found " + shown(*json_) + "; " + std::string(what) + " must be an array");
  }
  std::vector<JsonView> views;
  for (std::size_t i = 0; i < json_->size(); ++i) {
    views.emplace_back((*json_)[i], *origin_, pointer_to(pointer_, i));
  }
  return views;
}

std::vector<std::pair<std::string, JsonView>> JsonView::members() const {
  std::vector<std::pair<std::string, JsonView>> views;
  if (!json_->is_object()) return views;
  for (const auto& [key, value] : json_->items()) {
    views.emplace_back(key, JsonView(value, *origin_, pointer_to(pointer_, key)));
  }
  return views;
}

ObjectReader::ObjectReader(const JsonView& view, std::string_view what,
                           std::span<const std::string_view> known)
    : view_(view) {
  if (!view.json().is_object()) {
    view.refuse("found " + shown(view.json()) + "; " + std::string(what) + " must be an object");
  }
  for (const auto& member : view.json().items()) {
    if (std::find(known.begin(), known.end(), member.key()) != known.end()) continue;
    const JsonView there(member.value(), *view.origin_, pointer_to(view.pointer_, member.key()));
    there.refuse("unknown key " + shown(member.key()) + "; " + suggestion(member.key(), known));
  }
}

const Json& ObjectReader::object(std::string_view key, std::string_view meaning) const {
  const JsonView view = at(key, meaning);
  if (!view.json().is_object()) view.refuse("found " + shown(view.json()) + "; expected an object");
  return view.json();
}

JsonView ObjectReader::at(std::string_view key, std::string_view meaning) const {
  const auto member = view_.json_->find(key);
  if (member == view_.json_->end()) {
    view_.refuse("missing key \"" + std::string(key) + "\": " + std::string(meaning));
  }
  return {*member, *view_.origin_, pointer_to(view_.pointer_, key)};
}

std::string shown(const Json& json) {
  constexpr std::size_t longest = 60;
  if (json.is_object()) return "an object";
  if (json.is_array()) return "an array";
  const std::string text =
      json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
  return text.size() <= longest ? text : text.substr(0, longest) + "...\"";
}

std::string allowed(const IntegerField& field) {
  return "an integer from " + std::to_string(field.min) + " to " + std::to_string(field.max);
}

std::string allowed(const RealField& field) {
  if (std::isinf(field.max)) {
    return std::string("a number ") + (field.min_excluded ? "above " : "from ") +
           shortest(field.min) + (field.min_excluded ? "" : " up");
  }
  return std::string("a number in ") + (field.min_excluded ? "(" : "[") + shortest(field.min) +
         ", " + shortest(field.max) + (field.max_excluded ? ")" : "]");
}

std::string allowed(const ChoiceField& field) {
  std::string text;
  for (const std::string_view word : field.words) {
    text += (text.empty() ? "one of \"" : ", \"") + std::string(word) + "\"";
  }
  return text;
}

std::string shortest(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

std::string plain_fault(const std::exception& fault) {
  if (dynamic_cast<const Json::exception*>(&fault) == nullptr) return fault.what();
  const std::string_view what = fault.what();
  constexpr std::string_view wanted = "type must be ";
  constexpr std::string_view between = ", but is ";
  const std::size_t begin = what.find(wanted);
  const std::size_t end = what.find(between, begin);
  std::string plain = "a value in it is not of its kind";
  if (begin != std::string_view::npos && end != std::string_view::npos) {
    const std::size_t after = begin + wanted.size();
    plain.append(" (").append(what.substr(after, end - after)).append(" is wanted, and ");
    plain.append(what.substr(end + between.size())).append(" found)");
  }
  return plain;
}

std::string fault_in(const std::string& place, const std::exception& fault) {
  std::string what = made_visible(plain_fault(fault));
  if (dynamic_cast<const Json::exception*>(&fault) != nullptr) what += "; run the config again";
  return what.find(place) != std::string::npos ? what : place + ": " + what;
}

}  // namespace bloomlab::record
