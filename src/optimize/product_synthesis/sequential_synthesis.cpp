#include "optimize/product_synthesis/sequential_synthesis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/container/static_vector.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "optimize/product_synthesis/form_block.hpp"
#include "optimize/product_synthesis/linear_reduction.hpp"
#include "optimize/product_synthesis/product_cluster.hpp"
#include "optimize/product_synthesis/span_reduction.hpp"
#include "optimize/product_synthesis/triple_walks.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Runs after which the synthesis ends if none of them was better.
constexpr std::size_t kMaxIdleRuns = 1000;
/// Products that are tried at each step, and sequences for each of them.
constexpr std::size_t kTriedBlocks = 5;
constexpr std::size_t kTriedSequences = 10;
/// Products whose distance counts in the choice of a sequence.
constexpr std::size_t kNearBlocks = 24;
/// Numbers of products for which clusters are tried. Fewer products are near each other anyway, and
/// for more of them the first network would be late.
constexpr std::size_t kLeastProductsForClusters = 60;
constexpr std::size_t kMostProductsForClusters = 400;
/// Clusters with more products are divided further.
constexpr std::size_t kMaxProductsOfCluster = 16;
/// Clusters that are grown for each one that is taken.
constexpr std::size_t kGrownClusters = 4;
/// Ticks of a step, and products for which it takes one more.
constexpr std::size_t kTicksOfStep = 50;
constexpr std::size_t kBlocksOfTick = 16;

/// Sets of classes of wires: bit c - 1 for class c, which is a nonzero vector of three bits.
using ClassSet = std::uint8_t;

/// Wires of independent classes to which those of other classes are added.
struct ClassBasis {
  boost::container::static_vector<std::uint8_t, 3> classes;
  unsigned cnots = 0;  ///< how many add the other classes
};

/// Returns the elements of a basis whose sum is a class: bit i for element i.
std::optional<unsigned> coordinates_in(const ClassBasis& basis, unsigned wanted) {
  for (unsigned some = 0; some < 1U << basis.classes.size(); ++some) {
    unsigned sum = 0;
    for (std::size_t i = 0; i < basis.classes.size(); ++i) {
      if ((some >> i & 1U) != 0) sum ^= basis.classes[i];
    }
    if (sum == wanted) return some;
  }
  return std::nullopt;
}

bool contains(ClassSet set, unsigned element) { return (set >> (element - 1) & 1U) != 0; }

/// Returns the bases of a set of classes that take the fewest CNOTs.
std::vector<ClassBasis> bases_of(ClassSet set) {
  std::vector<ClassBasis> best;
  for (unsigned some = 1; some < 128; ++some) {
    if ((some & set) != some || std::popcount(some) > 3) continue;
    ClassBasis basis;
    bool is_basis = true;
    for (unsigned element = 1; element < 8; ++element) {
      if (!contains(static_cast<ClassSet>(some), element)) continue;
      is_basis = is_basis && !coordinates_in(basis, element);
      basis.classes.push_back(static_cast<std::uint8_t>(element));
    }
    for (unsigned element = 1; is_basis && element < 8; ++element) {
      if (!contains(set, element) || contains(static_cast<ClassSet>(some), element)) continue;
      const auto coordinates = coordinates_in(basis, element);
      is_basis = coordinates.has_value();
      if (is_basis) basis.cnots += static_cast<unsigned>(std::popcount(*coordinates));
    }
    if (!is_basis) continue;
    if (!best.empty() && basis.cnots > best.front().cnots) continue;
    if (!best.empty() && basis.cnots < best.front().cnots) best.clear();
    best.push_back(basis);
  }
  return best;
}

/// The bases of each set of classes.
class ClassBases {
 public:
  ClassBases() {
    for (unsigned set = 1; set < bases_.size(); ++set) {
      bases_.at(set) = bases_of(static_cast<ClassSet>(set));
      cnots_.at(set) = static_cast<std::uint8_t>(bases_.at(set).front().cnots);
    }
  }
  [[nodiscard]] const std::vector<ClassBasis>& of(ClassSet set) const { return bases_.at(set); }
  [[nodiscard]] unsigned cnots(ClassSet set) const { return cnots_[set]; }

