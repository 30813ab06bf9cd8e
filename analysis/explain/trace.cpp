#include "analysis/explain/trace.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

#include "analysis/text/utf8.hpp"
#include "core/filter_state.hpp"
#include "core/filters/standard.hpp"
#include "core/hashing.hpp"
#include "core/theory/models.hpp"
#include "core/theory/standard.hpp"
#include "record/input_error.hpp"
#include "record/number_text.hpp"
#include "record/suggest.hpp"

namespace bloomlab::analysis::explain {

namespace {

using Fault = std::optional<std::string>;

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  return result.append(text).append("\"");
}

template <class List>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> names;
  for_each_type<List>([&]<class Type>(std::type_identity<Type>) { names.push_back(Type::name); });
  return names;
}

template <class List>
Fault name_fault(std::string_view what, const std::string& name) {
  const std::vector<std::string_view> known = names_of<List>();
  if (std::ranges::find(known, name) != known.end()) return std::nullopt;
  std::string text = "unknown ";
  return text.append(what).append(" " + in_quotes(name) + "; " + record::suggestion(name, known));
}

/// Reductions that the family takes, and whether `wanted` is one of them.
template <class Family>
Fault family_fault(const std::string& wanted) {
  std::string allowed;
  bool takes = false;
  for_each_type<Reductions>([&]<class Reduction>(std::type_identity<Reduction>) {
    if constexpr (Family::template allows<Reduction>) {
      takes = takes || Reduction::name == wanted;
      allowed += (allowed.empty() ? "" : ", ") + in_quotes(Reduction::name);
    }
  });
  if (takes) return std::nullopt;
  return "the probe " + in_quotes(Family::name) + " does not take the reduction " +
         in_quotes(wanted) + "; allowed: " + allowed;
}

Fault reduction_fault(const Lesson& lesson) {
  Fault fault;
  for_each_type<HashingSchemes>([&]<class Family>(std::type_identity<Family>) {
    if (Family::name == lesson.probe) fault = family_fault<Family>(lesson.reduction);
  });
  return fault;
}

/// `identity` and the probes that mix keys themselves belong to each other.
Fault identity_fault(const Lesson& lesson) {
  const bool wanted = make_probe(lesson.probe, lesson.reduction).needs_identity();
  const bool found = make_hasher(lesson.hash).passes_through();
  if (wanted && !found) {
    return "the probe " + in_quotes(lesson.probe) + " mixes the keys itself; found the hash " +
           in_quotes(lesson.hash) + ", write \"identity\"";
  }
  if (!wanted && found) {
    return in_quotes(lesson.hash) +
           " is no hash; it goes only with the probe \"lab_shift_xor\", not with " +
           in_quotes(lesson.probe);
  }
  return std::nullopt;
}

Fault key_fault(const Lesson& lesson, const std::string& key) {
  if (key.empty()) return "a key is empty; give texts of at least one letter";
  if (clean_text(key) != key) {
    return "the key " + in_quotes(clean_text(key)) +
           " holds bytes that cannot be shown; give UTF-8 text without control characters";
  }
  if (make_hasher(lesson.hash).passes_through() && !lesson.positions.contains(key) &&
      !mixed_key(key)) {
    return "the probe " + in_quotes(lesson.probe) + " takes 32-bit integer keys; found the key " +
           in_quotes(key) + "; give whole numbers from -2147483648 to 4294967295";
  }
  return std::nullopt;
}

bool asks_for(const Lesson& lesson, const std::string& key) {
  return std::ranges::find(lesson.inserted, key) != lesson.inserted.end() ||
         std::ranges::find(lesson.queried, key) != lesson.queried.end();
}

Fault positions_fault(const Lesson& lesson, const std::string& key,
                      const std::vector<std::uint64_t>& positions) {
  const std::string where = "the positions of " + in_quotes(key);
  if (!asks_for(lesson, key)) {
    return where + " are given, but the key is neither inserted nor queried; name it there too";
  }
  if (positions.size() != lesson.k) {
    return where + " are " + std::to_string(positions.size()) +
           "; k = " + std::to_string(lesson.k) + " of them are needed";
  }
  for (const std::uint64_t position : positions) {
    if (position < lesson.m) continue;
    return where + " hold " + std::to_string(position) + "; allowed are 0 to " +
           std::to_string(lesson.m - 1) + ", as m is " + std::to_string(lesson.m);
  }
  return std::nullopt;
}

Fault size_fault(const Lesson& lesson) {
  if (lesson.m < 1 || lesson.m > most_bits) {
    return "m is " + std::to_string(lesson.m) + "; it must be from 1 to " +
           std::to_string(most_bits) +
           ", as every bit is drawn; bloomlab plan speaks of larger filters";
  }
  if (lesson.k < 1 || lesson.k > max_probes) {
    return "k is " + std::to_string(lesson.k) + "; it must be from 1 to " +
           std::to_string(max_probes);
  }
  return std::nullopt;
}

