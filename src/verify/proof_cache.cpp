#include "quartz/verify/proof_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {
namespace {

constexpr std::string_view kFormat = "quartz-proofs 1";
constexpr std::size_t kKeyDigits = 32;
/// A block is written when it has this size, or when this time has passed since the last block.
constexpr std::size_t kBlockBytes = std::size_t{1} << 16U;
constexpr std::chrono::seconds kBetweenBlocks{1};

/// Returns a digest of the gate table, because proofs depend on it. Custom gates are not included:
/// their meaning is part of each claim's key.
std::string gate_table_digest() {
  std::string text;
  for (const Gate& row : gate_table()) text += meaning_of(row);
  return digest_of(text);
}

std::string header_of(const std::string& prover) {
  return fmt::format("{} {} {}\n", kFormat, gate_table_digest(), prover);
}

/// Returns the checksum of a block and, through the checksum of the previous block, of all earlier
/// blocks.
std::uint64_t checksum_after(std::uint64_t before, std::string_view block) {
  const std::string text = fmt::format("{:016x}\n{}", before, block);
  return checksum_of(std::as_bytes(std::span(text)));
}

std::string end_of_block(std::uint64_t checksum) { return fmt::format("= {:016x}\n", checksum); }

std::uint64_t milliseconds_of(double seconds) {
  return static_cast<std::uint64_t>(std::llround(std::clamp(seconds, 0.0, 1e9) * 1000));
}

template <typename Number>
bool read_number(std::string_view text, int base, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size();
}

/// Returns the text before the first `separator`, and removes it and the separator from the text.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t length = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

class CachedProver final : public Prover {
 public:
  CachedProver(std::unique_ptr<Prover> prover, double seconds, ProofCache& cache)
      : prover_(std::move(prover)), seconds_(seconds), cache_(cache) {}

  [[nodiscard]] std::string_view name() const override { return prover_->name(); }

  [[nodiscard]] ProofResult prove(const Claim& claim) override {
    return cache_.find_or_prove(claim_key(claim), seconds_, [&] { return prover_->prove(claim); });
  }

 private:
  std::unique_ptr<Prover> prover_;
  double seconds_;
  ProofCache& cache_;
};

}  // namespace

ProofCache::ProofCache(std::filesystem::path file, std::string prover) : file_(std::move(file)) {
  lock_ = FileLock::try_lock(file_);
  if (!lock_) throw InputError({file_.string()}, "another process is using these proofs");
  const std::string header = header_of(prover);
  if (!std::filesystem::exists(file_)) {
    checksum_ = checksum_after(0, header);
    write_text_file(file_, header + end_of_block(checksum_));
    return;
  }
  const std::string content = read_text_file(file_, {.max_bytes = file_limit::rules});
  if (!content.starts_with(kFormat)) {
    throw InputError({file_.string(), 1}, fmt::format("this is not a file of proofs: it does not "
                                                      "begin with '{}'",
                                                      kFormat));
  }
  if (!content.starts_with(header)) {
    throw InputError(
        {file_.string(), 1},
        fmt::format(
            "the proofs are by another prover or about other gates: found '{}', expected '{}'",
            content.substr(0, content.find('\n')), header.substr(0, header.size() - 1)));
  }
  read(content);
  from_earlier_runs_ = known_.size();
}

ProofCache::~ProofCache() {
  try {
    flush();
  } catch (const std::exception&) {
    // A caller that needs to know about an error calls flush() itself.
  }
}

void ProofCache::read(std::string_view content) {
  std::size_t block_begin = 0;
  std::size_t block_line = 1;
  std::size_t line = 1;
  for (std::size_t begin = 0;; ++line) {
    const std::size_t end = content.find('\n', begin);
    if (end == std::string_view::npos) break;
    if (content[begin] == '=') {
      const std::string_view block = content.substr(block_begin, begin - block_begin);
      checksum_ = checksum_after(checksum_, block);
      if (content.substr(begin, end + 1 - begin) != end_of_block(checksum_)) {
        throw InputError({file_.string(), line},
                         "the file is damaged: the checksum of the lines before it "
                         "does not match");
      }
      std::string_view rest = block;
      if (block_begin == 0) static_cast<void>(take_until(rest, '\n'));  // skip the header
      for (std::size_t number = block_line + (block_begin == 0 ? 1 : 0); !rest.empty(); ++number) {
        read_record(take_until(rest, '\n'), number);
      }
      block_begin = end + 1;
      block_line = line + 1;
    }
    begin = end + 1;
  }
  if (block_begin == 0) {
    throw InputError({file_.string(), line},
                     "the file is damaged: it ends before the first checksum");
  }
  // An incomplete last block was being written when its process was killed.
  if (block_begin != content.size()) std::filesystem::resize_file(file_, block_begin);
}