 private:
  std::array<std::vector<ClassBasis>, 128> bases_;
  std::array<std::uint8_t, 128> cnots_{};
};

/// What counts in the choice of a sequence besides its CNOTs.
struct ChoiceWeights {
  double other_products = 0.3;  ///< for each CNOT by which another product comes nearer
  /// The last one of the CNOTs that bring another product near counts 1, and each one before it
  /// this factor less.
  double decay = 0.95;
  double linear_map = 0.15;   ///< for each one that is left of the linear map
  double noise = 0.5;         ///< in CNOTs
  bool has_clusters = false;  ///< whether products are carried out in clusters
};

/// The phases of a network, and the blocks of forms that have them.
struct PhaseTable {
  /// Keys of the inputs; that of a parity is the exclusive or of those of its inputs.
  std::vector<std::uint64_t> keys_of_inputs;
  std::unordered_map<std::uint64_t, std::uint32_t> by_key;
  /// For each phase, blocks and the sum of forms of the block that it is: bit i for form i.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint8_t>>> uses;

  [[nodiscard]] std::uint64_t key_of(const LinearForm& form) const {
    std::uint64_t key = 0;
    for (auto i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) {
      key ^= keys_of_inputs[i];
    }
    return key;
  }
};

using Cnots = std::vector<NetworkCnot>;

/// What all runs begin with.
template <std::size_t kWords>
struct SequenceStart {
  std::uint32_t wires = 0;
  std::vector<FormBlock<kWords>> blocks;
  std::vector<std::uint8_t> wanted;  ///< for each block, its sums of forms: bit s - 1 for sum s
  PhaseTable phases;
  MapLeft<kWords> map;
};

template <std::size_t kWords>
class StartBuilder {
 public:
  StartBuilder(const ProductNetwork& network, const ParityPhases& phases, FastRandom& random)
      : start_{static_cast<std::uint32_t>(network.wires),
               {},
               {},
               {},
               MapLeft<kWords>(network.outputs)} {
    for (std::size_t i = 0; i < network.wires; ++i) {
      start_.phases.keys_of_inputs.push_back(random());
    }
    for (const auto& [form, eighths] : phases) {
      start_.phases.by_key.emplace(start_.phases.key_of(form),
                                   static_cast<std::uint32_t>(start_.phases.by_key.size()));
    }
    start_.phases.uses.resize(start_.phases.by_key.size());
    for (const Product& product : network.products) add(product.forms);
    const LinearForm zero(network.wires);
    for (const auto& [form, eighths] : phases) {
      if (start_.phases.uses[start_.phases.by_key.at(start_.phases.key_of(form))].empty()) {
        add({form, zero, zero});
      }
    }
  }
  [[nodiscard]] SequenceStart<kWords> take() { return std::move(start_); }

 private:
  void add(const std::array<LinearForm, 3>& forms) {
    const auto number = static_cast<std::uint32_t>(start_.blocks.size());
    FormBlock<kWords> block;
    for (std::size_t i = 0; i < forms.size(); ++i) block.forms[i] = wire_bits<kWords>(forms[i]);
    std::uint8_t wanted = 0;
    for (unsigned sum = 1; sum < 8; ++sum) {
      std::uint64_t key = 0;
      for (std::size_t i = 0; i < forms.size(); ++i) {
        if ((sum >> i & 1U) != 0) key ^= start_.phases.key_of(forms[i]);
      }
      const auto phase = start_.phases.by_key.find(key);
      if (phase == start_.phases.by_key.end()) continue;
      auto& uses = start_.phases.uses[phase->second];
      if (!uses.empty() && uses.back().first == number) continue;
      uses.emplace_back(number, static_cast<std::uint8_t>(sum));
      wanted = static_cast<std::uint8_t>(wanted | 1U << (sum - 1));
    }
    start_.blocks.push_back(block);
    start_.wanted.push_back(wanted);
  }

  SequenceStart<kWords> start_;
};

/// Makes CNOTs, chosen at random, that bring the forms of a block to few wires and visit their
/// sums.
class SequenceMaker {
 public:
  /// `restores` says whether the three wires of a product are always restored.
  SequenceMaker(const ClassBases& bases, TripleWalks& walks, bool restores, FastRandom& random)
      : bases_(bases), walks_(walks), restores_(restores), random_(random) {}

