// Texts that are not JSON.
#include "tests/experiments/bad_configs.hpp"

namespace bloomlab::experiments::testing {

const std::vector<BadConfig>& faults_of_syntax() {
  static const std::vector<BadConfig> table = {
      {"NaN",
       {{R"("queries": 1000)", R"("queries": NaN)"}},
       "line 8, column 14: NaN is not a number of JSON; write a finite number"},
      {"minus infinity",
       {{R"("queries": 1000)", R"("queries": -Infinity)"}},
       "line 8, column 14: -Infinity is not a number of JSON; write a finite number"},
      {"a number too large for a double",
       {{R"("queries": 1000)", R"("queries": 1e999)"}},
       "line 8, column 14: 1e999 is too large for a number; write a finite number"},
      {"a comma too many",
       {{R"("trials": 2)", R"("trials": 2,,)"}},
       "line 7, column 15: found ','; expected a key in quotation marks"},
      {"a trailing comma",
       {{R"("multiply_shift"})", R"("multiply_shift",})"}},
       "line 15, column 90: a comma stands before '}'; remove the comma"},
      {"a comment",
       {{R"("trials": 2,)", R"("trials": 2, // two)"}},
       "line 7, column 16: a comment; JSON has none, remove it"},
      {"single quotation marks",
       {{R"("A title")", "'A title'"}},
       "line 4, column 12: a single quotation mark; JSON texts stand in double ones"},
      {"a forgotten comma",
       {{R"("trials": 2,)", R"("trials": 2)"}},
       R"(line 8, column 3: found '"queries"'; expected ',' or '}')"},
      {"text after the end",
       {{"  }\n}\n", "  }\n}\n}\n"}},
       "line 18, column 1: found '}' after the end of the JSON value; remove it"},
      {"a true that is misspelt",
       {{R"("trials": 2)", R"("trials": ture)"}},
       "line 7, column 13: 'ture' is not JSON; correct it"},
  };
  return table;
}

}  // namespace bloomlab::experiments::testing
