#include "certify/order/tracks.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "circuit/kept_statement.hpp"

namespace quartz::certify {
namespace {

constexpr std::size_t kNoTrack = ~std::size_t{0};

/// Follows the qubits of a circuit.
class Tracking {
 public:
  explicit Tracking(std::size_t qubits) : track_of_(qubits), last_(qubits, kNoTrack) {
    std::iota(track_of_.begin(), track_of_.end(), Track{0});
  }

  /// Appends an operation. Returns false if it ends a block that has not begun.
  [[nodiscard]] bool append(const Operation& operation) {
    if (circuit::ends_block(operation) && !leave_block()) return false;
    if (circuit::may_name_qubits(operation)) {
      std::vector<Track> own(track_of_.size());
      std::iota(own.begin(), own.end(), Track{0});
      bring_to(own);
    }
    if (circuit::begins_block(operation)) {
      blocks_.push_back(circuit::begins_loop(operation) ? std::optional(track_of_) : std::nullopt);
    }
    if (circuit::is_kept_statement(operation)) {
      add({&operation, {}});
    } else if (is_gate(operation, GateKind::swap)) {
      exchange(operation.qubits[0], operation.qubits[1]);
    } else if (is_gate(operation, GateKind::cx)) {
      append_cnot(operation);
    } else {
      add({&operation, tracks_of(operation)});
    }
    return true;
  }
  [[nodiscard]] bool is_in_block() const { return !blocks_.empty(); }
  [[nodiscard]] TrackList take() && {
    TrackList list;
    for (Entry& entry : entries_) {
      if (!entry.is_removed) list.operations.push_back(std::move(entry.item));
    }
    list.track_of_qubit = std::move(track_of_);
    return list;
  }

 private:
  struct Entry {
    TrackOperation item;
    /// CNOT: the entries before it on its two tracks.
    std::array<std::size_t, 2> before{kNoTrack, kNoTrack};
    bool is_removed = false;
  };

  /// Returns whether the operation is this gate without a condition.
  static bool is_gate(const Operation& operation, GateKind gate) {
    return operation.kind == OperationKind::gate && operation.gate == gate &&
           operation.classical == nullptr;
  }
  [[nodiscard]] std::vector<Track> tracks_of(const Operation& operation) const {
    std::vector<Track> tracks;
    for (const Qubit qubit : operation.qubits) tracks.push_back(track_of_.at(qubit));
    return tracks;
  }
  void exchange(Qubit a, Qubit b) { std::swap(track_of_.at(a), track_of_.at(b)); }

  void add(TrackOperation item) {
    const bool is_on_all = item.operation == nullptr || item.tracks.empty();
    if (is_on_all) std::ranges::fill(last_, entries_.size());
    for (const Track track : item.tracks) last_[track] = entries_.size();
    entries_.push_back({std::move(item)});
  }
  /// Appends a CNOT, or removes the two before it with which it exchanges its tracks.
  void append_cnot(const Operation& operation) {
    const std::vector<Track> tracks = tracks_of(operation);
    const std::array<std::size_t, 2> before{last_[tracks[0]], last_[tracks[1]]};
    const std::size_t middle = reverse_before(tracks, before);
    const std::size_t first =
        middle == kNoTrack ? kNoTrack
                           : reverse_before(entries_[middle].item.tracks, entries_[middle].before);
    if (first == kNoTrack) {
      add({&operation, tracks});
      entries_.back().before = before;
      return;
    }
    entries_[first].is_removed = true;
    entries_[middle].is_removed = true;
    for (std::size_t i = 0; i < 2; ++i) last_[tracks[i]] = entries_[first].before[i];
    exchange(operation.qubits[0], operation.qubits[1]);
  }
  /// Returns the entry directly before a CNOT on both of its tracks if it is the reverse CNOT.
  [[nodiscard]] std::size_t reverse_before(const std::vector<Track>& tracks,
                                           const std::array<std::size_t, 2>& before) const {
    if (before[0] == kNoTrack || before[0] != before[1]) return kNoTrack;
    const TrackOperation& item = entries_[before[0]].item;
    const bool is_cnot = item.operation != nullptr && is_gate(*item.operation, GateKind::cx);
    return is_cnot && item.tracks[0] == tracks[1] && item.tracks[1] == tracks[0] ? before[0]
                                                                                 : kNoTrack;
  }
  /// Appends the permutation with which each qubit carries the wanted track.
  void bring_to(const std::vector<Track>& wanted) {
    if (track_of_ == wanted) return;
    std::vector<Track> moves(wanted.size());
    for (std::size_t qubit = 0; qubit < wanted.size(); ++qubit) {
      moves[track_of_[qubit]] = wanted[qubit];
    }
    add({nullptr, std::move(moves)});
    track_of_ = wanted;
  }
  [[nodiscard]] bool leave_block() {
    if (blocks_.empty()) return false;
    if (blocks_.back()) bring_to(*blocks_.back());
    blocks_.pop_back();
    return true;
  }

