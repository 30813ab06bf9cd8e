// Every hash against published values.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue.hpp"

using namespace bloomlab;

namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// The digest words as the hexadecimal text in which byte-oriented hashes are published.
template <class Hash>
std::string hex(std::string_view text, std::uint64_t seed = 0) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t word : Hash::digest(bytes_of(text), seed)) {
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t byte = (word >> (8 * i)) & 0xff;
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

/// The verification value of SMHasher (Appleby 2011): keys {}, {0}, {0, 1}, ... of length i under
/// seed 256 - i; then the hash, under seed 0, of all their hashes; its first four bytes.
template <class Hash>
std::uint32_t smhasher_verification() {
  std::vector<std::byte> key;
  std::vector<std::byte> hashes;
  for (unsigned i = 0; i < 256; ++i) {
    for (const std::uint64_t word : Hash::digest(key, 256 - i)) {
      for (int j = 0; j < std::min(8, Hash::digest_bits / 8); ++j)
        hashes.push_back(static_cast<std::byte>(word >> (8 * j)));
    }
    key.push_back(static_cast<std::byte>(i));
  }
  return static_cast<std::uint32_t>(Hash::digest(hashes, 0)[0]);
}

/// SipHash under the secret 00 01 .. 0f of the bytes 00 01 02 .., as many as `length`.
template <class Kernel>
std::uint64_t sip_vector(std::size_t length) {
  std::vector<std::byte> message(length);
  for (std::size_t i = 0; i < length; ++i) message[i] = static_cast<std::byte>(i);
  return Kernel(0x0706050403020100, 0x0f0e0d0c0b0a0908)(message.data(), length)[0];
}

constexpr std::uint64_t prime32 = 2654435761U;
constexpr std::uint64_t prime64 = 11400714785074694797ULL;

/// The buffer over which xxHash's own sanity check runs.
std::vector<std::byte> sanity_buffer(std::size_t size) {
  std::vector<std::byte> buffer(size);
  std::uint64_t state = prime32;
  for (std::byte& byte : buffer) {
    byte = static_cast<std::byte>(state >> 56);
    state *= prime64;
  }
  return buffer;
}

}  // namespace

TEST_CASE("md5 equals the vectors of RFC 1321", "[core][hash]") {
  CHECK(hex<Md5>("") == "d41d8cd98f00b204e9800998ecf8427e");
  CHECK(hex<Md5>("a") == "0cc175b9c0f1b6a831c399e269772661");
  CHECK(hex<Md5>("abc") == "900150983cd24fb0d6963f7d28e17f72");
  CHECK(hex<Md5>("message digest") == "f96b697d7cb7938d525a2f31aaf161d0");
  CHECK(hex<Md5>("abcdefghijklmnopqrstuvwxyz") == "c3fcd3d76192e4007dfb496cca67e13b");
  CHECK(hex<Md5>("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") ==
        "d174ab98d277d9f5a5611c2c9f419d9f");
  CHECK(hex<Md5>("1234567890123456789012345678901234567890"
                 "1234567890123456789012345678901234567890") == "57edf4a22be3c955ac49da2e2107b67a");
}

