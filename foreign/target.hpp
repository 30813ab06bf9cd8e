// A filter from outside as it is named: what is to be executed, where, and within which limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "record/json.hpp"

namespace bloomlab::foreign {

/// What a filter from outside may take.
struct Limits {
  double seconds = 60.0;            ///< for the start, and for the answer to each call, > 0 [s]
  std::uint64_t memory_mib = 4096;  ///< of its process and all that it starts, together [MiB]
  bool network = false;             ///< false: cut off, where the system lets us

  friend bool operator==(const Limits&, const Limits&) = default;
};

/// What a filter from outside is kept from where the system isolates it (docs/foreign_filters.md):
/// beyond what holds for every one, for filters of others.
struct Isolation {
  bool hides_home = false;     ///< the user's own folder is empty for it, and no part of its PATH
  bool writes_folder = false;  ///< it may write into the folder where it runs
  bool own_user =
      false;  ///< as root: it runs by a user that is given that folder and owns no other
  std::vector<std::filesystem::path> hidden = {};  ///< files and folders that are empty for it
};

/// A filter from outside: a shared library with the interface of bloomlab_filter.h, or a command
/// that speaks the protocol of docs/foreign_filters.md over its standard input and output.
struct Target {
  std::filesystem::path library = {};     ///< empty for a command
  std::vector<std::string> command = {};  ///< program and arguments; empty for a library
  std::filesystem::path folder = {};      ///< where it runs, and where its relative paths start
  std::vector<std::string> files = {};    ///< further files that it depends on
  record::Json options = record::Json::object();  ///< passed on at create
  Limits limits = {};
  Isolation isolation = {};

  /// What will be executed, as a person would type it: "./libmine.so", "python3 my_filter.py".
  [[nodiscard]] std::string text() const;
};

/// Why it cannot be started, as one line that names the path or the program, or an empty text.
[[nodiscard]] std::string fault_of(const Target& target);

/// PATH as the filter has it: without what is hidden from it.
[[nodiscard]] std::string search_path(const Isolation& isolation);

/// The user's own folder; empty where there is none.
[[nodiscard]] std::filesystem::path home_folder();

/// The files that the target names, or that PATH finds for it, as they are found from here.
[[nodiscard]] std::vector<std::filesystem::path> named_files(const Target& target);

/// SHA-256 over what the filter is made of, as 64 hex digits: the library, or the program where it
/// is given by a path and every argument that names a file, and the declared files. An interpreter
/// that is found by PATH is named in it and not read. Throws record::InputError where a file cannot
/// be read.
[[nodiscard]] std::string digest_of(const Target& target);

}  // namespace bloomlab::foreign