void ProofCache::read_record(std::string_view line, std::size_t number) {
  const auto fail = [&] {
    throw InputError({file_.string(), number}, fmt::format("'{}' is not a proof", line));
  };
  std::string_view rest = line;
  const std::string_view digits = take_until(rest, ' ');
  ClaimKey key;
  if (digits.size() != kKeyDigits || !read_number(digits.substr(0, kKeyDigits / 2), 16, key.high) ||
      !read_number(digits.substr(kKeyDigits / 2), 16, key.low)) {
    fail();
  }
  const std::string_view verdict = take_until(rest, ' ');
  std::uint64_t milliseconds = 0;
  ProofResult result{ProofVerdict::proved, {}};
  if (verdict == "unknown") {
    if (!read_number(take_until(rest, ' '), 10, milliseconds)) fail();
    result = {ProofVerdict::unknown, std::string(rest)};
  } else if (verdict != "proved" || !rest.empty()) {
    fail();
  }
  static_cast<void>(keep(key, result, milliseconds));
}

/// Stores a result and returns whether it was new.
bool ProofCache::keep(const ClaimKey& key, const ProofResult& result, std::uint64_t milliseconds) {
  const auto [found, is_new] = known_.try_emplace(key);
  std::unique_ptr<const Unknown>& known = found->second;
  if (!is_new && (known == nullptr || (result.verdict == ProofVerdict::unknown &&
                                       known->milliseconds >= milliseconds))) {
    return false;
  }
  known = result.verdict == ProofVerdict::proved
              ? nullptr
              : std::make_unique<const Unknown>(Unknown{milliseconds, result.witness});
  return true;
}

std::optional<ProofResult> ProofCache::find(const ClaimKey& key, double seconds) const {
  const std::lock_guard lock(mutex_);
  return find_locked(key, seconds);
}

std::optional<ProofResult> ProofCache::find_locked(const ClaimKey& key, double seconds) const {
  const auto found = known_.find(key);
  if (found == known_.end()) return std::nullopt;
  if (found->second == nullptr) return ProofResult{ProofVerdict::proved, {}};
  if (found->second->milliseconds < milliseconds_of(seconds)) return std::nullopt;
  return ProofResult{ProofVerdict::unknown, found->second->reason};
}

void ProofCache::add(const ClaimKey& key, const ProofResult& result, double seconds) {
  if (result.verdict == ProofVerdict::refuted) return;
  ProofResult one_line = result;
  std::replace(one_line.witness.begin(), one_line.witness.end(), '\n', ' ');
  const std::lock_guard lock(mutex_);
  if (!keep(key, one_line, milliseconds_of(seconds))) return;
  ++added_;
  if (file_.empty()) return;
  block_ += fmt::format("{:016x}{:016x}", key.high, key.low);
  block_ += result.verdict == ProofVerdict::proved
                ? std::string(" proved\n")
                : fmt::format(" unknown {} {}\n", milliseconds_of(seconds), one_line.witness);
  if (block_.size() >= kBlockBytes || Clock::now() - written_ >= kBetweenBlocks) write_block();
}

ProofResult ProofCache::find_or_prove(const ClaimKey& key, double seconds,
                                      const std::function<ProofResult()>& prove) {
  {
    std::unique_lock lock(mutex_);
    tried_.wait(lock, [&] { return !being_tried_.contains(key); });
    if (std::optional<ProofResult> known = find_locked(key, seconds)) return std::move(*known);
    being_tried_.insert(key);
  }
  struct EndOfTry {
    ProofCache& cache;
    const ClaimKey& key;
    ~EndOfTry() {
      {
        const std::lock_guard lock(cache.mutex_);
        cache.being_tried_.erase(key);
      }
      cache.tried_.notify_all();
    }
  };
  const EndOfTry end_of_try{*this, key};
  ProofResult result = prove();
  add(key, result, seconds);
  return result;
}

void ProofCache::flush() {
  const std::lock_guard lock(mutex_);
  if (!block_.empty()) write_block();
}

std::uint64_t ProofCache::added() const {
  const std::lock_guard lock(mutex_);
  return added_;
}

void ProofCache::write_block() {
  checksum_ = checksum_after(checksum_, block_);
  std::ofstream file(file_, std::ios::binary | std::ios::app);
  file << block_ << end_of_block(checksum_);
  file.close();
  if (!file) throw InputError({file_.string()}, "cannot write");
  block_.clear();
  written_ = Clock::now();
}

std::unique_ptr<Prover> make_cached_prover(std::unique_ptr<Prover> prover, double seconds,
                                           ProofCache& cache) {
  return std::make_unique<CachedProver>(std::move(prover), seconds, cache);
}

}  // namespace quartz
