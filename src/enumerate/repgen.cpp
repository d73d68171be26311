#include "enumerate/repgen.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "classes/backend_choice.hpp"
#include "enumerate/key_index.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::enumerate {
namespace {

/// Largest number of circuits looked up at a time: enough work for all threads or a device, and
/// little memory.
constexpr std::size_t kBatchCandidates = std::size_t{1} << 20;
/// Largest number of their amplitudes, which limits the time between two looks at a request to
/// stop.
constexpr std::size_t kBatchAmplitudes = std::size_t{1} << 23;
/// Number of pieces of a batch that are distributed over the threads.
constexpr std::size_t kBatchPieces = 32;
/// Number of keys to prefetch ahead of their look-up.
constexpr std::size_t kLookAhead = 16;

/// Circuits to look up, each a representative of the last level (counted from its first) and a
/// letter.
struct Candidates {
  std::vector<classes::Extension> extensions;
  std::vector<ClassIndex> suffixes;

  void clear() {
    extensions.clear();
    suffixes.clear();
  }
  void append(const Candidates& other) {
    extensions.insert(extensions.end(), other.extensions.begin(), other.extensions.end());
    suffixes.insert(suffixes.end(), other.suffixes.begin(), other.suffixes.end());
  }
};

/// The circuits that are looked up together. One object is used again for all batches, to avoid
/// reallocation.
struct Batch {
  Candidates candidates;
  std::vector<fingerprint::FingerprintKey> keys;  ///< the keys of the candidates
  std::vector<classes::Extension> opened;         ///< candidates that opened a class
};

class RepGen {
 public:
  RepGen(const Letters& letters, const EnumerationOptions& options)
      : letters_(letters), options_(options), threads_(thread_count(options.threads)) {
    fingerprint::FingerprintTables tables =
        fingerprint::make_fingerprint_tables(letters.operations, letters.qubits, options.seed);
    dimension_ = tables.dimension();
    states_ = tables.probe.state;
    batch_size_ =
        std::max<std::size_t>(1, std::min(kBatchCandidates, kBatchAmplitudes / dimension_) /
                                     std::max<std::size_t>(1, letters.letters.size()));
    grain_ = (batch_size_ + kBatchPieces - 1) / kBatchPieces;
    backend_ = classes::make_fingerprint_backend(std::move(tables), threads_, options.backend);
  }

  Enumeration run() {
    add_empty_circuit();
    for (level_ = 1; level_ <= options_.gates; ++level_) extend_level();
    return std::move(result_);
  }

 private:
  void add_empty_circuit() {
    const fingerprint::FingerprintKey key =
        fingerprint::Fingerprinter(letters_.operations, letters_.qubits, options_.seed).key({});
    index_.find_or_insert(key & options_.key_mask, 0);
    result_.representatives.emplace_back();
    result_.level_begin = {0, 1};
  }

  void extend_level() {
    parents_begin_ = result_.level_begin[level_ - 1];
    const ClassIndex parents_end = result_.level_begin[level_];
    // The children of a class end where those of the next class begin, even across levels.
    if (parents_begin_ != parents_end) begin_children_until(parents_begin_ + 1);
    next_states_.clear();
    for (ClassIndex begin = parents_begin_; begin < parents_end;) {
      if (options_.stop.stop_requested()) throw Stopped("stopped while enumerating circuits");
      const auto end = static_cast<ClassIndex>(
          std::min<std::size_t>(parents_end, std::size_t{begin} + batch_size_));
      extend_batch(begin, end);
      begin = end;
      report_progress();
    }
    result_.level_begin.push_back(static_cast<ClassIndex>(result_.representatives.size()));
    states_.swap(next_states_);
  }

  void extend_batch(ClassIndex begin, ClassIndex end) {
    collect_candidates(begin, end);
    batch_.keys.resize(batch_.candidates.extensions.size());
    backend_->extension_keys(states_, batch_.candidates.extensions, batch_.keys);
    sort_into_classes(end);
    if (level_ < options_.gates) {
      const std::size_t known = next_states_.size();
      next_states_.resize(known + batch_.opened.size() * dimension_);
      backend_->extend(states_, batch_.opened, std::span(next_states_).subspan(known));
    }
  }

  void collect_candidates(ClassIndex begin, ClassIndex end) {
    std::vector<Candidates> pieces((end - begin + grain_ - 1) / grain_);
    parallel_for(threads_, end - begin, grain_,
                 [&](unsigned, std::size_t piece_begin, std::size_t piece_end) {
                   Candidates& piece = pieces[piece_begin / grain_];
                   std::vector<LetterIndex> path;
                   for (std::size_t i = piece_begin; i < piece_end; ++i) {
                     collect_from(begin + static_cast<ClassIndex>(i), path, piece);
                   }
                 });
    batch_.candidates.clear();
    for (const Candidates& piece : pieces) batch_.candidates.append(piece);
  }

