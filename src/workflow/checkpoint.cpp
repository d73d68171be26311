#include "workflow/checkpoint.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::workflow {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "quartz checkpoint 1";
/// Least time between two writes that only update the time spent.
constexpr double kBetweenTimes = 1;

Json to_json(const CheckpointSubject& subject) {
  return {{"input", subject.input},
          {"gate_set", subject.gate_set},
          {"cost", subject.cost},
          {"exactness", subject.exactness},
          {"barriers", subject.barriers}};
}

/// Fails because the input differs. Barriers that are ignored are not in it.
[[noreturn]] void fail_for_input(const Json& kept, const CheckpointSubject& subject,
                                 const std::string& name) {
  const std::string barriers = kept.value("barriers", subject.barriers);
  if (barriers != subject.barriers) {
    throw InputError({name}, fmt::format("it belongs to a search with --barriers {}, not {}: "
                                         "continue it with that value, or name another folder",
                                         barriers, subject.barriers));
  }
  throw InputError({name}, fmt::format("it belongs to a search with another input ({}, not {})",
                                       kept.at("input").get<std::string>(), subject.input));
}

/// Throws InputError, naming the first difference, unless the checkpoint belongs to the subject.
void require_same(const Json& kept, const CheckpointSubject& subject, const std::string& name) {
  const Json wanted = to_json(subject);
  for (const auto& [key, value] : wanted.items()) {
    if (key == "barriers" || kept.at(key) == value) continue;
    if (key == "input") fail_for_input(kept, subject, name);
    throw InputError(
        {name}, fmt::format("it belongs to a search with another {} ({}, not {})",
                            key == "gate_set" ? "gate set" : key, kept.at(key).get<std::string>(),
                            value.get<std::string>()));
  }
}

/// Returns a number of the index. Throws InputError unless it is a whole number from 0 on.
std::uint64_t count_of(const Json& json, const std::string& key, const std::string& name) {
  const Json& value = json.at(key);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  throw InputError(
      {name}, fmt::format("its {} is {}, expected a whole number from 0 on", key, value.dump()));
}

/// Returns the time spent. Throws InputError unless it is a time.
double seconds_of(const Json& json, const std::string& name) {
  const Json& value = json.at("seconds");
  if (value.is_number() && value.get<double>() >= 0 && std::isfinite(value.get<double>())) {
    return value.get<double>();
  }
  throw InputError(
      {name},
      fmt::format("the time spent is {}, expected a number of seconds from 0 on", value.dump()));
}

/// Returns the name of a file in the folder. Throws InputError for a path that leaves it.
std::string file_name(const Json& json, const std::string& name) {
  std::string file = json.get<std::string>();
  if (file.empty() || std::filesystem::path(file).filename() != file) {
    throw InputError({name}, fmt::format("'{}' is not the name of a file of a checkpoint", file));
  }
  return file;
}

}  // namespace

FileLock Checkpoint::locked(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    throw InputError({folder.string()}, "cannot create the folder: " + failed.message());
  }
  std::optional<FileLock> lock = FileLock::try_lock(folder / "checkpoint");
  if (!lock) {
    throw UsageError(fmt::format("{}: another process has this checkpoint", folder.string()));
  }
  return *std::move(lock);
}

Checkpoint::Checkpoint(const std::filesystem::path& folder, CheckpointSubject subject, bool resume,
                       const CustomGates& custom_gates)
    : folder_(folder), subject_(std::move(subject)), lock_(locked(folder)) {
  if (!std::filesystem::exists(index())) return;
  if (!resume) {
    throw UsageError(fmt::format(
        "{}: the folder has a checkpoint; continue it with --resume, or name another folder",
        folder_.string()));
  }
  const std::string name = index().string();
  try {
    read(custom_gates);
  } catch (const nlohmann::json::exception& error) {
    throw InputError({name}, std::string("it is not a complete checkpoint: ") + error.what());
  }
}

void Checkpoint::read(const CustomGates& custom_gates) {
  const std::string name = index().string();
  Json json = Json::parse(read_text_file(index()));
  const std::string digest = json.at("digest").get<std::string>();
  json.erase("digest");
  if (digest_of(json.dump()) != digest) throw InputError({name}, "it is damaged: wrong digest");
  if (json.at("format") != kFormat) {
    throw InputError({name}, fmt::format("its format is {}, expected \"{}\"",
                                         json.at("format").dump(), kFormat));
  }
  require_same(json.at("subject"), subject_, name);
  number_ = count_of(json, "state", name);
  seconds_ = seconds_of(json, name);
  numeric_ = json.at("numeric").get<bool>();
  files_.circuit = file_name(json.at("circuit").at("file"), name);
  files_.circuit_digest = json.at("circuit").at("digest").get<std::string>();
  const std::filesystem::path circuit = folder_ / files_.circuit;
  const std::string text = read_text_file(circuit, {.max_bytes = file_limit::circuit});
  if (digest_of(text) != files_.circuit_digest) {
    throw InputError({circuit.string()}, "it is damaged: its digest is not that of the checkpoint");
  }
  found_ = SearchProgress{
      parse_qasm(text, circuit.string(), IncludePath(), {}, custom_gates), numeric_, seconds_, {}};
  if (json.at("history").is_null()) return;
  files_.history = file_name(json.at("history").at("file"), name);
  files_.stored = {count_of(json.at("history"), "bytes", name),
                   count_of(json.at("history"), "node", name)};
  found_->history = journal::read_history(folder_ / files_.history, files_.stored, custom_gates);
}

void Checkpoint::keep(const SearchProgress& progress) {
  const std::lock_guard lock(mutex_);
  ++number_;
  Files files;
  files.circuit = fmt::format("best-{}.qasm", number_);
  const std::string text = write_qasm(progress.circuit);
  files.circuit_digest = digest_of(text);
  write_text_file(folder_ / files.circuit, text);
  if (histories_ == nullptr) {
    history_file_ = fmt::format("history-{}", number_);
    histories_ = std::make_unique<journal::HistoryFile>(folder_ / history_file_);
  }
  files.history = history_file_;
  files.stored = histories_->append(progress.history);
  files_ = std::move(files);
  numeric_ = progress.numeric;
  seconds_ = progress.seconds;
  write_index();
  remove_others();
}

void Checkpoint::keep_seconds(double seconds) {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || seconds < seconds_ + kBetweenTimes || files_.circuit.empty()) return;
  seconds_ = seconds;
  write_index();
}

void Checkpoint::write_index() {
  Json history = nullptr;
  if (!files_.history.empty()) {
    history = {
        {"file", files_.history}, {"bytes", files_.stored.bytes}, {"node", files_.stored.node}};
  }
  Json json = {{"format", kFormat},
               {"subject", to_json(subject_)},
               {"state", number_},
               {"seconds", seconds_},
               {"numeric", numeric_},
               {"circuit", {{"file", files_.circuit}, {"digest", files_.circuit_digest}}},
               {"history", history}};
  const std::string digest = digest_of(json.dump());
  json["digest"] = digest;
  write_text_file(index(), json.dump(2) + "\n");
}

void Checkpoint::remove_others() const {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    const std::string file = entry.path().filename().string();
    const bool is_state = file.starts_with("best-") || file.starts_with("history-");
    if (is_state && file != files_.circuit && file != files_.history) {
      std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace quartz::workflow
