#pragma once

#include <cstddef>
#include <cstdint>

// The code of a chain is compiled for the host and, by nvcc, for the device. There, only functions
// that are part of their callers leave their arrays and the chain itself in registers.
#ifdef __CUDACC__
#define QUARTZ_PARITY_FUNCTION __host__ __device__ __forceinline__
#else
#define QUARTZ_PARITY_FUNCTION inline
#endif

namespace quartz::parity_chains {

/// Most dimensions of the points: the hashes of as many unit vectors, of 63 bits each, are unlikely
/// to depend on each other by accident.
inline constexpr std::uint32_t kMaxDimension = 49;
/// Most points of a chain.
inline constexpr std::uint32_t kMaxPoints = 640;
/// Candidates for vectors that are tested at once: one for each thread of a block.
inline constexpr std::uint32_t kBatch = 256;
/// Groups of lanes that look at candidates by themselves: the warps of a block.
inline constexpr std::uint32_t kGroups = 8;
/// Most selections of which a candidate's sums are formed: each lane of a group takes a sum.
inline constexpr std::uint32_t kMaxBasis = 5;
/// Most selections whose squares have the sum zero that a chain uses.
inline constexpr std::uint32_t kMaxRelations = 2;
/// Pairs of points with the same difference that are looked at.
inline constexpr std::uint32_t kMaxPairs = 32;
/// Slots of the hash table from points to their places.
inline constexpr std::uint32_t kSlots = 2048;
/// Tables that a chain remembers because no shift changes them.
inline constexpr std::uint32_t kDeadEnds = 32;

/// What all chains of a walk have in common.
struct ChainShape {
  std::uint32_t
      dimension;  ///< bits of the points, at most kMaxDimension; the last bit is always set
  std::uint32_t capacity;  ///< points that a table may have while it is changed
  bool is_pure;            ///< whether the squares of the parities have the sum zero
};

/// A table of points, as in optimize/rank_reduction/point_table.hpp, in any order.
struct ChainTable {
  std::uint32_t size;
  std::uint64_t points[kMaxPoints];  // NOLINT: an array of the device
};

/// What a chain keeps between two runs, besides its table.
struct ChainState {
  std::uint64_t random;      ///< state of the generator
  std::uint64_t candidates;  ///< vectors that were tested so far
  std::uint32_t walks;       ///< made so far; the first one adds no spaces
  std::uint32_t dead_ends_seen;
  std::uint64_t dead_ends[kDeadEnds];  // NOLINT: an array of the device
};

/// The words for the entries of a symmetric matrix, and for a selection of points.
QUARTZ_PARITY_FUNCTION std::uint32_t entries_of(const ChainShape& shape) {
  return shape.dimension * (shape.dimension + 1) / 2;
}
QUARTZ_PARITY_FUNCTION std::uint32_t entry_words_of(const ChainShape& shape) {
  return (entries_of(shape) + 63) / 64;
}
QUARTZ_PARITY_FUNCTION std::uint32_t selection_words_of(const ChainShape& shape) {
  return (shape.capacity + 63) / 64;
}

/// Where a group of lanes looks at a candidate, in shared memory as well.
struct GroupMemory {
  std::uint64_t* system;   ///< hashes of the matrices of the candidate
  std::uint64_t* sums;     ///< the unit vectors that rows of the system are made of
  std::uint64_t* matrix;   ///< the entries of a matrix, and a selection
  std::uint64_t* basis;    ///< kMaxBasis selections
  std::uint64_t* best;     ///< the selection of the best shift of this group
  std::uint32_t* pairs;    ///< places of points whose partner is before them
  std::uint32_t* numbers;  ///< a result of the leader
};

/// The best shift that a group has found in a batch.
struct GroupShift {
  std::uint64_t vector;
  std::int32_t gain;    ///< negative if there is none
  std::uint32_t index;  ///< number of the candidate in the batch
};

/// The memory in which a chain works, in the shared memory of a block: about 120 KB for 450 points
/// of 49 dimensions.
struct ChainMemory {
  std::uint64_t* points;
  std::uint64_t* rows;       ///< for each point the entries of a matrix, and a selection
  std::uint64_t* hashes;     ///< hashes of the entries
  std::uint64_t* relations;  ///< kMaxRelations selections
  std::uint64_t* chosen;     ///< the selection of the best shift
  std::uint64_t* flat;       ///< the 16 points of a space
  GroupShift* shifts;        ///< what each group has found
  std::uint32_t* slots;      ///< a hash table: places of points plus one
  std::uint32_t* flags;      ///< which candidates of a batch are looked at, as bits
  std::uint32_t* nullities;  ///< for each candidate of a batch
  std::uint32_t* flagged;    ///< the candidates with a flag
  std::uint32_t* partners;   ///< for each point the place of its sum with a vector
  std::uint32_t* row_at;     ///< for each entry the row of which it is the pivot
  GroupMemory first_group;
  std::size_t group_words;  ///< from the memory of a group to that of the next one

