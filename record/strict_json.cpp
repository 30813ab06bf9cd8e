#include "record/strict_json.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "record/input_error.hpp"
#include "record/syntax_fault.hpp"
#include "record/visible_text.hpp"

namespace bloomlab::record {
namespace {

/// Builds the value from the events of nlohmann's parser, which by itself keeps the last of two
/// equal keys, rounds long integers to double, and nests without limit.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
  StrictBuilder(std::string_view text, const std::string& file, const Elements& elements)
      : text_(text), file_(file), elements_(elements) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& written) override {
    // The parser falls back to double for integers that do not fit.
    if (written.find_first_of(".eE") == string_t::npos) {
      refuse(written + " does not fit in 64 bits; the largest integer is 18446744073709551615");
    }
    return add(value);
  }
  bool string(string_t& value) override {
    require_visible(value);
    return add(std::move(value));
  }
  bool binary(binary_t& /*value*/) override { return false; }  // JSON text has none

  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Frame& frame = frames_.back();
    require_visible(name);
    frame.key = name;
    if (!frame.keys.insert(name).second) {
      refuse("the key \"" + name + "\" stands twice in one object; keep one of the two");
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& fault) override {
    throw InputError(file_ + ": " + syntax_fault(text_, position, token, fault.what()));
  }

 private:
  struct Frame {
    Json* value;
    std::unordered_set<std::string> keys;
    std::string key;
  };

  /// A text goes on to terminals and pages, where it must say what it seems to say.
  void require_visible(const std::string& text) const {
    const auto hidden = first_hidden(text);
    if (hidden) refuse("the text holds " + *hidden + "; write it without");
  }

  [[noreturn]] void refuse(const std::string& fault) const {
    std::string place;
    for (const Frame& frame : frames_) {
      // An open container already stands in its array; a refused number does not yet.
      const bool innermost = &frame == &frames_.back();
      place = frame.value->is_object()
                  ? pointer_to(place, frame.key)
                  : pointer_to(place, frame.value->size() - (innermost ? 0 : 1));
    }
    throw InputError(file_ + ": " + (place.empty() ? "" : place + ": ") + fault);
  }

  /// Puts a value where it belongs; the address holds until its container gets a next one.
  Json* place(Json value) {
    if (frames_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& container = *frames_.back().value;
    if (container.is_array()) {
      container.push_back(std::move(value));
      return &container.back();
    }
    // The key is known to be new: no search for it.
    auto& members = container.get_ref<Json::object_t&>();
    members.push_back({frames_.back().key, std::move(value)});
    return &members.back().second;
  }

  template <class T>
  bool add(T&& value) {
    place(Json(std::forward<T>(value)));
    use_element();
    return true;
  }

  /// After a value has been read: whether it is an element of the array that is read so.
  void use_element() {
    if (!elements_.use || frames_.size() != 2 || frames_.front().key != elements_.name) return;
    Json& array = *frames_.back().value;
    if (!array.is_array() || !root_.is_object()) return;
    if (elements_.use(root_, array.back(), array.size() - 1)) array.back() = nullptr;
  }

  bool open(Json container) {
    if (frames_.size() == max_json_depth) {
      throw InputError(file_ + ": nested deeper than " + std::to_string(max_json_depth) +
                       " levels; write it flatter");
    }
    frames_.push_back({place(std::move(container)), {}, {}});
    return true;
  }

  bool close() {
    frames_.pop_back();
    use_element();
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  const Elements& elements_;
  Json root_;
  std::vector<Frame> frames_;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  return parse_json(text, file, Elements{});
}

Json parse_json(std::string_view text, const std::string& file, const Elements& elements) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw InputError(file + ": the file is empty; expected JSON");
  }
  // To the parser it is the end of the text, whatever follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw InputError(file + ": byte " + std::to_string(zero + 1) +
                     " is zero; expected JSON as UTF-8 text");
  }
  StrictBuilder builder(text, file, elements);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

Json read_json(const std::filesystem::path& path, std::uintmax_t max_bytes) {
  return parse_json(read_text(path, max_bytes), path.string());
}

namespace {

/// The key that a part of a pointer means; nothing where a ~ is not one of its escapes.
std::optional<std::string> key_of(std::string_view written) {
  std::string key;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '~') {
      key += written[i];
    } else if (++i < written.size() && (written[i] == '0' || written[i] == '1')) {
      key += written[i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return key;
}

}  // namespace

std::string pointer_to(std::string_view pointer, std::string_view key) {
  std::string extended(pointer);
  extended += '/';
  for (const char letter : key) {
    if (letter == '~') {
      extended += "~0";
    } else if (letter == '/') {
      extended += "~1";
    } else {
      extended += letter;
    }
  }
  return extended;
}

std::string pointer_to(std::string_view pointer, std::size_t index) {
  return std::string(pointer) + '/' + std::to_string(index);
}

const Json* find_at(const Json& json, std::string_view pointer) {
  const Json* at = &json;
  while (!pointer.empty()) {
    if (!pointer.starts_with('/')) return nullptr;
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string_view written = pointer.substr(1, end - 1);
    pointer.remove_prefix(end);
    if (at->is_object()) {
      const auto key = key_of(written);
      if (!key) return nullptr;
      const auto member = at->find(*key);
      if (member == at->end()) return nullptr;
      at = &*member;
    } else if (at->is_array()) {
      std::size_t index = 0;
      const char* const last = written.data() + written.size();
      const auto read = std::from_chars(written.data(), last, index);
      const bool zeros = written.size() > 1 && written.starts_with('0');
      if (read.ec != std::errc() || read.ptr != last || zeros || index >= at->size()) {
        return nullptr;
      }
      at = &(*at)[index];
    } else {
      return nullptr;
    }
  }
  return at;
}

}  // namespace bloomlab::record
