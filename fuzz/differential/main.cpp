// quartz-differential compares the library with an independent simulator on random circuits.
//
//   quartz-differential --list                   one line for each experiment: name, description
//   quartz-differential EXPERIMENT [OPTION...]   runs the files of fuzz/regressions/EXPERIMENT,
//   then
//                                                random cases
//   quartz-differential EXPERIMENT FILE...       runs the cases of files
//
//   --runs N, --seconds S   how many cases, or for how long (no random cases by default)
//   --seed N, --first N     seed of the cases (1), and number of the first one (0)
//   --findings FOLDER       where to write the reduced cases of findings
//   --pairs FOLDER          where to write programs for other tools, from one run in N
//   --every N               the number N of --pairs (100)
//
// The exit status is 1 if there is a finding. A run is repeated by --seed, --first and --runs 1.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "files.hpp"
#include "quartz/base/files.hpp"

namespace quartz::differential {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Arguments {
  const Experiment* experiment = nullptr;
  std::vector<std::string> files;
  std::uint64_t runs = 0;
  double seconds = 0;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t every = 100;
  std::string findings;
  std::string pairs;
};

/// Returns the seed of one run (the finalizer of MurmurHash3, which spreads neighbours).
std::uint64_t seed_of_run(std::uint64_t seed, std::uint64_t run) {
  std::uint64_t mixed = seed * 0x9e3779b97f4a7c15U + run;
  mixed = (mixed ^ mixed >> 33U) * 0xff51afd7ed558ccdU;
  mixed = (mixed ^ mixed >> 33U) * 0xc4ceb9fe1a85ec53U;
  return mixed ^ mixed >> 33U;
}

/// Runs cases and keeps the figures of the report.
class Session {
 public:
  explicit Session(const Arguments& arguments) : arguments_(arguments) {
    for (const std::string& folder : {arguments.findings, arguments.pairs}) {
      if (!folder.empty()) fs::create_directories(folder);
    }
  }

  void run_file(const fs::path& file) {
    std::cout << arguments_.experiment->name << ": " << file.string() << std::endl;
    const Outcome outcome = run_guarded(*arguments_.experiment, read_case(read_text_file(file)));
    if (outcome.finding.empty()) return;
    ++findings_;
    std::cout << "  finding: " << outcome.finding << std::endl;
  }

  void run_random() {
    const Clock::time_point start = Clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    while (arguments_.seconds > 0 ? seconds() < arguments_.seconds : runs_ < arguments_.runs) {
      run_once(arguments_.first + runs_);
      ++runs_;
    }
    if (runs_ != 0) report(seconds());
  }

  [[nodiscard]] std::uint64_t findings() const { return findings_; }

 private:
  void run_once(std::uint64_t number) {
    const Case drawn = arguments_.experiment->draw(seed_of_run(arguments_.seed, number));
    // A crash ends the program and leaves this file.
    const fs::path running = fs::path(arguments_.findings) / "running";
    if (!arguments_.findings.empty()) fuzz::write_scratch_file(running.string(), write_case(drawn));
    const Clock::time_point start = Clock::now();
    const Outcome outcome = run_guarded(*arguments_.experiment, drawn);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (seconds > slowest_seconds_) {
      slowest_seconds_ = seconds;
      slowest_run_ = number;
    }
    for (const std::string& count : outcome.counts) ++counts_[count];
    if (!outcome.finding.empty()) note_finding(number, drawn, outcome.finding);
    const bool is_sample = number % arguments_.every == 0 && !outcome.before.empty();
    if (!arguments_.pairs.empty() && is_sample) write_pair(number, outcome);
    if (!arguments_.findings.empty()) fs::remove(running);
  }

