#include "quartz/base/compression.hpp"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

/// Returns the level of Zstandard. Level 19 makes files a tenth smaller than the default level, and
/// is still quick for a few megabytes.
int level_of(CompressionEffort effort) { return effort == CompressionEffort::most ? 19 : 1; }

/// Returns a frame whose blocks have the bytes as they are, as RFC 8878 describes it.
std::string stored(std::string_view content) {
  constexpr std::string_view kMagicNumber("\x28\xb5\x2f\xfd", 4);
  constexpr char kSizeInEightBytes = '\xe0';  // in a single segment, without a checksum
  constexpr std::size_t kMostOfBlock = std::size_t{1} << 17U;
  std::string bytes(kMagicNumber);
  bytes.reserve(content.size() + 3 * (content.size() / kMostOfBlock + 1) + 13);
  const auto put = [&](std::uint64_t number, unsigned count) {
    for (unsigned i = 0; i < count; ++i) bytes += static_cast<char>(number >> 8 * i & 0xffU);
  };
  bytes += kSizeInEightBytes;
  put(content.size(), 8);
  do {
    const std::string_view block = content.substr(0, kMostOfBlock);
    content.remove_prefix(block.size());
    put(block.size() << 3U | (content.empty() ? 1U : 0U), 3);
    bytes += block;
  } while (!content.empty());
  return bytes;
}

/// Returns the size of the content if it should be decompressed at once: if the bytes are one frame
/// that says its size, and that is not much larger than they are.
std::optional<std::size_t> size_at_once(std::string_view bytes, std::size_t most) {
  constexpr std::size_t kAlways = std::size_t{1} << 24U;
  constexpr std::size_t kMaxRatio = 256;
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > most) {
    return std::nullopt;
  }
  if (size > kAlways && size / kMaxRatio > bytes.size()) return std::nullopt;
  if (ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()) != bytes.size()) return std::nullopt;
  return static_cast<std::size_t>(size);
}

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string compressed(std::string_view content, CompressionEffort effort) {
  if (effort == CompressionEffort::none) return stored(content);
  // A search compresses small pieces thousands of times a second: the context costs more than they.
  thread_local const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
  ensure(context != nullptr, "the memory for compression is allocated");
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level_of(effort));
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  // Without a buffer that stays, the page faults of new memory would take longer than compression.
  constexpr std::size_t kLargestKept = std::size_t{1} << 22U;
  thread_local std::vector<char> buffer;
  buffer.resize(std::max(buffer.size(), ZSTD_compressBound(content.size())));
  const std::size_t size =
      ZSTD_compress2(context.get(), buffer.data(), buffer.size(), content.data(), content.size());
  if (ZSTD_isError(size) != 0) {
    throw InternalError(fmt::format("compression failed: {}", ZSTD_getErrorName(size)));
  }
  std::string bytes(buffer.data(), size);
  if (buffer.size() > kLargestKept) buffer = {};
  return bytes;
}

bool is_compressed(std::string_view bytes) {
  constexpr std::string_view kMagic = "\x28\xb5\x2f\xfd";  // ZSTD_MAGICNUMBER, little-endian
  return bytes.starts_with(kMagic);
}

std::string decompressed(std::string_view bytes, const std::string& name, std::size_t most,
                         const std::stop_token& stop) {
  const auto fail = [&](const std::string& why) {
    throw InputError({name}, "cannot be decompressed (Zstandard): " + why);
  };
  if (!is_compressed(bytes)) fail("it is not a Zstandard file");
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
  ensure(context != nullptr, "the memory for decompression is allocated");
  std::string content;
  if (const std::optional<std::size_t> size = size_at_once(bytes, most)) {
    content.resize(*size);
    const std::size_t read = ZSTD_decompressDCtx(context.get(), content.data(), content.size(),
                                                 bytes.data(), bytes.size());
    if (ZSTD_isError(read) != 0) fail(ZSTD_getErrorName(read));
    return content;
  }
  // An earlier call may have ended within a frame.
  ZSTD_DCtx_reset(context.get(), ZSTD_reset_session_only);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string block(ZSTD_DStreamOutSize(), '\0');
  std::size_t to_come = 1;  // number of bytes expected next; 0 at the end of a frame
  while (in.pos < in.size || to_come != 0) {
    if (stop.stop_requested()) throw Stopped("stopped while reading " + name);
    ZSTD_outBuffer out{block.data(), block.size(), 0};
    const std::size_t read = in.pos;
    to_come = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(to_come) != 0) fail(ZSTD_getErrorName(to_come));
    if (out.pos == 0 && in.pos == read && to_come != 0) fail("it is truncated");
    if (content.size() + out.pos > most) fail(fmt::format("it has more than {} bytes", most));
    content.append(block, 0, out.pos);
  }
  return content;
}

}  // namespace quartz
