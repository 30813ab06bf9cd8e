// A page as a reader sees it: one headless Chromium with one tab, driven over a pipe by the
// DevTools protocol (https://chromedevtools.github.io/devtools-protocol/). No network, no profile
// that stays.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/cli/command_line.hpp"

namespace bloomlab::tests {

/// The browser to run: $BLOOMLAB_CHROMIUM, or the first of chromium, chromium-browser,
/// google-chrome in $PATH; nothing where there is none.
[[nodiscard]] std::optional<std::string> find_chromium();

/// What a reader holds in his hands.
struct Screen {
  int width = 1440;  ///< CSS pixels
  int height = 900;
  bool dark = false;  ///< prefers-color-scheme
};

/// Every member throws std::runtime_error where the browser or the page fails, or says nothing for
/// a minute.
class Chromium {
 public:
  using Json = nlohmann::json;

  Chromium();
  ~Chromium();
  Chromium(const Chromium&) = delete;
  Chromium& operator=(const Chromium&) = delete;

  void show_on(const Screen& screen);
  /// Opens a URL and waits until it is loaded; another #fragment of the same page loads nothing.
  void open(const std::string& url);
  /// Value of a JavaScript expression; a promise is waited for.
  Json evaluate(const std::string& expression);
  /// Presses a key as the keyboard does: "Tab", "Enter", "a".
  void press(const std::string& key);
  /// The first screen, or the whole page, as PNG.
  void screenshot(const std::string& file);
  void screenshot_whole(const std::string& file);

  /// What the page complained of since it was opened: errors and warnings on the console, uncaught
  /// exceptions, violated policies.
  [[nodiscard]] std::vector<std::string> complaints();
  /// URLs that the page asked for since it was opened, without itself and what it holds (data: and
  /// blob:): a page for itself has none.
  [[nodiscard]] std::vector<std::string> requests();

 private:
  Json call(const std::string& method, Json parameters = Json::object());
  Json receive();
  void keep(const Json& event);
  void capture(const std::string& file, Json parameters);

  TemporaryFolder profile_;
  int process_ = 0;
  int to_browser_ = -1;
  int from_browser_ = -1;
  std::string received_;
  std::string session_;
  int calls_ = 0;
  bool loaded_ = false;
  std::string opened_;
  std::vector<std::string> complaints_;
  std::vector<std::string> requests_;
};

/// file:// URL of a file below the project's root, such as "docs/planner/index.html".
[[nodiscard]] std::string url_of(const std::string& file);

}  // namespace bloomlab::tests
