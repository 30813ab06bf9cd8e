// The planner's page as a reader opens it and types into it.
#pragma once

#include <string>

#include "tests/browser/chromium.hpp"

namespace bloomlab::tests {

/// The page at this hash, ready to be asked.
inline void open_planner(Chromium& browser, const std::string& hash) {
  browser.open("about:blank");
  browser.open(url_of("docs/planner/index.html") + hash);
  browser.evaluate(
      "new Promise(done => { const look = () => globalThis.bloomlab ? done(1) : "
      "setTimeout(look, 10); look(); })");
}

/// Waits until every part of the answer is there.
inline void wait_for_all(Chromium& browser) {
  browser.evaluate(
      "new Promise(done => { const look = () => document.getElementById('table').firstChild && "
      "!document.querySelector('.pending') ? done(1) : setTimeout(look, 20); look(); })");
}

/// Presses the keys of a text.
inline void type(Chromium& browser, const std::string& text) {
  for (const char c : text) browser.press(std::string(1, c));
}

}  // namespace bloomlab::tests
