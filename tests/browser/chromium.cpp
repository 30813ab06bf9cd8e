#include "tests/browser/chromium.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "tests/paths.hpp"

namespace bloomlab::tests {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr int patience_ms = 60'000;

[[noreturn]] void browser_fails(const std::string& fault) {
  throw std::runtime_error("chromium: " + fault);
}

/// The two ends that the browser holds become its descriptors 3 and 4, as it wants them.
[[noreturn]] void become_browser(const std::string& program, const std::string& profile, int in,
                                 int out) {
  constexpr int aside = 10;
  const int in_aside = fcntl(in, F_DUPFD, aside);
  const int out_aside = fcntl(out, F_DUPFD, aside);
  dup2(in_aside, 3);
  dup2(out_aside, 4);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2}) dup2(nowhere, standard);
  const std::string folder = "--user-data-dir=" + profile;
  execl(program.c_str(), program.c_str(), "--headless", "--no-sandbox", "--disable-gpu",
        "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--hide-scrollbars",
        "--force-color-profile=srgb", "--remote-debugging-pipe", folder.c_str(), nullptr);
  _exit(127);
}

std::string decoded_base64(const std::string& text) {
  static const std::string letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t value = letters.find(letter);
    if (value == std::string::npos) break;
    held = (held << 6 | static_cast<unsigned>(value)) & 0xFFFFU;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(held >> bits & 0xFFU);
  }
  return bytes;
}

}  // namespace

std::optional<std::string> find_chromium() {
  if (const char* named = std::getenv("BLOOMLAB_CHROMIUM")) {
    if (access(named, X_OK) == 0) return named;
    return std::nullopt;
  }
  const char* path = std::getenv("PATH");
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string program = folder + "/" + name;
      if (access(program.c_str(), X_OK) == 0) return program;
    }
  }
  return std::nullopt;
}

std::string url_of(const std::string& file) {
  return "file://" + (fs::path(BLOOMLAB_SOURCE_DIR) / file).string();
}

Chromium::Chromium() {
  const auto program = find_chromium();
  if (!program) browser_fails("not found");
  std::array<int, 2> there{};
  std::array<int, 2> back{};
  if (pipe2(there.data(), O_CLOEXEC) != 0 || pipe2(back.data(), O_CLOEXEC) != 0) {
    browser_fails("no pipe to it");
  }
  std::signal(SIGPIPE, SIG_IGN);
  process_ = fork();
  if (process_ < 0) browser_fails("could not be started");
  if (process_ == 0) become_browser(*program, profile_.path().string(), there[0], back[1]);
  close(there[0]);
  close(back[1]);
  to_browser_ = there[1];
  from_browser_ = back[0];
  const Json tab = call("Target.createTarget", {{"url", "about:blank"}});
  session_ = call("Target.attachToTarget", {{"targetId", tab.at("targetId")}, {"flatten", true}})
                 .at("sessionId");
  for (const char* domain : {"Page.enable", "Runtime.enable", "Log.enable", "Network.enable"}) {
    call(domain);
  }
}

Chromium::~Chromium() {
  try {
    session_.clear();
    call("Browser.close");
  } catch (const std::exception&) {
    kill(process_, SIGKILL);
  }
  close(to_browser_);
  close(from_browser_);
  waitpid(process_, nullptr, 0);
}

Json Chromium::receive() {
  std::size_t end = 0;
  while ((end = received_.find('\0')) == std::string::npos) {
    pollfd waiting{.fd = from_browser_, .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, patience_ms) <= 0) browser_fails("says nothing");
    std::array<char, 65536> part{};
    const ssize_t size = ::read(from_browser_, part.data(), part.size());
    if (size <= 0) browser_fails("has ended");
    received_.append(part.data(), static_cast<std::size_t>(size));
  }
  Json message = Json::parse(received_.substr(0, end));
  received_.erase(0, end + 1);
  return message;
}

