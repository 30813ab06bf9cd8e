#include "cli/plan/key_files.hpp"

#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/keys/keyed_permutation.hpp"
#include "experiments/sources/lines.hpp"
#include "record/input_error.hpp"

namespace bloomlab::cli {
namespace {

constexpr std::uint64_t texts_seed = 20261121;

/// Lines of one file as inserted keys and of another, or generated texts, as absent keys.
class TextKeys final : public experiments::KeySet {
 public:
  TextKeys(std::vector<std::string_view> inserted_keys, std::vector<std::string_view> absent_keys)
      : KeySet(inserted_keys.size(), absent_keys.size()),
        inserted_keys_(std::move(inserted_keys)),
        absent_keys_(std::move(absent_keys)) {}

  KeyBatch inserted_keys(std::uint64_t first, std::size_t count,
                         experiments::KeyBuffer& /*buffer*/) const override {
    return KeyBatch::texts(inserted_keys_).slice(first, count);
  }
  KeyBatch absent_keys(std::uint64_t first, std::size_t count,
                       experiments::KeyBuffer& /*buffer*/) const override {
    return KeyBatch::texts(absent_keys_).slice(first, count);
  }
  bool made_on_demand() const noexcept override { return false; }

 private:
  std::vector<std::string_view> inserted_keys_;
  std::vector<std::string_view> absent_keys_;
};

std::vector<std::string> lines_of(const std::string& option, const std::string& path) {
  try {
    std::vector<std::string> lines = experiments::distinct_lines(path);
    if (lines.empty()) throw record::InputError("no line in it; write one key a line");
    return lines;
  } catch (const record::InputError& error) {
    throw record::InputError(option + " " + path + ": " + error.what());
  }
}

/// Texts that no file is likely to hold; those that a file does hold are left out.
std::vector<std::string> generated_texts(std::uint64_t count) {
  std::vector<std::string> texts;
  texts.reserve(count);
  const KeyedPermutation permutation(texts_seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    texts.push_back("absent:" + std::to_string(permutation(i)));
  }
  return texts;
}

}  // namespace

FileKeys read_key_files(const std::string& keys_file, const std::string& absent_keys_file,
                        std::uint64_t most_inserted_keys, std::uint64_t queries) {
  FileKeys keys{lines_of("--keys", keys_file), {}};
  if (keys.inserted_keys.size() > most_inserted_keys) keys.inserted_keys.resize(most_inserted_keys);
  keys.absent_keys = absent_keys_file.empty() ? generated_texts(queries)
                                              : lines_of("--absent-keys", absent_keys_file);
  const std::unordered_set<std::string_view> known(keys.inserted_keys.begin(),
                                                   keys.inserted_keys.end());
  std::erase_if(keys.absent_keys,
                [&](const std::string& text) { return known.contains(std::string_view(text)); });
  if (keys.absent_keys.empty()) {
    throw record::InputError("--absent-keys " + absent_keys_file +
                             ": every line is also a key; give lines that are not");
  }
  return keys;
}

std::unique_ptr<experiments::KeySet> text_keys(const FileKeys& keys) {
  return std::make_unique<TextKeys>(
      std::vector<std::string_view>(keys.inserted_keys.begin(), keys.inserted_keys.end()),
      std::vector<std::string_view>(keys.absent_keys.begin(), keys.absent_keys.end()));
}

}  // namespace bloomlab::cli
