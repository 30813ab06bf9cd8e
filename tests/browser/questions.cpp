#include "tests/browser/questions.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <random>

namespace bloomlab::tests {
namespace {

constexpr std::uint64_t questions_seed = 20261121;

/// Draws that are the same with every standard library.
class Draws {
 public:
  /// From 0 to limit - 1.
  std::uint64_t below(std::uint64_t limit) { return generator_() % limit; }
  /// Uniform in the logarithm.
  double between(double low, double high) {
    const double share = static_cast<double>(generator_() >> 11) * 0x1p-53;
    return low * std::pow(high / low, share);
  }

 private:
  std::mt19937_64 generator_{questions_seed};
};

std::string number_text(const char* format, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string count_text(Draws& draws, double value) {
  switch (draws.below(3)) {
    case 0:
      return number_text("%.0f", std::ceil(value));
    case 1:
      return number_text("%.0fk", std::ceil(value / 1e3));
    default:
      return number_text("%.0fe1", std::ceil(value / 10.0));
  }
}

std::string rate_text(Draws& draws, double value) {
  switch (draws.below(3)) {
    case 0:
      return number_text("%.3g", value);
    case 1:
      return number_text("%.4g%%", 100.0 * value);
    default:
      return number_text("1 in %.0f", std::ceil(1.0 / value) + 1.0);
  }
}

std::string memory_text(Draws& draws, double bits) {
  switch (draws.below(4)) {
    case 0:
      return number_text("%.0fbits", std::ceil(bits));
    case 1:
      return number_text("%.2fKiB", std::ceil(bits / 81.92) / 100.0);
    case 2:
      return number_text("%.0f B", std::ceil(bits / 8.0));
    default:
      return number_text("%.5gkB", std::ceil(bits / 8e3));
  }
}

std::string encoded(const std::string& text) {
  std::string code;
  for (const char c : text) {
    if (c == '%' || c == ' ' || c == '+') {
      code += c == '%' ? "%25" : c == ' ' ? "%20" : "%2B";
    } else {
      code += c;
    }
  }
  return code;
}

/// One question of a kind: which quantities are given.
Question question_of(Draws& draws, std::size_t kind) {
  const double n = draws.between(1.0, 1e10);
  const double p = draws.between(1e-9, 0.3);
  const double bits = n * draws.between(2.0, 40.0);
  const bool memory = kind / 6 % 2 == 1;
  Question question;
  const auto give = [&](const char* name, const std::string& text) {
    question.fields.emplace_back(name, text);
  };
  const std::size_t pair = kind % 3;
  if (pair != 2) give("items", count_text(draws, n));
  if (pair != 1) give("fpr", rate_text(draws, p));
  if (pair != 0) {
    if (memory) {
      give("memory", memory_text(draws, bits));
    } else {
      give("bits", count_text(draws, bits));
    }
  }
  if (kind % 6 >= 3) give("probes", std::to_string(1 + draws.below(24)));
  question.compatible = kind / 12 % 2 == 1;
  return question;
}

}  // namespace

std::string Question::options() const {
  std::string text;
  for (const auto& [name, value] : fields) text += " --" + name + " '" + value + "'";
  if (compatible) text += " --compatible";
  return text;
}

std::string Question::hash() const {
  std::string text = "#";
  for (const auto& [name, value] : fields) text += name + "=" + encoded(value) + "&";
  return text + (compatible ? "mode=compatible" : "mode=guaranteed");
}

std::vector<Question> random_questions(std::size_t count) {
  Draws draws;
  std::vector<Question> questions;
  for (std::size_t i = 0; i < count; ++i) questions.push_back(question_of(draws, i));
  return questions;
}

}  // namespace bloomlab::tests
