#include "foreign/library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace bloomlab::foreign {
namespace {

void require(int status, const char* function) {
  if (status == BLOOMLAB_OK) return;
  const std::string text = status == BLOOMLAB_UNSUPPORTED ? " is not supported"
                           : status == BLOOMLAB_NO_MEMORY
                               ? " found no memory"
                               : " returned status " + std::to_string(status);
  throw LibraryRefusal{status, function + text};
}

/// Why the functions cannot be used, or nothing.
const char* fault_of_functions(const bloomlab_filter_functions* f) {
  if (f == nullptr) return "bloomlab_filter() returned NULL: it cannot be used on this machine";
  if (f->abi != BLOOMLAB_FILTER_ABI) return "is made for another version of bloomlab_filter.h";
  if (f->size < sizeof *f) return "its struct of functions is smaller than that of version 1";
  if (f->name == nullptr || f->name[0] == '\0') return "its name is missing";
  if (std::strpbrk(f->name, " \t\r\n") != nullptr) return "its name is more than a word";
  if (f->create == nullptr || f->destroy == nullptr || f->memory_bits == nullptr) {
    return "create, destroy or memory_bits is NULL";
  }
  if (f->insert == nullptr && f->insert_one == nullptr) return "insert and insert_one are NULL";
  if (f->query == nullptr && f->query_one == nullptr) return "query and query_one are NULL";
  if ((f->save == nullptr) != (f->load == nullptr)) {
    return "save without load, or load without save";
  }
  return nullptr;
}

std::string in_one_line(const char* text) {
  std::string line = text == nullptr ? "" : text;
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

bool are_integers(const LibraryKeys& keys) { return keys.key_bytes == sizeof(std::uint64_t); }

const std::uint64_t* integers_of(const LibraryKeys& keys) {
  return static_cast<const std::uint64_t*>(static_cast<const void*>(keys.bytes));
}

}  // namespace

Library::Library(const std::string& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw LibraryRefusal{BLOOMLAB_FAILED, "cannot be loaded: " + in_one_line(::dlerror())};
  }
  using Symbol = const bloomlab_filter_functions* (*)();
  const auto symbol = reinterpret_cast<Symbol>(::dlsym(library, "bloomlab_filter"));
  if (symbol == nullptr) {
    throw LibraryRefusal{BLOOMLAB_FAILED, path + ": exports no function bloomlab_filter"};
  }
  functions_ = symbol();
  if (const char* const fault = fault_of_functions(functions_)) {
    throw LibraryRefusal{BLOOMLAB_FAILED, path + ": " + fault};
  }
}

std::string Library::greeting() const {
  const bloomlab_filter_functions& f = *functions_;
  std::string line = "bloomlab-filter 1 binary name=" + std::string(f.name);
  std::string version = in_one_line(f.version);
  std::ranges::replace(version, ' ', '_');
  if (!version.empty()) line += " version=" + version;
  if ((f.flags & BLOOMLAB_NONDETERMINISTIC) != 0) line += " nondeterministic";
  if (f.remove != nullptr) line += " removes";
  if (f.save != nullptr) line += " saves";
  if (f.save != nullptr && f.merge != nullptr) line += " merges";
  if (const std::string help = in_one_line(f.help); !help.empty()) line += " help=" + help;
  return line;
}

void LibraryFilter::destroy(void* filter) const {
  if (filter != nullptr) f_.destroy(filter);
}

void* LibraryFilter::created(const std::string& text) const {
  char* at = nullptr;
  char message[512] = "";
  bloomlab_request request = {};
  request.size = sizeof request;
  request.n = std::strtoull(text.c_str(), &at, 10);
  request.bits_per_key = std::strtod(at, &at);
  request.fpr = std::strtod(at, &at);
  request.seed = std::strtoull(at, &at, 10);
  request.options = *at == ' ' ? at + 1 : at;
  request.message = message;
  request.message_size = sizeof message;
  void* filter = nullptr;
  const int status = f_.create(&request, &filter);
  message[sizeof message - 1] = '\0';
  if (status != BLOOMLAB_OK && message[0] != '\0') {
    throw LibraryRefusal{status, in_one_line(message)};
  }
  require(status, "create");
  if (filter == nullptr) throw LibraryRefusal{BLOOMLAB_FAILED, "create gave no filter"};
  return filter;
}