  /// Returns CNOTs that visit the wanted sums of the forms of a block. They are valid until the
  /// next call.
  template <std::size_t kWords>
  [[nodiscard]] const Cnots& make(const FormBlock<kWords>& block, std::uint8_t wanted) {
    sequence_.clear();
    const ClassSet classes = sort_wires(block);
    // One wire of each class gets all others of the class added.
    for (std::vector<std::uint32_t>& wires : by_class_) {
      if (wires.empty()) continue;
      std::swap(wires[random_.below(static_cast<std::uint32_t>(wires.size()))], wires.back());
      for (std::size_t i = 0; i + 1 < wires.size(); ++i) {
        sequence_.push_back({wires[i], wires.back()});
      }
    }
    const std::vector<ClassBasis>& bases = bases_.of(classes);
    const ClassBasis& basis = bases[random_.below(static_cast<std::uint32_t>(bases.size()))];
    append_other_classes(classes, basis);
    // Two wires have the sum of dependent forms after one CNOT.
    if (basis.classes.size() == 2) {
      sequence_.push_back({wire_of(basis.classes[0]), wire_of(basis.classes[1])});
    }
    if (basis.classes.size() == 3) append_walk(wanted, basis);
    return sequence_;
  }

 private:
  [[nodiscard]] std::uint32_t wire_of(unsigned element) const {
    return by_class_.at(element).back();
  }
  /// Sorts the wires of a block by their classes, and returns the classes.
  template <std::size_t kWords>
  [[nodiscard]] ClassSet sort_wires(const FormBlock<kWords>& block) {
    for (auto& wires : by_class_) wires.clear();
    unsigned classes = 0;
    for (std::size_t word = 0; word < kWords; ++word) {
      std::uint64_t bits = block.forms[0][word] | block.forms[1][word] | block.forms[2][word];
      for (; bits != 0; bits &= bits - 1) {
        const auto wire = static_cast<std::uint32_t>(64 * word) +
                          static_cast<std::uint32_t>(__builtin_ctzll(bits));
        const unsigned element = block.class_of(wire);
        by_class_.at(element).push_back(wire);
        classes |= 1U << (element - 1);
      }
    }
    return static_cast<ClassSet>(classes);
  }
  /// Adds the wires of classes outside a basis to those of the basis.
  void append_other_classes(ClassSet classes, const ClassBasis& basis) {
    for (unsigned element = 1; element < by_class_.size(); ++element) {
      if (!contains(classes, element) ||
          std::ranges::find(basis.classes, element) != basis.classes.end()) {
        continue;
      }
      const unsigned coordinates = coordinates_in(basis, element).value_or(0);
      for (std::size_t i = 0; i < basis.classes.size(); ++i) {
        if ((coordinates >> i & 1U) == 0) continue;
        sequence_.push_back({wire_of(element), wire_of(basis.classes[i])});
      }
    }
  }
  /// Appends a walk on the three wires of a basis that visits the wanted sums of forms.
  void append_walk(std::uint8_t wanted, ClassBasis basis) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      std::swap(basis.classes[i], basis.classes[i + random_.below(3 - i)]);
    }
    unsigned goal = 0;
    for (unsigned sum = 1; sum < 8; ++sum) {
      if (!contains(wanted, sum)) continue;
      unsigned parity = 0;  // as a set of wires of the basis
      for (unsigned i = 0; i < 3; ++i) {
        parity |= (static_cast<unsigned>(std::popcount(sum & basis.classes[i])) & 1U) << i;
      }
      goal |= 1U << (parity - 1);
    }
    for (const TripleCnot& cnot : walk_visiting(static_cast<TripleParities>(goal))) {
      sequence_.push_back(
          {wire_of(basis.classes[cnot.control]), wire_of(basis.classes[cnot.target])});
    }
  }

  [[nodiscard]] const TripleWalk& walk_visiting(TripleParities parities) {
    // Restored wires keep the forms of other products apart.
    if (restores_ || random_.below(4) != 0) return walks_.restoring(parities);
    const std::vector<TripleWalk>& walks = walks_.visiting(parities);
    // The shorter ones are first, and chosen more often.
    const double where = random_.unit();
    return walks[static_cast<std::size_t>(where * where * static_cast<double>(walks.size()))];
  }

  const ClassBases& bases_;
  TripleWalks& walks_;
  bool restores_;
  FastRandom& random_;
  std::array<std::vector<std::uint32_t>, 8> by_class_;
  Cnots sequence_;
};

