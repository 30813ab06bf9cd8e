#include "analysis/claims/tokens.hpp"

#include <array>
#include <charconv>

#include "analysis/claims/expression.hpp"

namespace bloomlab::analysis::claims {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool goes_on_name(char c) { return begins_name(c) || is_digit(c); }

/// Length of the sign at the beginning of `rest`; 0 where there is none.
std::size_t sign_length(std::string_view rest) {
  constexpr std::array<std::string_view, 4> pairs = {"<=", ">=", "==", "!="};
  for (const std::string_view pair : pairs) {
    if (rest.starts_with(pair)) return 2;
  }
  return std::string_view("+-*/^()=,<>.").find(rest.front()) == std::string_view::npos ? 0 : 1;
}

std::size_t name_length(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size() && goes_on_name(rest[length])) ++length;
  return length;
}

/// Reads the token at the beginning of `rest` and returns its length; `token.column` is set.
std::size_t read_token(std::string_view rest, Token& token) {
  if (is_digit(rest.front())) {
    const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), token.number);
    if (fault != std::errc()) refuse_formula(token, "the number is out of range");
    token.kind = Token::Kind::number;
    return static_cast<std::size_t>(end - rest.data());
  }
  if (begins_name(rest.front())) {
    token.kind = Token::Kind::name;
    const std::size_t length = name_length(rest);
    token.text = std::string(rest.substr(0, length));
    return length;
  }
  if (rest.front() == '"') {
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos)
      refuse_formula(token, "the text has no end; close it with \"");
    token.kind = Token::Kind::text;
    token.text = std::string(rest.substr(1, end - 1));
    return end + 1;
  }
  const std::size_t length = sign_length(rest);
  if (length == 0) {
    std::string fault = "found '";
    fault.append(rest.substr(0, 1));
    refuse_formula(token,
                   fault.append("'; numbers, names, + - * / ^ ( ) and comparisons are allowed"));
  }
  token.kind = Token::Kind::sign;
  token.text = std::string(rest.substr(0, length));
  return length;
}

}  // namespace

void refuse_formula(const Token& at, std::string_view fault) {
  std::string message = "column ";
  message.append(std::to_string(at.column)).append(": ").append(fault);
  throw ExpressionError(message);
}

std::vector<Token> tokens_of(std::string_view formula) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (true) {
    while (at < formula.size() && formula[at] == ' ') ++at;
    Token token;
    token.column = at + 1;
    if (at < formula.size()) at += read_token(formula.substr(at), token);
    const bool ends = token.kind == Token::Kind::end;
    tokens.push_back(std::move(token));
    if (ends) return tokens;
  }
}

}  // namespace bloomlab::analysis::claims
