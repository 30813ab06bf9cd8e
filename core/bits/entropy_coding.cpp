#include "core/bits/entropy_coding.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <stdexcept>

namespace bloomlab {
namespace {

/// What the coded bytes are; the first byte of a code.
enum class Form : std::uint8_t { bytes = 0, gaps_of_ones = 1, gaps_of_zeros = 2 };

constexpr std::uint8_t long_gap = 255;  // so many more, and the gap goes on
constexpr int raw_deflate = -15;        // no header, no checksum

/// A stream of bytes on its way through zlib into a vector.
class Deflater {
 public:
  explicit Deflater(std::vector<std::byte>& out) : out_(out) {
    if (deflateInit2(&stream_, Z_BEST_COMPRESSION, Z_DEFLATED, raw_deflate, 9, Z_HUFFMAN_ONLY) !=
        Z_OK) {
      throw std::bad_alloc();
    }
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  void put(std::uint8_t byte) {
    buffer_[used_++] = byte;
    if (used_ == buffer_.size()) flush(Z_NO_FLUSH);
  }
  void finish() { flush(Z_FINISH); }

 private:
  void flush(int mode) {
    std::array<Bytef, 16384> piece;
    stream_.next_in = buffer_.data();
    stream_.avail_in = static_cast<uInt>(used_);
    do {
      stream_.next_out = piece.data();
      stream_.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream_, mode);
      const auto made = std::as_bytes(std::span(piece)).first(piece.size() - stream_.avail_out);
      out_.insert(out_.end(), made.begin(), made.end());
    } while (stream_.avail_out == 0);
    used_ = 0;
  }

  z_stream stream_ = {};
  std::vector<std::byte>& out_;
  std::array<Bytef, 16384> buffer_;
  std::size_t used_ = 0;
};

[[noreturn]] void refuse(const char* what) {
  throw std::invalid_argument(std::string("encoded bits: ") + what);
}

/// The bytes that a code stands for, one after the other.
class Inflater {
 public:
  explicit Inflater(std::span<const std::byte> code) : left_(code) {
    if (inflateInit2(&stream_, raw_deflate) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  /// The next byte; false at the end.
  bool get(std::uint8_t& byte) {
    if (next_ == made_ && !refill()) return false;
    byte = buffer_[next_++];
    return true;
  }
  /// Whether the code ended where its bytes did.
  [[nodiscard]] bool at_end() const noexcept {
    return ended_ && next_ == made_ && left_.empty() && stream_.avail_in == 0;
  }

 private:
  bool refill() {
    next_ = made_ = 0;
    while (made_ == 0 && !ended_) {
      if (stream_.avail_in == 0) {
        const auto piece = left_.first(std::min<std::size_t>(left_.size(), 1U << 20));
        if (piece.empty()) refuse("they end too early");
        // zlib does not write to its input; its interface for C lacks the word.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(piece.data()));
        stream_.avail_in = static_cast<uInt>(piece.size());
        left_ = left_.subspan(piece.size());
      }
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END) refuse("they are damaged");
      ended_ = status == Z_STREAM_END;
      made_ = buffer_.size() - stream_.avail_out;
    }
    return made_ != 0;
  }

  z_stream stream_ = {};
  std::span<const std::byte> left_;
  std::array<Bytef, 16384> buffer_;
  std::size_t next_ = 0;
  std::size_t made_ = 0;
  bool ended_ = false;
};

/// Calls `use(position)` for every bit of the array that is `value`, in ascending order.
template <class Use>
void for_each_bit(const BitArray& bits, bool value, Use&& use) {
  std::uint64_t base = 0;
  for (std::uint64_t word : bits.words()) {
    if (!value) word = ~word;
    for (; word != 0; word &= word - 1) {
      const std::uint64_t position = base + static_cast<std::uint64_t>(__builtin_ctzll(word));
      if (position < bits.size()) use(position);
    }
    base += 64;
  }
}

/// A share of rare bits below which their gaps are the shorter code.
bool codes_gaps(std::uint64_t rare, std::uint64_t size) { return rare < size / 6; }

Form form_for(const BitArray& bits) {
  const std::uint64_t ones = bits.popcount();
  if (codes_gaps(ones, bits.size())) return Form::gaps_of_ones;
  return codes_gaps(bits.size() - ones, bits.size()) ? Form::gaps_of_zeros : Form::bytes;
}

void put_bytes(const BitArray& bits, Deflater& out) {
  std::uint64_t left = (bits.size() + 7) / 8;
  for (const std::uint64_t word : bits.words()) {
    for (unsigned i = 0; i < 8 && left != 0; ++i, --left) {
      out.put(static_cast<std::uint8_t>(word >> (8 * i)));
    }
  }
}

void put_gaps(const BitArray& bits, bool rare, Deflater& out) {
  std::uint64_t next = 0;
  for_each_bit(bits, rare, [&](std::uint64_t position) {
    std::uint64_t gap = position - next;
    for (; gap >= long_gap; gap -= long_gap) out.put(long_gap);
    out.put(static_cast<std::uint8_t>(gap));
    next = position + 1;
  });
}

void read_bytes(Inflater& in, BitArray& bits) {
  std::uint8_t byte = 0;
  for (std::uint64_t base = 0; base < bits.size(); base += 8) {
    if (!in.get(byte)) refuse("they are fewer than the array has");
    for (unsigned i = 0; i < 8; ++i) {
      if (((byte >> i) & 1) == 0) continue;
      if (base + i >= bits.size()) refuse("they are more than the array has");
      bits.set(base + i);
    }
  }
}

void read_gaps(Inflater& in, bool rare, BitArray& bits) {
  std::uint64_t position = 0;
  std::uint8_t byte = 0;
  const auto fill_to = [&](std::uint64_t end) {
    if (!rare) {
      for (std::uint64_t i = position; i < end; ++i) bits.set(i);
    }
    position = end;
  };
  while (in.get(byte)) {
    if (byte > bits.size() - position) refuse("they are more than the array has");
    fill_to(position + byte);
    if (byte == long_gap) continue;
    if (position == bits.size()) refuse("they are more than the array has");
    if (rare) bits.set(position);
    ++position;
  }
  fill_to(bits.size());
}

}  // namespace

std::vector<std::byte> encode_bits(const BitArray& bits) {
  const Form form = form_for(bits);
  std::vector<std::byte> code = {static_cast<std::byte>(form)};
  Deflater out(code);
  if (form == Form::bytes) {
    put_bytes(bits, out);
  } else {
    put_gaps(bits, form == Form::gaps_of_ones, out);
  }
  out.finish();
  return code;
}

BitArray decode_bits(std::span<const std::byte> code, std::uint64_t size) {
  if (code.empty()) refuse("there are none");
  const auto form = static_cast<std::uint8_t>(code.front());
  if (form > static_cast<std::uint8_t>(Form::gaps_of_zeros)) refuse("their form is unknown");
  BitArray bits(size);
  Inflater in(code.subspan(1));
  if (form == static_cast<std::uint8_t>(Form::bytes)) {
    read_bytes(in, bits);
  } else {
    read_gaps(in, form == static_cast<std::uint8_t>(Form::gaps_of_ones), bits);
  }
  std::uint8_t more = 0;
  if (in.get(more) || !in.at_end()) refuse("they are more than the array has");
  return bits;
}

}  // namespace bloomlab