Fault hashing_fault(const Lesson& lesson) {
  if (auto fault = name_fault<Hashes>("hash", lesson.hash)) return fault;
  if (auto fault = name_fault<HashingSchemes>("probe", lesson.probe)) return fault;
  if (auto fault = name_fault<Reductions>("reduction", lesson.reduction)) return fault;
  if (auto fault = reduction_fault(lesson)) return fault;
  if (auto fault = identity_fault(lesson)) return fault;
  return Standard::check({.m = lesson.m, .k = lesson.k},
                         make_probe(lesson.probe, lesson.reduction));
}

Fault keys_fault(const Lesson& lesson) {
  for (const auto* keys : {&lesson.inserted, &lesson.queried}) {
    for (const std::string& key : *keys) {
      if (auto fault = key_fault(lesson, key)) return fault;
    }
  }
  for (const auto& [key, positions] : lesson.positions) {
    if (auto fault = positions_fault(lesson, key, positions)) return fault;
  }
  return std::nullopt;
}

/// The hash stage and the probe stage of a lesson.
class KeyReader {
 public:
  explicit KeyReader(const Lesson& lesson)
      : lesson_(lesson),
        hasher_(make_hasher(lesson.hash)),
        probe_(make_probe(lesson.probe, lesson.reduction)) {}

  [[nodiscard]] Reading read(const std::string& key) {
    const auto given = lesson_.positions.find(key);
    if (given != lesson_.positions.end()) {
      return {.key = key, .positions = given->second, .given = true};
    }
    const auto k = static_cast<int>(lesson_.k);
    const DigestBatch digests = digest(key, probe_.need(k));
    Reading reading{.key = key};
    for (int i = 0; i < digests.width; ++i) reading.words.push_back(digests.word(i)[0]);
    const PositionBatch positions = probe_.positions(digests, lesson_.m, k, position_buffer_);
    for (int i = 0; i < k; ++i) reading.positions.push_back(positions.probe(i)[0]);
    return reading;
  }

  [[nodiscard]] const Probe& probe() const noexcept { return probe_; }

 private:
  DigestBatch digest(const std::string& key, DigestNeed need) {
    if (hasher_.passes_through()) {
      const std::array<std::uint64_t, 1> value = {*mixed_key(key)};
      return hasher_.digest(KeyBatch::integers(value, 4), lesson_.seed, need, digest_buffer_);
    }
    const std::array<std::string_view, 1> text = {key};
    return hasher_.digest(KeyBatch::texts(text), lesson_.seed, need, digest_buffer_);
  }

  const Lesson& lesson_;
  Hasher hasher_;
  Probe probe_;
  DigestBuffer digest_buffer_;
  PositionBuffer position_buffer_;
};

/// The filter of a lesson. It takes digests as ever; where a lesson gives positions, the digests
/// are the positions themselves, which independent probes modulo m leave as they are.
class WatchedFilter {
 public:
  WatchedFilter(const Lesson& lesson, const Probe& probe)
      : takes_positions_(!lesson.positions.empty()),
        filter_({.m = lesson.m, .k = lesson.k},
                takes_positions_ ? Probe::of<Independent, Modulo>() : probe) {}

  void insert(const Reading& reading) { filter_.insert(batch_of(reading)); }
  [[nodiscard]] Answer contains(const Reading& reading) const {
    std::array<Answer, 1> answer{};
    filter_.contains(batch_of(reading), answer);
    return answer[0];
  }
  [[nodiscard]] bool test(std::uint64_t position) const { return filter_.bits().test(position); }
  [[nodiscard]] std::vector<bool> bits() const {
    std::vector<bool> bits(filter_.bits().size());
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = test(i);
    return bits;
  }
  [[nodiscard]] FilterState state() const { return filter_.state(); }

 private:
  [[nodiscard]] DigestBatch batch_of(const Reading& reading) const {
    const std::vector<std::uint64_t>& words = takes_positions_ ? reading.positions : reading.words;
    return {words.data(), 1, 1, static_cast<int>(words.size())};
  }

  bool takes_positions_;
  Standard filter_;
};

Insertion insertion_of(Reading reading, WatchedFilter& filter) {
  Insertion insertion{.reading = std::move(reading)};
  std::set<std::uint64_t> own;
  for (const std::uint64_t position : insertion.reading.positions) {
    const bool repeated = !own.insert(position).second;
    insertion.touches.push_back(filter.test(position) ? Touch::standing
                                : repeated            ? Touch::repeated
                                                      : Touch::fresh);
  }
  filter.insert(insertion.reading);
  insertion.bits = filter.bits();
  return insertion;
}