/// How much distances count in the choice of a sequence.
class Potential {
 public:
  explicit Potential(double decay) : decay_(decay) {}
  [[nodiscard]] double of(int distance) {
    while (values_.size() <= static_cast<std::size_t>(distance)) {
      values_.push_back(values_.back() + step_);
      step_ *= decay_;
    }
    return values_[static_cast<std::size_t>(distance)];
  }

 private:
  double decay_;
  double step_ = 1;
  std::vector<double> values_{0};
};

template <std::size_t kWords>
class SequenceRun {
 public:
  SequenceRun(const SequenceStart<kWords>& start, const ClassBases& bases, TripleWalks& walks,
              const ChoiceWeights& weights, FastRandom& random)
      : start_(start),
        bases_(bases),
        maker_(bases, walks, weights.has_clusters, random),
        weights_(weights),
        random_(random),
        potential_(weights.decay),
        blocks_(start.blocks),
        wanted_(start.wanted),
        is_done_(start.phases.uses.size(), false),
        keys_(start.phases.keys_of_inputs),
        map_(start.map) {
    for (std::uint32_t wire = 0; wire < start_.wires; ++wire) visit(keys_[wire]);
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (wanted_[block] != 0) alive_.push_back(block);
    }
  }

  /// Returns the CNOTs of the network unless they are no fewer than a limit.
  [[nodiscard]] std::optional<Cnots> run(std::size_t limit, const Budget& budget) {
    while (!alive_.empty()) {
      if (cnots_.size() >= limit || budget.spent()) return std::nullopt;
      budget.spend(kTicksOfStep + alive_.size() / kBlocksOfTick);
      if (weights_.has_clusters) narrow(budget);
      for (const NetworkCnot& cnot : best_sequence()) append(cnot);
      std::erase_if(alive_, [&](std::uint32_t block) { return wanted_[block] == 0; });
    }
    if (!map_.is_identity()) {
      if (cnots_.size() >= limit) return std::nullopt;
      const Cnots last = cnots_of_linear_map(map_.rows());
      cnots_.insert(cnots_.end(), last.begin(), last.end());
    }
    if (cnots_.size() >= limit) return std::nullopt;
    return std::move(cnots_);
  }

 private:
  /// A block and how many CNOTs bring it to as few wires as it has forms.
  struct Near {
    double distance = 0;  ///< with noise
    int cnots = 0;
    std::uint32_t block = 0;
  };

  void visit(std::uint64_t key) {
    const auto phase = start_.phases.by_key.find(key);
    if (phase == start_.phases.by_key.end() || is_done_[phase->second]) return;
    is_done_[phase->second] = true;
    for (const auto& [block, sum] : start_.phases.uses[phase->second]) {
      wanted_[block] = static_cast<std::uint8_t>(wanted_[block] & ~(1U << (sum - 1U)));
    }
  }
  void append(NetworkCnot cnot) {
    cnots_.push_back(cnot);
    keys_[cnot.target] ^= keys_[cnot.control];
    for (const std::uint32_t block : alive_) blocks_[block].append(cnot);
    map_.append(cnot);
    visit(keys_[cnot.target]);
  }

  /// Grows smaller clusters until one has few products, and brings the forms of each to as few
  /// wires as they span dimensions.
  void narrow(const Budget& budget) {
    for (std::vector<std::uint32_t>& cluster : clusters_) {
      std::erase_if(cluster, [&](std::uint32_t block) { return wanted_[block] == 0; });
    }
    while (!clusters_.empty() && clusters_.back().empty()) clusters_.pop_back();
    while (focus().size() > kMaxProductsOfCluster && !budget.spent()) {
      const std::vector<std::uint32_t>& blocks = focus();
      budget.spend(blocks.size() * blocks.size() / kBlocksOfTick);
      std::vector<std::uint32_t> cluster = cluster_of(blocks);
      if (cluster.size() == blocks.size()) return;
      SpanReduction<kWords> reduction(copies_of(cluster), start_.wires, random_);
      while (const auto cnot = reduction.next(map_)) append(*cnot);
      clusters_.push_back(std::move(cluster));
    }
  }
  /// Returns the blocks of the smallest cluster, or all.
  [[nodiscard]] const std::vector<std::uint32_t>& focus() const {
    return clusters_.empty() ? alive_ : clusters_.back();
  }
  [[nodiscard]] std::vector<FormBlock<kWords>> copies_of(
      const std::vector<std::uint32_t>& blocks) const {
    std::vector<FormBlock<kWords>> copies;
    for (const std::uint32_t block : blocks) copies.push_back(blocks_[block]);
    return copies;
  }
  /// Returns a cluster of some blocks: of several that contain a near block, the one whose forms
  /// span the fewest dimensions.
  [[nodiscard]] std::vector<std::uint32_t> cluster_of(const std::vector<std::uint32_t>& blocks) {
    const std::vector<FormBlock<kWords>> copies = copies_of(blocks);
    BlockCluster best;
    for (std::size_t i = 0; i < kGrownClusters; ++i) {
      BlockCluster cluster =
          ClusterGrowth<kWords>(copies, random_)
              .grow(near_block(copies), kMaxProductsOfCluster / 2, blocks.size() / 2);
      if (i == 0 || cluster.dimensions < best.dimensions) best = std::move(cluster);
    }
    for (std::uint32_t& member : best.members) member = blocks[member];
    return std::move(best.members);
  }
  /// Returns the index of one of the nearest blocks.
  [[nodiscard]] std::uint32_t near_block(const std::vector<FormBlock<kWords>>& blocks) {
    std::uint32_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
      const double cnots = distance(blocks[i]) + weights_.noise * random_.unit();
      if (cnots >= least) continue;
      least = cnots;
      nearest = i;
    }
    return nearest;
  }

  [[nodiscard]] int distance(const FormBlock<kWords>& block) const {
    int wires = 0;
    std::array<std::uint64_t, 8> found{};
    for (std::size_t word = 0; word < kWords; ++word) {
      const std::uint64_t f = block.forms[0][word];
      const std::uint64_t g = block.forms[1][word];
      const std::uint64_t h = block.forms[2][word];
      wires += __builtin_popcountll(f | g | h);
      found[1] |= f & ~g & ~h;
      found[2] |= ~f & g & ~h;
      found[3] |= f & g & ~h;
      found[4] |= ~f & ~g & h;
      found[5] |= f & ~g & h;
      found[6] |= ~f & g & h;
      found[7] |= f & g & h;
    }
    unsigned classes = 0;
    int count = 0;
    for (unsigned element = 1; element < 8; ++element) {
      if (found[element] == 0) continue;
      classes |= 1U << (element - 1);
      ++count;
    }
    return wires - count + static_cast<int>(bases_.cnots(static_cast<ClassSet>(classes)));
  }

  /// Finds the nearest blocks, the nearest ones first.
  void find_near() {
    near_.clear();
    for (const std::uint32_t block : focus()) {
      const int cnots = distance(blocks_[block]);
      near_.push_back({cnots + weights_.noise * random_.unit(), cnots, block});
    }
    const std::size_t count = std::min(near_.size(), kNearBlocks);
    std::ranges::partial_sort(near_, near_.begin() + static_cast<std::ptrdiff_t>(count), {},
                              &Near::distance);
    near_.resize(count);
  }

  [[nodiscard]] Cnots best_sequence() {
    find_near();
    Cnots best;
    double best_score = std::numeric_limits<double>::infinity();
    const std::size_t tried = std::min(near_.size(), kTriedBlocks);
    for (std::size_t i = 0; i < tried; ++i) {
      for (std::size_t j = 0; j < kTriedSequences; ++j) {
        const std::uint32_t block = near_[i].block;
        const Cnots& sequence = maker_.make(blocks_[block], wanted_[block]);
        const double score = score_of(sequence, i);
        if (score >= best_score) continue;
        best_score = score;
        best = sequence;
      }
    }
    return best;
  }

  /// Returns what the sequence for a near block costs, less what it gains.
  [[nodiscard]] double score_of(const Cnots& sequence, std::size_t chosen) {
    double change = 0;
    for (std::size_t i = 0; i < near_.size(); ++i) {
      if (i == chosen) {
        change -= potential_.of(near_[i].cnots);
        continue;
      }
      FormBlock<kWords> block = blocks_[near_[i].block];
      for (const NetworkCnot& cnot : sequence) block.append(cnot);
      change += potential_.of(distance(block)) - potential_.of(near_[i].cnots);
    }
    const int before = map_.weight();
    for (const NetworkCnot& cnot : sequence) map_.append(cnot);
    const int map_change = map_.weight() - before;
    for (auto cnot = sequence.rbegin(); cnot != sequence.rend(); ++cnot) map_.append(*cnot);
    return static_cast<double>(sequence.size()) + weights_.other_products * change +
           weights_.linear_map * map_change + weights_.noise * random_.unit();
  }

  const SequenceStart<kWords>& start_;
  const ClassBases& bases_;
  SequenceMaker maker_;
  ChoiceWeights weights_;
  FastRandom& random_;
  Potential potential_;
  std::vector<FormBlock<kWords>> blocks_;
  std::vector<std::uint8_t> wanted_;
  std::vector<bool> is_done_;        ///< for each phase
  std::vector<std::uint64_t> keys_;  ///< the keys of the parities that the wires carry
  MapLeft<kWords> map_;
  std::vector<std::uint32_t> alive_;  ///< blocks with parities that were not visited
  std::vector<std::vector<std::uint32_t>>
      clusters_;  ///< sets of blocks, each contained in the one before it
  Cnots cnots_;
  std::vector<Near> near_;
};

