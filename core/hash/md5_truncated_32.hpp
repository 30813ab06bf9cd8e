// MD5 (Rivest 1992, RFC 1321), of which 32 bits are kept: its first four bytes.
#pragma once

#include <string_view>

#include "core/hash/md5.hpp"
#include "core/hash/truncation_32.hpp"

namespace bloomlab {

/// See Truncation32.
struct Md5Truncated32 : Truncation32<Md5> {
  static constexpr std::string_view name = "md5_truncated_32";
  static constexpr std::string_view source =
      "Rivest 1992, RFC 1321, The MD5 message-digest algorithm (library OpenSSL), first 32 bits";
};

}  // namespace bloomlab
