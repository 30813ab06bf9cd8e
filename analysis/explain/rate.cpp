#include "analysis/explain/rate.hpp"

#include <cmath>

#include "core/theory/standard.hpp"
#include "record/number_text.hpp"

namespace bloomlab::analysis::explain {
namespace {

/// "a<operation>b", for formulas of two numbers.
std::string joined(const std::string& a, std::string_view operation, const std::string& b) {
  std::string text = a;
  return text.append(operation).append(b);
}

/// The base in parentheses, to a power.
std::string power(const std::string& base, const std::string& exponent) {
  std::string text = "(";
  return text.append(base).append(")^").append(exponent);
}

}  // namespace

std::vector<RateLine> rate_lines(const Trace& trace) {
  const std::uint64_t m = trace.lesson.m;
  const std::uint64_t n = trace.n;
  const std::uint64_t k = trace.lesson.k;
  const auto bits = static_cast<double>(m);
  const auto probes = static_cast<double>(k);
  const auto all_probes = static_cast<double>(k * n);
  const double share = static_cast<double>(trace.bits_set) / bits;
  const double miss = 1.0 - 1.0 / bits;
  const double all_miss = std::pow(miss, all_probes);

  const std::string m_text = std::to_string(m);
  const std::string k_text = std::to_string(k);
  const std::string kn_text = std::to_string(k * n);
  const std::string miss_text = parameter_text(miss);
  std::vector<RateLine> lines = {
      {"share", "X/m", joined(std::to_string(trace.bits_set), "/", m_text), share},
      {"conditional", "(X/m)^k", joined(parameter_text(share), "^", k_text),
       trace.conditional_rate},
      {"one_miss", "1 − 1/m", "1 − 1/" + m_text, miss},
      {"key_miss", "(1 − 1/m)^k", joined(miss_text, "^", k_text), std::pow(miss, probes)},
      {"all_miss", "(1 − 1/m)^(kn)", joined(miss_text, "^", kn_text), all_miss},
      {"classic", "(1 − (1 − 1/m)^(kn))^k", power("1 − " + parameter_text(all_miss), k_text),
       theory::classic_fpr(m, n, k)},
      {"textbook", "(1 − e^(−kn/m))^k",
       power("1 − " + joined("e^(−", kn_text + "/", m_text + ")"), k_text),
       theory::approx_fpr(m, n, k)},
      {"exact", "E[(X/m)^k]", "", theory::exact_fpr(m, n, k)},
  };
  if (trace.probe_rate) lines.push_back({"probe", "E[…]", "", *trace.probe_rate});
  return lines;
}

}  // namespace bloomlab::analysis::explain
