#pragma once

#include <cstddef>
#include <vector>

namespace quartz {

/// A list that grows in chunks, so that no elements but those of the first chunk are moved. A
/// vector of 10^7 elements that grows moves all of them again and again, and needs twice its memory
/// while it does; for that, an element takes two look-ups here in place of one.
template <typename Value>
class ChunkedVector {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Value& operator[](std::size_t index) {
    return chunks_[index / kChunk][index % kChunk];
  }
  [[nodiscard]] const Value& operator[](std::size_t index) const {
    return chunks_[index / kChunk][index % kChunk];
  }

  Value& emplace_back() {
    if (size_ % kChunk == 0) {
      chunks_.emplace_back();
      // Short lists take no memory for a whole chunk.
      if (size_ != 0) chunks_.back().reserve(kChunk);
    }
    ++size_;
    return chunks_.back().emplace_back();
  }

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 13U;

  std::size_t size_ = 0;
  std::vector<std::vector<Value>> chunks_;
};

}  // namespace quartz
