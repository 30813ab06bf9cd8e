// What a page in a browser has not, in the place of the units that have it: threads, processes and
// zlib. Whatever needs one is refused in one line before anything is measured.

#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "core/bits/entropy_coding.hpp"
#include "core/parallel/run_threads.hpp"
#include "experiments/cells/foreign_implementation.hpp"
#include "foreign/failure.hpp"
#include "foreign/target.hpp"

namespace bloomlab {

void run_threads(std::size_t threads, const std::function<void(std::size_t)>& work) {
  for (std::size_t index = 0; index < threads; ++index) work(index);
}

std::size_t hardware_threads() noexcept { return 1; }

std::vector<std::byte> encode_bits(const BitArray& /*bits*/) {
  throw std::runtime_error("zlib, which encodes a compressed filter, is not in this page");
}

BitArray decode_bits(std::span<const std::byte> /*code*/, std::uint64_t /*size*/) {
  throw std::runtime_error("zlib, which decodes a compressed filter, is not in this page");
}

namespace foreign {

namespace {

constexpr const char* no_process =
    "a filter or hash from outside runs in a process of its own, which a browser has not; run the "
    "config with `bloomlab run`";

}  // namespace

std::string fault_of(const Target& /*target*/) { return no_process; }

std::string digest_of(const Target& /*target*/) { throw std::runtime_error(no_process); }

std::string Target::text() const { return library.empty() ? "a command" : library.string(); }

}  // namespace foreign

namespace experiments {

std::unique_ptr<Implementation> make_foreign_implementation(const Cell& /*cell*/,
                                                            std::uint64_t /*seed*/) {
  throw foreign::SystemFault(foreign::no_process);
}

ForeignHash::ForeignHash(const foreign::Target& /*target*/) {
  throw foreign::SystemFault(foreign::no_process);
}

void ForeignHash::annotate(record::Json& /*measured*/) const {}

void ForeignHash::digest_batch(const KeyBatch& /*keys*/, std::uint64_t /*seed*/,
                               const DigestPlanes& /*out*/) const {}

std::unique_ptr<Implementation> hashed_by(std::unique_ptr<ForeignHash> /*hash*/,
                                          std::unique_ptr<Implementation> implementation) {
  return implementation;
}

}  // namespace experiments
}  // namespace bloomlab
