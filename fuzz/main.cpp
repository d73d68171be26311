// quartz-fuzz runs fuzzing targets on files, without libFuzzer.
//
//   quartz-fuzz --list                 one line for each target: name, dictionary, most bytes,
//                                      readers
//   quartz-fuzz --seeds TARGET FOLDER  writes the inputs to start from into a folder
//   quartz-fuzz --mutate N TARGET      runs the target on N random changes of the seeds, always the
//                                      same ones
//   quartz-fuzz TARGET [FILE...]       runs the target on the files; without files on its seeds and
//                                      on fuzz/regressions/TARGET
//
// The exit status is 1 if an input is a finding.

#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "byte_mutations.hpp"
#include "quartz/base/files.hpp"
#include "target.hpp"

namespace quartz::fuzz {
namespace {

struct Input {
  std::string name;
  std::string content;
};

void print_list() {
  for (const Target& target : targets()) {
    std::cout << target.name << '\t' << target.dictionary << '\t' << target.max_bytes << '\t'
              << target.readers << '\n';
  }
}

void write_seeds(const Target& target, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::size_t number = 0;
  for (const std::string& seed : target.seeds()) {
    write_text_file(folder / ("seed_" + std::to_string(number++)), seed);
  }
}

std::vector<Input> own_inputs(const Target& target) {
  std::vector<Input> inputs;
  for (std::string& seed : target.seeds()) {
    inputs.push_back({"seed " + std::to_string(inputs.size()), std::move(seed)});
  }
  const std::filesystem::path folder =
      std::filesystem::path(repository_folder("fuzz/regressions")) / target.name;
  if (!std::filesystem::is_directory(folder)) return inputs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    inputs.push_back({entry.path().string(), read_text_file(entry.path())});
  }
  return inputs;
}

/// Runs the target on one input and returns whether it is a finding.
bool is_finding(const Target& target, const std::string& input) {
  try {
    target.run(input);
  } catch (const std::exception& error) {
    std::cout << "  finding: " << error.what() << std::endl;
    return true;
  }
  return false;
}

/// Runs the target on each input and returns the number of findings.
int run_all(const Target& target, const std::vector<Input>& inputs) {
  int findings = 0;
  for (const Input& input : inputs) {
    // A crash ends the program, and the line shows with which input.
    std::cout << target.name << ": " << input.name << std::endl;
    if (is_finding(target, input.content)) ++findings;
  }
  return findings;
}

/// Runs the target on random changes of its seeds and returns the number of findings. An input that
/// is one, also by a crash, is in the file that the first line names.
int run_mutations(const Target& target, std::uint64_t count) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("quartz-fuzz-" + std::string(target.name));
  std::cout << target.name << ": " << count
            << " changes of seeds; the last one, and those that are "
            << "findings, are " << file.string() << "*" << std::endl;
  ByteMutations mutations(target, 1);
  int findings = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string input = mutations.next();
    write_scratch_file(file.string(), input);
    if (!is_finding(target, input)) continue;
    ++findings;
    write_scratch_file(file.string() + "-" + std::to_string(i), input);
  }
  return findings;
}

int usage() {
  std::cerr << "usage: quartz-fuzz --list | --seeds TARGET FOLDER | --mutate N TARGET | TARGET "
               "[FILE...]\n";
  return 2;
}

int main(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"--list"}) {
    print_list();
    return 0;
  }
  const bool seeds = arguments.size() == 3 && arguments[0] == "--seeds";
  const bool mutations = arguments.size() == 3 && arguments[0] == "--mutate";
  if (arguments.empty()) return usage();
  const Target* const target = find_target(seeds ? arguments[1] : arguments[mutations ? 2 : 0]);
  if (target == nullptr) return usage();
  if (mutations) return run_mutations(*target, std::stoull(arguments[1])) == 0 ? 0 : 1;
  if (seeds) {
    write_seeds(*target, arguments[2]);
    return 0;
  }
  std::vector<Input> inputs;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    inputs.push_back({arguments[i], read_text_file(arguments[i])});
  }
  if (inputs.empty()) inputs = own_inputs(*target);
  return run_all(*target, inputs) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace quartz::fuzz

int main(int count, char** values) {
  try {
    return quartz::fuzz::main({values + 1, values + count});
  } catch (const std::exception& error) {
    std::cerr << "quartz-fuzz: " << error.what() << '\n';
    return 1;
  }
}