double varied(double value, double spread, FastRandom& random) {
  return value * std::exp(spread * (2 * random.unit() - 1));
}

/// Returns the weights of the next run: those of the best one with small changes, or others.
ChoiceWeights next_weights(const ChoiceWeights& best, FastRandom& random) {
  const bool is_near = random.below(4) != 0;
  const ChoiceWeights& from = is_near ? best : ChoiceWeights{};
  const double spread = is_near ? 0.2 : 2;
  return {varied(from.other_products, spread, random),
          std::min(1.0, varied(from.decay, spread / 4, random)),
          varied(from.linear_map, spread, random), varied(from.noise, spread, random),
          best.has_clusters};
}

template <std::size_t kWords>
std::optional<Cnots> best_of_runs(const ProductNetwork& network, const ParityPhases& phases,
                                  const Budget& budget, FastRandom& random) {
  const SequenceStart<kWords> start = StartBuilder<kWords>(network, phases, random).take();
  const ClassBases bases;
  TripleWalks walks;
  ChoiceWeights best_weights;
  const std::size_t products = network.products.size();
  best_weights.has_clusters =
      products >= kLeastProductsForClusters && products <= kMostProductsForClusters;
  std::optional<Cnots> best = SequenceRun<kWords>(start, bases, walks, best_weights, random)
                                  .run(std::numeric_limits<std::size_t>::max(), budget);
  std::size_t run = 1;
  for (std::size_t idle = 0; best && idle < kMaxIdleRuns && !budget.spent(); ++idle, ++run) {
    ChoiceWeights weights = next_weights(best_weights, random);
    // Clusters do not suit all networks.
    if (run == 1 && best_weights.has_clusters) weights.has_clusters = false;
    if (std::optional<Cnots> cnots =
            SequenceRun<kWords>(start, bases, walks, weights, random).run(best->size(), budget)) {
      best = std::move(cnots);
      best_weights = weights;
      idle = 0;
    }
  }
  return best;
}

}  // namespace

std::optional<Cnots> synthesize_in_sequence(const ProductNetwork& network,
                                            const ParityPhases& phases, const Budget& budget,
                                            FastRandom& random) {
  ensure(network.wires <= kMaxWiresInSequence, "a network has too many wires for a sequence");
  if (network.wires <= 64) return best_of_runs<1>(network, phases, budget, random);
  if (network.wires <= 128) return best_of_runs<2>(network, phases, budget, random);
  if (network.wires <= 256) return best_of_runs<4>(network, phases, budget, random);
  if (network.wires <= 512) return best_of_runs<8>(network, phases, budget, random);
  return best_of_runs<16>(network, phases, budget, random);
}

}  // namespace quartz::optimizer
