#include "quartz/base/compression.hpp"

#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

/// Returns the level of Zstandard. Level 19 makes files a tenth smaller than the default level, and
/// is still quick for a few megabytes.
int level_of(CompressionEffort effort) { return effort == CompressionEffort::most ? 19 : 1; }

struct FreeCompressor {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
  void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

}  // namespace

std::string compressed(std::string_view content, CompressionEffort effort) {
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
  const std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context(ZSTD_createDCtx());
  ensure(context != nullptr, "the memory for decompression is allocated");
  std::string content;
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
