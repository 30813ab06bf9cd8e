// Tests in a browser run where there is one; elsewhere each is skipped and says why, by an exit
// status that CTest knows (SKIP_RETURN_CODE).
#include <iostream>
#include <string_view>

#include "tests/browser/chromium.hpp"
#include "tests/catch_runner.hpp"

int main(int argc, char** argv) {
  bool lists = false;
  for (int i = 1; i < argc; ++i) lists = lists || std::string_view(argv[i]).starts_with("--list");
  if (!lists && !bloomlab::tests::find_chromium()) {
    std::cout << "skipped: no Chromium found; install the package chromium, or name the program in "
                 "BLOOMLAB_CHROMIUM\n";
    return bloomlab::tests::skipped_status;
  }
  return bloomlab::tests::run_all(argc, argv);
}
