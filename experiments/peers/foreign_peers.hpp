// Filters from outside as peers (docs/foreign_filters.md): a shared library, which the process run
// loads into itself, so that it is called as filters of the catalogue are; and a command, which it
// starts and asks through pipes.
#pragma once

#include <memory>
#include <string_view>

#include "experiments/peers/peer.hpp"
#include "foreign/foreign_filter.hpp"

namespace bloomlab::experiments {

/// What both are. The target is the setup's; the hash is the filter's own.
class ForeignPeer : public PeerImplementation {
 public:
  static constexpr std::string_view source = "the config";
  static constexpr bool available = false;  ///< but where a config names one
  static constexpr bool key_by_key = false;
  /// {"kind", "path" or "command"}.
  [[nodiscard]] record::Json law() const;

  void insert(const KeyBatch& keys) override;
  FilterState state() const override;
  std::unique_ptr<Asker> asker() const override;

 protected:
  /// Throws foreign::Failure, as every call does.
  ForeignPeer(const PeerSetup& setup, std::unique_ptr<foreign::ForeignFilter> filter);

 private:
  foreign::Target target_;
  std::unique_ptr<foreign::ForeignFilter> filter_;
};

class ForeignLibrary final : public ForeignPeer {
 public:
  static constexpr std::string_view name = "library";
  static constexpr std::string_view summary =
      "a filter from outside: the shared library that the config names by \"library\"";
  explicit ForeignLibrary(const PeerSetup& setup);
};

class ForeignCommand final : public ForeignPeer {
 public:
  static constexpr std::string_view name = "command";
  static constexpr std::string_view summary =
      "a filter from outside: the program that the config names by \"command\"";
  explicit ForeignCommand(const PeerSetup& setup);
};

}  // namespace bloomlab::experiments