Question question_of(Reading reading, const WatchedFilter& filter, bool is_inserted) {
  Question question{.reading = std::move(reading)};
  if (filter.contains(question.reading) == Answer::maybe) {
    question.verdict = is_inserted ? Verdict::inserted_key : Verdict::false_positive;
    return question;
  }
  for (const std::uint64_t position : question.reading.positions) {
    if (filter.test(position)) continue;
    question.stopped_by = position;
    break;
  }
  return question;
}

void note_setters(Trace& trace) {
  trace.setter.resize(trace.lesson.m);
  for (std::size_t i = 0; i < trace.insertions.size(); ++i) {
    const Insertion& insertion = trace.insertions[i];
    for (std::size_t j = 0; j < insertion.touches.size(); ++j) {
      if (insertion.touches[j] == Touch::fresh) trace.setter[insertion.reading.positions[j]] = i;
    }
  }
}

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

Lesson slides_lesson() {
  Lesson lesson;
  lesson.inserted = {"baidu", "tencent"};
  lesson.queried = {"baidu", "0voice", "taobao"};
  lesson.positions = {
      {"baidu", {1, 4, 7}}, {"tencent", {3, 4, 8}}, {"0voice", {1, 5, 8}}, {"taobao", {3, 7, 8}}};
  lesson.source = Source::slides;
  return lesson;
}

std::optional<std::string> fault_of(const Lesson& lesson) {
  if (auto fault = size_fault(lesson)) return fault;
  if (auto fault = hashing_fault(lesson)) return fault;
  return keys_fault(lesson);
}

std::optional<std::uint64_t> mixed_key(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool fits = value >= std::int64_t{INT32_MIN} && value <= std::int64_t{UINT32_MAX};
  if (error != std::errc() || stop != end || !fits) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

Trace trace(const Lesson& lesson) {
  if (const auto fault = fault_of(lesson)) throw record::InputError("explain: " + *fault);
  KeyReader reader(lesson);
  WatchedFilter filter(lesson, reader.probe());
  const std::set<std::string> inserted_keys(lesson.inserted.begin(), lesson.inserted.end());
  Trace result{.lesson = lesson, .n = inserted_keys.size()};
  for (const std::string& key : lesson.inserted) {
    result.insertions.push_back(insertion_of(reader.read(key), filter));
  }
  for (const std::string& key : lesson.queried) {
    result.questions.push_back(question_of(reader.read(key), filter, inserted_keys.contains(key)));
  }
  const FilterState state = filter.state();
  result.bits = filter.bits();
  result.bits_set = state.bits_set;
  result.conditional_rate = state.conditional_rate;
  if (const auto query = reader.probe().prediction(lesson.m, result.n, lesson.k)) {
    result.probe_rate = theory::evaluate(*query).number();
  }
  note_setters(result);
  return result;
}

int mice_for(std::uint64_t bottles) { return static_cast<int>(std::bit_width(bottles - 1)); }

bool drinks(int mouse, std::uint64_t bottle) { return ((bottle >> mouse) & 1) != 0; }

std::uint64_t bottles_of(int mouse, std::uint64_t bottles) {
  // Among the numbers from 0 on, digit `mouse` is 2^mouse times 0, then 2^mouse times 1, and so on.
  const std::uint64_t run = std::uint64_t{1} << mouse;
  const std::uint64_t numbers = bottles + 1;
  const std::uint64_t whole = numbers / run / 2 * run;
  const std::uint64_t rest = numbers - 2 * whole;
  return whole + (rest > run ? rest - run : 0);
}

std::vector<int> dead_mice(std::uint64_t bottle, int mice) {
  std::vector<int> dead;
  for (int mouse = mice - 1; mouse >= 0; --mouse) {
    if (drinks(mouse, bottle)) dead.push_back(mouse);
  }
  return dead;
}

std::vector<std::uint64_t> numbered(const std::vector<int>& mice) {
  std::vector<std::uint64_t> numbers;
  for (const int mouse : mice) numbers.push_back(static_cast<std::uint64_t>(mouse) + 1);
  return numbers;
}

std::uint64_t named_bottle(const std::vector<int>& dead, int mice) {
  if (dead.empty()) return std::uint64_t{1} << mice;
  std::uint64_t bottle = 0;
  for (const int mouse : dead) bottle |= std::uint64_t{1} << mouse;
  return bottle;
}

std::uint64_t rightly_named(std::uint64_t bottles) {
  const int mice = mice_for(bottles);
  std::uint64_t right = 0;
  for (std::uint64_t bottle = 1; bottle <= bottles; ++bottle) {
    right += named_bottle(dead_mice(bottle, mice), mice) == bottle ? 1 : 0;
  }
  return right;
}

std::string code_of(std::uint64_t bottle, int mice) {
  std::string code;
  for (int mouse = mice - 1; mouse >= 0; --mouse) code += drinks(mouse, bottle) ? '1' : '0';
  return code;
}

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
