// Pages: blocks, settings of figures, words of a translation.
#include "analysis/pages/page.hpp"

#include "fuzz.hpp"
#include "record/input_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bloomlab;
  using namespace bloomlab::analysis::pages;
  try {
    const PageText page = parse_page("input.page.md", fuzz::text_of(data, size), "input");
    for (const Block& block : page.blocks) {
      if (block.kind == Block::Kind::figure) static_cast<void>(settings_of(block, page.name));
    }
  } catch (const record::InputError&) {
  }
  return 0;
}