  /// Collects the extensions of one representative that are worth looking up, ordered by letter.
  /// `path` is scratch memory.
  void collect_from(ClassIndex parent, std::vector<LetterIndex>& path, Candidates& found) const {
    const Representative& representative = result_.representatives[parent];
    path.clear();
    for (ClassIndex at = parent; at != 0; at = result_.representatives[at].prefix) {
      path.push_back(result_.representatives[at].letter);
    }
    const auto consider = [&](LetterIndex letter, ClassIndex suffix) {
      if ((letters_.letters[letter].parameters & representative.parameters) != 0) return;
      if (!stays_canonical(path, letter)) return;
      found.extensions.push_back({parent - parents_begin_, letter});
      found.suffixes.push_back(suffix);
    };
    if (parent == 0 || !options_.suffix_rule) {
      for (std::size_t letter = 0; letter < letters_.letters.size(); ++letter) {
        consider(static_cast<LetterIndex>(letter), 0);
      }
      return;
    }
    // The suffix of the extension is the parent's suffix extended by the same letter. It is in
    // canonical order, as every part of a canonical sequence is, so it is a representative if and
    // only if it is a child of the parent's suffix.
    const ClassIndex end = result_.representatives[representative.suffix + 1].first_child;
    for (ClassIndex child = result_.representatives[representative.suffix].first_child; child < end;
         ++child) {
      consider(result_.representatives[child].letter, child);
    }
  }

  /// Returns whether a sequence in canonical order, last letter first in `path`, remains canonical
  /// if the letter is appended: the letter must not be able to move left past a greater one.
  [[nodiscard]] bool stays_canonical(const std::vector<LetterIndex>& path,
                                     LetterIndex letter) const {
    for (const LetterIndex before : path) {
      if ((letters_.letters[before].qubits & letters_.letters[letter].qubits) != 0) return true;
      if (before > letter) return false;
    }
    return true;
  }

  /// Assigns candidates to classes in canonical order, so that the first of a class represents it.
  void sort_into_classes(ClassIndex parents_end) {
    batch_.opened.clear();
    for (std::size_t i = 0; i < batch_.keys.size(); ++i) {
      if (i + kLookAhead < batch_.keys.size()) {
        index_.prefetch(batch_.keys[i + kLookAhead] & options_.key_mask);
      }
      const classes::Extension& extension = batch_.candidates.extensions[i];
      const ClassIndex prefix = parents_begin_ + extension.state;
      const auto letter = static_cast<LetterIndex>(extension.letter);
      begin_children_until(prefix + 1);
      const ClassIndex fresh = next_class();
      const ClassIndex found = index_.find_or_insert(batch_.keys[i] & options_.key_mask, fresh);
      if (found == fresh) {
        open_class(prefix, batch_.candidates.suffixes[i], letter);
        batch_.opened.push_back(extension);
      } else if (options_.keep_members) {
        result_.members.push_back({found, prefix, letter});
      }
    }
    begin_children_until(parents_end);
    result_.candidates += batch_.keys.size();
  }

  [[nodiscard]] ClassIndex next_class() const {
    const std::size_t size = result_.representatives.size();
    if (size >= std::numeric_limits<ClassIndex>::max()) {
      throw UsageError("more than 2^32 classes: use fewer gates, qubits or parameters");
    }
    return static_cast<ClassIndex>(size);
  }

  void open_class(ClassIndex prefix, ClassIndex suffix, LetterIndex letter) {
    Representative representative;
    representative.prefix = prefix;
    representative.suffix = suffix;
    representative.letter = letter;
    representative.parameters = static_cast<std::uint16_t>(
        result_.representatives[prefix].parameters | letters_.letters[letter].parameters);
    result_.representatives.push_back(representative);
  }

  /// Sets the first child of all parents before `end`: children found later belong to the last of
  /// them or to later parents.
  void begin_children_until(ClassIndex end) {
    for (; childless_ < end; ++childless_) {
      result_.representatives[childless_].first_child = next_class();
    }
  }

  void report_progress() const {
    if (!options_.on_progress) return;
    options_.on_progress({level_, result_.candidates, result_.representatives.size()});
  }

  const Letters& letters_;
  const EnumerationOptions& options_;
  unsigned threads_;
  std::size_t dimension_ = 0;
  std::size_t batch_size_ = 1;  ///< number of representatives extended at a time
  std::size_t grain_ = 1;       ///< number of representatives given to a thread at a time
  std::unique_ptr<classes::FingerprintBackend> backend_;
  KeyIndex index_;
  Enumeration result_;

  unsigned level_ = 0;                       ///< level of the circuits being found
  ClassIndex parents_begin_ = 0;             ///< first class of the level before
  ClassIndex childless_ = 0;                 ///< first class whose first_child is not yet set
  std::vector<algebra::Goldilocks> states_;  ///< states of the level before
  std::vector<algebra::Goldilocks> next_states_;

  Batch batch_;
};

}  // namespace

std::vector<LetterIndex> Enumeration::sequence(ClassIndex representative) const {
  std::vector<LetterIndex> letters;
  for (ClassIndex at = representative; at != 0; at = representatives[at].prefix) {
    letters.push_back(representatives[at].letter);
  }
  std::reverse(letters.begin(), letters.end());
  return letters;
}

std::vector<LetterIndex> Enumeration::sequence(const Member& member) const {
  std::vector<LetterIndex> letters = sequence(member.prefix);
  letters.push_back(member.letter);
  return letters;
}

Enumeration enumerate_classes(const Letters& letters, const EnumerationOptions& options) {
  return RepGen(letters, options).run();
}

}  // namespace quartz::enumerate
