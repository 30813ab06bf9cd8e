#include "record/sha256.hpp"

#include <catch2/catch.hpp>

namespace bloomlab::record {

// Vectors: NIST, FIPS 180-4 examples.
TEST_CASE("SHA-256 has its published values", "[record][sha256]") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the number of a SHA-256 is its first 8 bytes, the first one highest",
          "[record][sha256]") {
  CHECK(sha256_number("abc") == 0xba7816bf8f01cfeaU);
}

}  // namespace bloomlab::record