  std::vector<Track> track_of_;  ///< the track that each qubit carries
  std::vector<Entry> entries_;
  std::vector<std::size_t> last_;  ///< the last entry on each track
  /// The tracks of the qubits where each block around the next operation began; nothing for boxes.
  std::vector<std::optional<std::vector<Track>>> blocks_;
};

/// The operations of a list in the order of each track, and of the classical ones in theirs.
class Queues {
 public:
  Queues(const TrackList& list, std::size_t qubits) : list_(list), queues_(qubits + 1) {
    for (std::size_t i = 0; i < list.operations.size(); ++i) {
      for_each_queue(list.operations[i],
                     [&](std::size_t queue) { queues_[queue].places.push_back(i); });
    }
  }

  /// Takes the operation that is next in all queues of this one, if it is the same. Returns whether
  /// it is.
  [[nodiscard]] bool take(const TrackOperation& operation) {
    std::size_t place = kNoTrack;
    bool is_next = true;
    for_each_queue(operation, [&](std::size_t number) {
      const Queue& queue = queues_[number];
      const std::size_t own =
          queue.next < queue.places.size() ? queue.places[queue.next] : kNoTrack;
      is_next = is_next && own != kNoTrack && (place == kNoTrack || place == own);
      place = own;
    });
    if (!is_next || place == kNoTrack || !is_same(list_.operations[place], operation)) return false;
    for_each_queue(operation, [&](std::size_t number) { ++queues_[number].next; });
    return true;
  }

 private:
  struct Queue {
    std::vector<std::size_t> places;
    std::size_t next = 0;
  };

  template <typename Visit>
  void for_each_queue(const TrackOperation& each, const Visit& visit) const {
    const bool is_on_all = each.operation == nullptr || each.tracks.empty();
    const std::size_t classical = queues_.size() - 1;
    for (std::size_t track = 0; is_on_all && track < classical; ++track) visit(track);
    for (std::size_t i = 0; !is_on_all && i < each.tracks.size(); ++i) visit(each.tracks[i]);
    if (is_on_all || each.operation->classical != nullptr) visit(classical);
  }
  static bool is_same(const TrackOperation& a, const TrackOperation& b) {
    if (a.tracks != b.tracks || (a.operation == nullptr) != (b.operation == nullptr)) return false;
    if (a.operation == nullptr) return true;
    const Operation& one = *a.operation;
    const Operation& two = *b.operation;
    const bool is_same_part = one.classical == nullptr || two.classical == nullptr
                                  ? one.classical == two.classical
                                  : *one.classical == *two.classical;
    return is_same_part && one.kind == two.kind && one.gate == two.gate &&
           one.angles == two.angles && one.qubits.size() == two.qubits.size();
  }

  const TrackList& list_;
  std::vector<Queue> queues_;  ///< one for each track, and one for what is classical
};

}  // namespace

std::variant<TrackList, Fault> list_on_tracks(const Circuit& circuit) {
  Tracking tracking(circuit.qubit_count());
  for (const Operation& operation : circuit.operations) {
    if (!tracking.append(operation)) return "a block ends that has not begun";
  }
  if (tracking.is_in_block()) return "a block does not end";
  return std::move(tracking).take();
}

bool have_same_operations(const TrackList& left, const TrackList& right, std::size_t qubits) {
  if (left.operations.size() != right.operations.size()) return false;
  Queues queues(left, qubits);
  return std::ranges::all_of(right.operations,
                             [&](const TrackOperation& each) { return queues.take(each); });
}

}  // namespace quartz::certify
