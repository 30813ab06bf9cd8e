#include "tests/browser/small_report.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bloomlab::tests {

namespace {

std::string wide_config(const std::string& title) {
  return R"({"$schema": "bloomlab-config-1", "kind": "false_positive_rate",
 "title": )" +
         nlohmann::json(title).dump() +
         R"(, "question": "Is the page right?", "seed": 7, "trials": 4,
 "queries": 20000, "shared_across": ["/filter/k"],
 "grid": {"keys": {"source": "uniform"}, "n": 500,
  "filter": {"kind": "standard", "m": {"per_n": [2, 24]}, "k": [1, 2, 4, 8, 12]},
  "hash": {"name": "xxhash3_64", "probe": "independent", "reduction": "multiply_shift"}}})";
}

void succeed(const std::string& arguments) {
  const Said said = bloomlab_says(arguments);
  if (said.status != 0) throw std::runtime_error("bloomlab " + arguments + ": " + said.err);
}

}  // namespace

SmallReport::SmallReport() {
  write(folder / "first.json", wide_config("First"));
  write(folder / "second.json", wide_config(harmful_title));
  succeed("run " + (folder / "first.json") + " " + (folder / "second.json") + " --out " +
          (folder / "out"));
  succeed("report " + (folder / "out"));
}

}  // namespace bloomlab::tests