  void note_finding(std::uint64_t number, const Case& drawn, const std::string& finding) {
    ++findings_;
    ++counts_["finding: " + kind_of(finding)];
    std::cout << "run " << number << " of seed " << arguments_.seed << ": " << finding << std::endl;
    if (arguments_.findings.empty()) return;
    const Case smaller = shrink(drawn, [&](const Case& candidate) {
      try {
        return kind_of(run_guarded(*arguments_.experiment, candidate).finding) == kind_of(finding);
      } catch (const std::exception&) {
        return false;
      }
    });
    const fs::path file = fs::path(arguments_.findings) / (std::to_string(arguments_.seed) + "_" +
                                                           std::to_string(number) + ".qasm");
    fuzz::write_scratch_file(file.string(), write_case(smaller));
    std::cout << "  " << run_guarded(*arguments_.experiment, smaller).finding << "\n  written to "
              << file.string() << std::endl;
  }

  void write_pair(std::uint64_t number, const Outcome& outcome) {
    const std::string stem = (fs::path(arguments_.pairs) / std::to_string(number)).string();
    fuzz::write_scratch_file(stem + ".before.qasm", outcome.before);
    fuzz::write_scratch_file(stem + ".after.qasm", outcome.after);
  }

  void report(double seconds) const {
    std::cout << arguments_.experiment->name << ": " << runs_ << " runs of seed " << arguments_.seed
              << " from " << arguments_.first << ", " << findings_ << " findings, "
              << static_cast<std::uint64_t>(seconds) << " s; the slowest is " << slowest_run_
              << " with " << slowest_seconds_ << " s\n";
    for (const auto& [name, count] : counts_) std::cout << "  " << count << "  " << name << '\n';
  }

  const Arguments& arguments_;
  std::uint64_t runs_ = 0;
  std::uint64_t findings_ = 0;
  std::map<std::string, std::uint64_t> counts_;
  std::uint64_t slowest_run_ = 0;
  double slowest_seconds_ = 0;
};

std::vector<fs::path> regressions(std::string_view experiment) {
  const fs::path folder = fs::path(fuzz::repository_folder("fuzz/regressions")) / experiment;
  std::vector<fs::path> files;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Returns nothing if the arguments are not understood.
std::optional<Arguments> parse(const std::vector<std::string>& words) {
  Arguments arguments;
  if (words.empty()) return std::nullopt;
  const auto found = std::ranges::find(experiments(), words[0], &Experiment::name);
  if (found == experiments().end()) return std::nullopt;
  arguments.experiment = &*found;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      arguments.files.push_back(words[i]);
      continue;
    }
    if (i + 1 == words.size()) return std::nullopt;
    const std::string& name = words[i];
    const std::string& value = words[++i];
    if (name == "--runs") {
      arguments.runs = std::stoull(value);
    } else if (name == "--seconds") {
      arguments.seconds = std::stod(value);
    } else if (name == "--seed") {
      arguments.seed = std::stoull(value);
    } else if (name == "--first") {
      arguments.first = std::stoull(value);
    } else if (name == "--every") {
      arguments.every = std::max<std::uint64_t>(1, std::stoull(value));
    } else if (name == "--findings") {
      arguments.findings = value;
    } else if (name == "--pairs") {
      arguments.pairs = value;
    } else {
      return std::nullopt;
    }
  }
  return arguments;
}

int main(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"--list"}) {
    for (const Experiment& each : experiments()) {
      std::cout << each.name << '\t' << each.description << '\n';
    }
    return 0;
  }
  const std::optional<Arguments> arguments = parse(words);
  if (!arguments) {
    std::cerr
        << "usage: quartz-differential --list | EXPERIMENT [FILE...] [--runs N | --seconds S] "
           "[--seed N] [--first N] [--findings FOLDER] [--pairs FOLDER] [--every N]\n";
    return 2;
  }
  Session session(*arguments);
  for (const std::string& file : arguments->files) session.run_file(file);
  if (arguments->files.empty() && arguments->first == 0) {
    for (const fs::path& file : regressions(arguments->experiment->name)) session.run_file(file);
  }
  session.run_random();
  return session.findings() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace quartz::differential

int main(int count, char** values) {
  try {
    return quartz::differential::main({values + 1, values + count});
  } catch (const std::exception& error) {
    std::cerr << "quartz-differential: " << error.what() << '\n';
    return 1;
  }
}