TEST_CASE("sha1 equals the vectors of FIPS 180, up to its first 128 bits", "[core][hash]") {
  CHECK(hex<Sha1>("abc") == std::string("a9993e364706816aba3e25717850c26c9cd0d89d").substr(0, 32));
  CHECK(hex<Sha1>("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        std::string("84983e441c3bd26ebaae4aa1f95129e5e54670f1").substr(0, 32));
  CHECK(hex<Sha1>("") == std::string("da39a3ee5e6b4b0d3255bfef95601890afd80709").substr(0, 32));
  CHECK(hex<Sha1>(std::string(1000000, 'a')) ==
        std::string("34aa973cd4c4daa4f61eeb2bdbad27316534016f").substr(0, 32));
}

TEST_CASE("sha256 equals the vectors of FIPS 180", "[core][hash]") {
  CHECK(hex<Sha256>("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex<Sha256>("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex<Sha256>("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex<Sha256>(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("fnv1a_64 equals the published vectors", "[core][hash]") {
  const auto fnv = [](std::string_view text) { return Fnv1a_64::digest(bytes_of(text), 0)[0]; };
  CHECK(fnv("") == 0xcbf29ce484222325ULL);
  CHECK(fnv("a") == 0xaf63dc4c8601ec8cULL);
  CHECK(fnv("b") == 0xaf63df4c8601f1a5ULL);
  CHECK(fnv("foobar") == 0x85944171f73967e8ULL);
}

TEST_CASE("SipHash-2-4 equals the vector of the paper and those of its authors", "[core][hash]") {
  using Kernel = detail::SipHashKernel<2, 4>;
  CHECK(sip_vector<Kernel>(15) == 0xa129ca6149be45e5U);  // Aumasson, Bernstein 2012, appendix A
  // Aumasson, github.com/veorq/SipHash, vectors.h.
  CHECK(sip_vector<Kernel>(0) == 0x726fdb47dd0e0e31U);
  CHECK(sip_vector<Kernel>(8) == 0x93f5f5799a932462U);
  CHECK(sip_vector<Kernel>(63) == 0x958a324ceb064572U);
}

TEST_CASE("SipHash-1-3 equals the vectors of Rust's library", "[core][hash]") {
  // github.com/rust-lang/rust, library/coretests/tests/hash/sip.rs, test_siphash_1_3.
  using Kernel = detail::SipHashKernel<1, 3>;
  struct Row {
    std::size_t length;
    std::uint64_t expected;
  };
  for (const Row& row : std::vector<Row>{{0, 0xabac0158050fc4dc},
                                         {1, 0xc9f49bf37d57ca93},
                                         {2, 0x82cb9b024dc7d44d},
                                         {7, 0xd3927d989bb11140},
                                         {8, 0x369095118d299a8e},
                                         {9, 0x25a48eb36c063de4},
                                         {15, 0xd320d86d2a519956},
                                         {16, 0xcc4fdd1a7d908b66},
                                         {63, 0x9d199062b7bbb3a8}}) {
    INFO(row.length << " bytes");
    CHECK(sip_vector<Kernel>(row.length) == row.expected);
  }
}

TEST_CASE("siphash13 is CPython's source_hash: its secret is the seed, then zeros",
          "[core][hash]") {
  // CPython 3.11, _imp.source_hash(seed, bytes), which is siphash13 of Python/pyhash.c.
  CHECK(SipHash13::digest({}, 0)[0] == 0xd1fba762150c532cU);
  CHECK(SipHash13::digest(bytes_of("a text"), 0x0123456789abcdef)[0] == 0x81c4f20053e7dbf8U);
  CHECK(SipHash13::digest(bytes_of("The quick brown fox jumps over the lazy dog"), 42)[0] ==
        0x1abf1e2a1a87976aU);
}

TEST_CASE("the murmur hashes have SMHasher's verification values", "[core][hash]") {
  CHECK(smhasher_verification<Murmur2_64A>() == 0x1F0D3804U);
  CHECK(smhasher_verification<Murmur3_128>() == 0x6384BA69U);
  CHECK(smhasher_verification<Murmur2_32>() == 0x27864C1EU);
  CHECK(smhasher_verification<Murmur3_32>() == 0xB0F57EE3U);
}

TEST_CASE("murmur3_32 equals the published vectors", "[core][hash]") {
  struct Row {
    std::string_view text;
    std::uint32_t seed;
    std::uint32_t expected;
  };
  // Boyd 2015, stackoverflow.com/a/31929528; Wikipedia, "MurmurHash", table of test vectors.
  constexpr std::string_view fox = "The quick brown fox jumps over the lazy dog";
  for (const Row& row : std::vector<Row>{{"", 0, 0},
                                         {"", 1, 0x514e28b7},
                                         {"", 0xffffffff, 0x81f16f39},
                                         {"test", 0, 0xba6bd213},
                                         {"test", 0x9747b28c, 0x704b81dc},
                                         {"Hello, world!", 0, 0xc0363e43},
                                         {"Hello, world!", 0x9747b28c, 0x24884cba},
                                         {fox, 0, 0x2e4ff723},
                                         {fox, 0x9747b28c, 0x2fa826cd}}) {
    INFO(row.text << ", seed " << row.seed);
    CHECK(static_cast<std::uint32_t>(Murmur3_32::digest(bytes_of(row.text), row.seed)[0]) ==
          row.expected);
  }
}

TEST_CASE("murmur3_128 equals the values of Guava's tests", "[core][hash]") {
  struct Row {
    std::string_view text;
    std::uint64_t seed;
    Murmur3_128::Digest expected;
  };
  for (const Row& row : std::vector<Row>{{"hell", 0, {0x629942693e10f867, 0x92db0b82baeb5347}},
                                         {"hello", 1, {0xa78ddff5adae8d10, 0x128900ef20900135}},
                                         {"hello ", 2, {0x8a486b23f422e826, 0xf962a2c58947765f}},
                                         {"hello w", 3, {0x2ea59f466f6bed8c, 0xc610990acc428a17}},
                                         {"hello wo", 4, {0x79f6305a386c572c, 0x46305aed3483b94e}},
                                         {"hello wor", 5, {0xc2219d213ec1f1b5, 0xa1d8e2e0a52785bd}},
                                         {"The quick brown fox jumps over the lazy dog",
                                          0,
                                          {0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347}},
                                         {"The quick brown fox jumps over the lazy cog",
                                          0,
                                          {0x658ca970ff85269a, 0x43fee3eaa68e5c3e}}}) {
    INFO(row.text << ", seed " << row.seed);
    CHECK(Murmur3_128::digest(bytes_of(row.text), row.seed) == row.expected);
  }
}

TEST_CASE("xxhash64 has SMHasher's verification value and xxHash's sanity values", "[core][hash]") {
  CHECK(smhasher_verification<XxHash64>() == 0x024B7CF4U);
  const auto buffer = sanity_buffer(222);
  const auto hash = [&](std::size_t length, std::uint64_t seed) {
    return XxHash64::digest(std::span(buffer).first(length), seed)[0];
  };
  CHECK(hash(0, 0) == 0xEF46DB3751D8E999U);
  CHECK(hash(0, prime32) == 0xAC75FDA2929B17EFU);
  CHECK(hash(1, 0) == 0xE934A84ADB052768U);
  CHECK(hash(14, prime32) == 0xC3BD6BF63DEB6DF0U);
  CHECK(hash(222, 0) == 0xB641AE8CB691C174U);
  CHECK(hash(222, prime32) == 0x20CB8AB7AE10C14AU);
}

TEST_CASE("crc32c equals its check value and the vectors of RFC 3720", "[core][hash]") {
  const auto crc = [](std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(Crc32c::digest(bytes, 0)[0]);
  };
  CHECK(crc(bytes_of("123456789")) == 0xE3069283U);
  CHECK(crc(bytes_of("")) == 0U);
  std::array<std::byte, 32> block{};
  CHECK(crc(block) == 0x8A9136AAU);
  block.fill(std::byte{0xff});
  CHECK(crc(block) == 0x62A8AB43U);
  for (std::size_t i = 0; i < 32; ++i) block[i] = static_cast<std::byte>(i);
  CHECK(crc(block) == 0x46DD794EU);
  for (std::size_t i = 0; i < 32; ++i) block[i] = static_cast<std::byte>(31 - i);
  CHECK(crc(block) == 0x113FDB5CU);
}

TEST_CASE("crc32c under two seeds differs by one xor for all keys of a length", "[core][hash]") {
  const auto low = [](std::string_view text, std::uint64_t seed) {
    return static_cast<std::uint32_t>(Crc32c::digest(bytes_of(text), seed)[0]);
  };
  const std::uint32_t difference = low("apple", 3) ^ low("apple", 4);
  CHECK(difference != 0);
  CHECK((low("lemon", 3) ^ low("lemon", 4)) == difference);
}

TEST_CASE("murmur3_128 folds a seed of 64 bits to the 32 that it has", "[core][hash]") {
  const auto key = bytes_of("key");
  CHECK(Murmur3_128::digest(key, 0x0000000700000005ULL) == Murmur3_128::digest(key, 2));
  CHECK(Murmur3_128::digest(key, 0x0000000700000005ULL) != Murmur3_128::digest(key, 5));
}

TEMPLATE_TEST_CASE("a seed of 64 bits is folded to 32 by the xor of its halves", "[core][hash]",
                   Murmur2_32, Murmur3_32, Murmur3_128) {
  const auto key = bytes_of("a key of some length");
  for (int low = 0; low < 32; ++low) {
    const std::uint64_t one = std::uint64_t{1} << low;
    CHECK(TestType::digest(key, one << 32) == TestType::digest(key, one));
    CHECK(TestType::digest(key, one << 32 | one) == TestType::digest(key, 0));
    CHECK(TestType::digest(key, one) != TestType::digest(key, 0));
    const std::uint64_t seed = std::uint64_t{0x0123456789abcdef} << low;
    CHECK(TestType::digest(key, seed) == TestType::digest(key, (seed >> 32 ^ seed) & 0xffffffff));
  }
}

TEST_CASE("xxhash3_64 equals xxHash's own sanity values", "[core][hash]") {
  struct Row {
    std::size_t length;
    std::uint64_t seed;
    std::uint64_t expected;
  };
  const std::vector<Row> rows = {
      {0, 0, 0x2D06800538D394C2},    {0, prime64, 0xA8A6B918B2F0364A},
      {1, 0, 0xC44BDFF4074EECDB},    {1, prime64, 0x032BE332DD766EF8},
      {6, 0, 0x27B56A84CD2D7325},    {6, prime64, 0x84589C116AB59AB9},
      {12, 0, 0xA713DAF0DFBB77E7},   {12, prime64, 0xE7303E1B2336DE0E},
      {24, 0, 0xA3FE70BF9D3510EB},   {24, prime64, 0x850E80FC35BDD690},
      {48, 0, 0x397DA259ECBA1F11},   {48, prime64, 0xADC2CBAA44ACC616},
      {80, 0, 0xBCDEFBBB2C47C90A},   {80, prime64, 0xC6DD0CB699532E73},
      {195, 0, 0xCD94217EE362EC3A},  {195, prime64, 0xBA68003D370CB3D9},
      {403, 0, 0xCDEB804D65C6DEA4},  {403, prime64, 0x6259F6ECFD6443FD},
      {2048, 0, 0xDD59E2C3A5F038E0}, {2048, prime64, 0x66F81670669ABABC},
      {2367, 0, 0xCB37AEB9E5D361ED}, {2367, prime64, 0xD2DB3415B942B42A}};
  const auto buffer = sanity_buffer(2367);
  for (const Row& row : rows) {
    INFO(row.length << " bytes, seed " << row.seed);
    CHECK(XxHash3_64::digest(std::span(buffer).first(row.length), row.seed)[0] == row.expected);
  }
}

TEST_CASE("xxhash3_128 equals xxHash's own sanity values", "[core][hash]") {
  struct Row {
    std::size_t length;
    std::uint64_t seed;
    XxHash3_128::Digest expected;  // low half, high half
  };
  const std::vector<Row> rows = {{0, 0, {0x6001C324468D497F, 0x99AA06D3014798D8}},
                                 {0, prime32, {0x5444F7869C671AB0, 0x92220AE55E14AB50}},
                                 {1, 0, {0xC44BDFF4074EECDB, 0xA6CD5E9392000F6A}},
                                 {1, prime32, {0xB53D5557E7F76F8D, 0x89B99554BA22467C}},
                                 {6, 0, {0x3E7039BDDA43CFC6, 0x082AFE0B8162D12A}},
                                 {6, prime32, {0x269D8F70BE98856E, 0x5A865B5389ABD2B1}},
                                 {12, 0, {0x061A192713F69AD9, 0x6E3EFD8FC7802B18}},
                                 {12, prime32, {0x9BE9F9A67F3C7DFB, 0xD7E09D518A3405D3}},
                                 {24, 0, {0x1E7044D28B1B901D, 0x0CE966E4678D3761}},
                                 {48, prime32, {0x7BA3C3E453A1934E, 0x163ADDE36C072295}},
                                 {222, 0, {0xF1AEBD597CEC6B3A, 0x337E09641B948717}},
                                 {403, 0, {0xCDEB804D65C6DEA4, 0x1B6DE21E332DD73D}},
                                 {2048, prime32, {0x230D43F30206260B, 0x7FB03F7E7186C3EA}}};
  const auto buffer = sanity_buffer(2048);
  for (const Row& row : rows) {
    INFO(row.length << " bytes, seed " << row.seed);
    CHECK(XxHash3_128::digest(std::span(buffer).first(row.length), row.seed) == row.expected);
  }
}

TEST_CASE("identity is the 32-bit key", "[core][hash]") {
  const std::array<std::byte, 4> key = {std::byte{0x78}, std::byte{0x56}, std::byte{0x34},
                                        std::byte{0x92}};
  CHECK(Identity::digest(key, 0)[0] == 0x92345678U);
  CHECK(Identity::digest(key, 99)[0] == 0x92345678U);
}
