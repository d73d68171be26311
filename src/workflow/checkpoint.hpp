#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "circuit/history.hpp"
#include "journal/history_file.hpp"
#include "quartz/base/file_lock.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::workflow {

/// What a checkpoint belongs to. A search with other values cannot continue it.
struct CheckpointSubject {
  std::string input;      ///< digest of the input, as OpenQASM
  std::string gate_set;   ///< digest of the gate set
  std::string cost;       ///< names of the objectives
  std::string exactness;  ///< name
  std::string barriers;   ///< name; says why the input differs, and makes no difference itself
  friend bool operator==(const CheckpointSubject&, const CheckpointSubject&) = default;
};

/// The state of a search that is kept.
struct SearchProgress {
  Circuit circuit;       ///< the best circuit so far, in the gate set
  bool numeric = false;  ///< OptimizeResult::numeric
  double seconds = 0;    ///< time spent so far
  /// How the circuit was derived from the input as it was read; null if that is not recorded.
  circuit::HistoryPointer history = {};
};

/// The best circuit of a search, kept in a folder so that another process can continue the search
/// (docs/formats/checkpoint.md). One process at a time may have it. Whenever the process is killed,
/// the folder has the last complete state. Thread-safe.
class Checkpoint {
 public:
  /// Opens the checkpoint in a folder, which is created if needed, and locks it; its circuits may
  /// have the custom gates. Throws UsageError if the folder has a checkpoint and `resume` is not
  /// set, or if another process has it; InputError if the checkpoint is damaged or does not belong
  /// to the subject, or the folder is not writable.
  Checkpoint(const std::filesystem::path& folder, CheckpointSubject subject, bool resume,
             const CustomGates& custom_gates = {});

  /// Returns the state that was kept before, or nothing.
  [[nodiscard]] const std::optional<SearchProgress>& found() const { return found_; }
  /// Keeps a state in place of the one before. Throws InputError if that is not possible.
  void keep(const SearchProgress& progress);
  /// Keeps the time spent so far with the state, unless it was kept less than a second before.
  void keep_seconds(double seconds);
  /// Returns the file of the circuit that was found, as messages call it.
  [[nodiscard]] std::string circuit_name() const { return (folder_ / files_.circuit).string(); }

 private:
  /// The files of a state.
  struct Files {
    std::string circuit;
    std::string circuit_digest;
    std::string history;  ///< empty if the index names none
    journal::StoredHistory stored;
  };

  [[nodiscard]] std::filesystem::path index() const { return folder_ / "checkpoint.json"; }
  /// Creates the folder and locks it.
  [[nodiscard]] static FileLock locked(const std::filesystem::path& folder);
  void read(const CustomGates& custom_gates);
  void write_index();
  /// Removes the files of earlier states.
  void remove_others() const;

  std::filesystem::path folder_;
  CheckpointSubject subject_;
  FileLock lock_;
  std::optional<SearchProgress> found_;
  std::mutex mutex_;
  std::uint64_t number_ = 0;  ///< number of the state
  Files files_;
  bool numeric_ = false;
  double seconds_ = 0;
  std::unique_ptr<journal::HistoryFile> histories_;
  std::string history_file_;
};

}  // namespace quartz::workflow
