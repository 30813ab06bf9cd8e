// The journal of an interrupted run: whatever stands in it, it is taken apart, and its sound part
// is sound when it stands alone.
#include "fuzz.hpp"
#include "record/journal_text.hpp"

using namespace bloomlab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const record::JournalText journal = record::read_journal(text, "input");
  fuzz::require(journal.sound_bytes <= text.size());
  const record::JournalText sound =
      record::read_journal(text.substr(0, journal.sound_bytes), "input");
  fuzz::require(sound.sound_bytes == journal.sound_bytes && sound.lost_lines == 0 &&
                sound.observations.size() == journal.observations.size());
  return 0;
}
