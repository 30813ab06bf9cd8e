// A program that names the whole catalogue of hashes, and the filter that has a coder: what
// `pkg-config --libs bloomlab` prints is all that it needs. It is right where each hash gives two
// keys two words, and the coder gives the filter back.
#include <bloomlab/core/catalogue.hpp>
#include <cstdint>
#include <cstdio>
#include <span>
#include <type_traits>
#include <vector>

int main() {
  const std::vector<std::uint64_t> keys = {1, 2};
  bool right = true;
  bloomlab::for_each_type<bloomlab::Hashes>([&]<class Hash>(std::type_identity<Hash>) {
    bloomlab::DigestBuffer buffer;
    const bloomlab::DigestBatch digests =
        bloomlab::make_hasher(Hash::name)
            .digest(bloomlab::KeyBatch::integers(keys, 4), 7, {.words = 1}, buffer);
    right = right && digests.word(0)[0] != digests.word(0)[1];
  });
  using bloomlab::Compressed;
  const bloomlab::Probe probe = bloomlab::make_probe("independent", "multiply_shift");
  const Compressed filter({.m = 4096, .k = 1}, probe);
  const std::vector<std::byte> code = filter.encode();
  right = right && code.size() < 512 &&
          Compressed::decode({.m = 4096, .k = 1}, probe, code, 0).encode() == code;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