Json Chromium::call(const std::string& method, Json parameters) {
  const int id = ++calls_;
  Json message{{"id", id}, {"method", method}, {"params", std::move(parameters)}};
  if (!session_.empty()) message["sessionId"] = session_;
  std::string text = message.dump();
  text += '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t size = ::write(to_browser_, text.data() + sent, text.size() - sent);
    if (size <= 0) browser_fails("listens no longer");
    sent += static_cast<std::size_t>(size);
  }
  while (true) {
    const Json answer = receive();
    if (answer.value("id", 0) != id) {
      keep(answer);
      continue;
    }
    if (answer.contains("error")) browser_fails(method + ": " + answer.at("error").dump());
    return answer.at("result");
  }
}

void Chromium::keep(const Json& event) {
  const std::string method = event.value("method", "");
  const Json& said = event.contains("params") ? event.at("params") : event;
  if (method == "Page.loadEventFired") loaded_ = true;
  if (method == "Runtime.exceptionThrown") complaints_.push_back(said.dump());
  if (method == "Runtime.consoleAPICalled") {
    const std::string type = said.at("type");
    if (type == "error" || type == "warning" || type == "assert") {
      complaints_.push_back(said.at("args").dump());
    }
  }
  if (method == "Log.entryAdded" && said.at("entry").at("level") != "verbose") {
    complaints_.push_back(said.at("entry").dump());
  }
  if (method == "Network.requestWillBeSent") {
    const std::string url = said.at("request").at("url");
    const bool own = url == opened_ || url.starts_with("data:") || url.starts_with("blob:");
    if (!own) requests_.push_back(url);
  }
}

void Chromium::show_on(const Screen& screen) {
  call("Emulation.setDeviceMetricsOverride", {{"width", screen.width},
                                              {"height", screen.height},
                                              {"deviceScaleFactor", 1},
                                              {"mobile", screen.width < 600}});
  const Json scheme{{"name", "prefers-color-scheme"}, {"value", screen.dark ? "dark" : "light"}};
  call("Emulation.setEmulatedMedia", {{"features", Json::array({scheme})}});
}

void Chromium::open(const std::string& url) {
  loaded_ = false;
  complaints_.clear();
  requests_.clear();
  opened_ = url.substr(0, url.find('#'));
  const Json answer = call("Page.navigate", {{"url", url}});
  if (answer.contains("errorText")) browser_fails(url + ": " + answer.at("errorText").dump());
  if (!answer.contains("loaderId")) return;
  while (!loaded_) keep(receive());
}

Json Chromium::evaluate(const std::string& expression) {
  const Json answer = call("Runtime.evaluate", {{"expression", expression},
                                                {"awaitPromise", true},
                                                {"returnByValue", true},
                                                {"userGesture", true}});
  if (answer.contains("exceptionDetails")) {
    browser_fails(expression.substr(0, 200) + ": " + answer.at("exceptionDetails").dump());
  }
  return answer.at("result").value("value", Json());
}

void Chromium::press(const std::string& key) {
  Json event{{"type", "keyDown"}, {"key", key}};
  if (key.size() == 1) event["text"] = key;
  if (key == "Enter") event["text"] = "\r";
  constexpr int tab = 9;
  constexpr int enter = 13;
  constexpr int escape = 27;
  if (key == "Tab") event["windowsVirtualKeyCode"] = tab;
  if (key == "Enter") event["windowsVirtualKeyCode"] = enter;
  if (key == "Escape") event["windowsVirtualKeyCode"] = escape;
  call("Input.dispatchKeyEvent", event);
  event["type"] = "keyUp";
  event.erase("text");
  call("Input.dispatchKeyEvent", event);
}

void Chromium::capture(const std::string& file, Json parameters) {
  const Json answer = call("Page.captureScreenshot", std::move(parameters));
  write(file, decoded_base64(answer.at("data")));
}

void Chromium::screenshot(const std::string& file) { capture(file, {{"format", "png"}}); }

void Chromium::screenshot_whole(const std::string& file) {
  const Json size = call("Page.getLayoutMetrics").at("cssContentSize");
  const Json clip{
      {"x", 0}, {"y", 0}, {"width", size.at("width")}, {"height", size.at("height")}, {"scale", 1}};
  capture(file, {{"format", "png"}, {"clip", clip}, {"captureBeyondViewport", true}});
}

std::vector<std::string> Chromium::complaints() {
  evaluate("0");  // whatever was said before comes first
  return complaints_;
}

std::vector<std::string> Chromium::requests() {
  evaluate("0");
  return requests_;
}

}  // namespace bloomlab::tests
