// What tests of docs/lab/index.html have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tests/browser/chromium.hpp"

namespace bloomlab::tests {

inline void open_lab(Chromium& browser, const std::string& hash) {
  browser.open("about:blank");
  browser.open(url_of("docs/lab/index.html") + hash);
}

/// Waits until `condition` holds of the page.
inline void wait_until(Chromium& browser, const std::string& condition) {
  browser.evaluate("new Promise(done => { const look = () => " + condition +
                   " ? done(1) : setTimeout(look, 20); look(); })");
}

inline void wait_until_considered(Chromium& browser) {
  wait_until(browser, "document.body.dataset.considered === location.hash");
}

inline void wait_until_measured(Chromium& browser) {
  wait_until(browser, "document.body.dataset.done === location.hash");
}

inline std::string said_by(Chromium& browser, const std::string& id) {
  return browser.evaluate("document.getElementById('" + id + "').innerText");
}

/// The expression for a text.
inline std::string script_text(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace bloomlab::tests