void LibraryFilter::create(std::string text) {
  destroy(std::exchange(filter_, nullptr));
  request_ = std::move(text);
  filter_ = created(request_);
}

bloomlab_keys LibraryFilter::with_offsets(const LibraryKeys& keys) {
  if (keys.offsets != nullptr) return {keys.count, keys.bytes, keys.offsets};
  const std::size_t needed = std::max<std::size_t>(keys.count + 1, 2);
  if (offsets_.size() < needed || offsets_[1] != keys.key_bytes) {
    offsets_.resize(needed);
    for (std::size_t i = 0; i < needed; ++i) offsets_[i] = i * keys.key_bytes;
  }
  return {keys.count, keys.bytes, offsets_.data()};
}

template <class Use>
void LibraryFilter::for_each_key(const LibraryKeys& keys, Use use) {
  const bloomlab_keys given = with_offsets(keys);
  for (std::size_t i = 0; i < given.count; ++i) {
    use(i, given.bytes + given.offsets[i],
        static_cast<std::size_t>(given.offsets[i + 1] - given.offsets[i]));
  }
}

int LibraryFilter::insert(const LibraryKeys& keys) {
  int status = BLOOMLAB_OK;
  if (are_integers(keys) && f_.insert_integers != nullptr) {
    status = f_.insert_integers(filter_, integers_of(keys), keys.count);
  } else if (f_.insert != nullptr) {
    const bloomlab_keys given = with_offsets(keys);
    status = f_.insert(filter_, &given);
  } else {
    for_each_key(keys, [&](std::size_t, const std::uint8_t* key, std::size_t length) {
      const int one = f_.insert_one(filter_, key, length);
      if (one != BLOOMLAB_FULL) require(one, "insert_one");
      status = std::max(status, one);
    });
  }
  if (status != BLOOMLAB_FULL) require(status, "insert");
  return status;
}

void LibraryFilter::query(const LibraryKeys& keys, std::uint8_t* answers) {
  // What no function wrote is seen as no answer.
  constexpr std::uint8_t unwritten = 0xFF;
  std::fill_n(answers, keys.count, unwritten);
  if (are_integers(keys) && f_.query_integers != nullptr) {
    require(f_.query_integers(filter_, integers_of(keys), keys.count, answers), "query_integers");
  } else if (f_.query != nullptr) {
    const bloomlab_keys given = with_offsets(keys);
    require(f_.query(filter_, &given, answers), "query");
  } else {
    for_each_key(keys, [&](std::size_t i, const std::uint8_t* key, std::size_t length) {
      const int one = f_.query_one(filter_, key, length);
      if (one < 0) require(-one, "query_one");
      answers[i] = one == 0 ? 0 : 1;
    });
  }
}

void LibraryFilter::remove(const LibraryKeys& keys) {
  const bloomlab_keys given = with_offsets(keys);
  require(f_.remove != nullptr ? f_.remove(filter_, &given) : BLOOMLAB_UNSUPPORTED, "remove");
}

std::vector<std::uint8_t> LibraryFilter::save() const {
  if (f_.save == nullptr) require(BLOOMLAB_UNSUPPORTED, "save");
  std::size_t size = 0;
  require(f_.save(filter_, nullptr, 0, &size), "save");
  std::vector<std::uint8_t> saved(size);
  require(f_.save(filter_, saved.data(), saved.size(), &size), "save");
  saved.resize(std::min(size, saved.size()));
  return saved;
}

void LibraryFilter::load_into(void* filter, std::string_view saved) const {
  if (f_.load == nullptr) require(BLOOMLAB_UNSUPPORTED, "load");
  const auto* const bytes =
      static_cast<const std::uint8_t*>(static_cast<const void*>(saved.data()));
  require(f_.load(filter, bytes, saved.size()), "load");
}

void LibraryFilter::merge(std::string_view saved) {
  if (f_.merge == nullptr) require(BLOOMLAB_UNSUPPORTED, "merge");
  void* const other = created(request_);
  try {
    load_into(other, saved);
    require(f_.merge(filter_, other), "merge");
  } catch (const LibraryRefusal&) {
    destroy(other);
    throw;
  }
  destroy(other);
}

}  // namespace bloomlab::foreign