  /// Returns the bytes that a shape needs, and places the arrays from an address on.
  QUARTZ_PARITY_FUNCTION std::size_t place(std::uint64_t* memory, const ChainShape& shape) {
    const std::uint32_t selection = selection_words_of(shape);
    const std::uint32_t width = entry_words_of(shape) + selection;
    std::uint64_t* next = memory;
    const auto words = [&](std::size_t count) {
      std::uint64_t* const begin = next;
      next += count;
      return begin;
    };
    const auto numbers = [&](std::size_t count) {
      return reinterpret_cast<std::uint32_t*>(words((count + 1) / 2));
    };
    points = words(shape.capacity);
    rows = words(static_cast<std::size_t>(shape.capacity) * width);
    hashes = words(entries_of(shape));
    relations = words(static_cast<std::size_t>(kMaxRelations) * selection);
    chosen = words(selection);
    flat = words(16);
    shifts = reinterpret_cast<GroupShift*>(words(2 * kGroups));
    slots = numbers(kSlots);
    flags = numbers(kBatch / 32);
    nullities = numbers(kBatch);
    flagged = numbers(kBatch);
    partners = numbers(shape.capacity);
    row_at = numbers(entries_of(shape));
    const std::uint64_t* const groups = next;
    first_group.system = words(shape.dimension);
    first_group.sums = words(shape.dimension);
    first_group.matrix = words(width);
    first_group.basis = words(static_cast<std::size_t>(kMaxBasis) * selection);
    first_group.best = words(selection);
    first_group.pairs = numbers(kMaxPairs);
    first_group.numbers = numbers(1);
    group_words = static_cast<std::size_t>(next - groups);
    next += (kGroups - 1) * group_words;
    return static_cast<std::size_t>(next - memory) * sizeof(std::uint64_t);
  }

  [[nodiscard]] QUARTZ_PARITY_FUNCTION GroupMemory group(std::uint32_t number) const {
    const std::size_t words = number * group_words;
    return {first_group.system + words,     first_group.sums + words, first_group.matrix + words,
            first_group.basis + words,      first_group.best + words, first_group.pairs + 2 * words,
            first_group.numbers + 2 * words};
  }
};

/// Returns the bytes of a chain's memory.
QUARTZ_PARITY_FUNCTION std::size_t memory_of(const ChainShape& shape) {
  ChainMemory memory{};
  return memory.place(nullptr, shape);
}
/// Returns the words of the hashes of all products of a point with a unit vector, which are outside
/// of the shared memory. One more place is for the origin.
QUARTZ_PARITY_FUNCTION std::size_t product_hashes_of(const ChainShape& shape) {
  return static_cast<std::size_t>(shape.dimension) * (shape.capacity + 1);
}

}  // namespace quartz::parity_chains
