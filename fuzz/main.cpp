// quartz-fuzz runs fuzzing targets on files, without libFuzzer.
//
//   quartz-fuzz --list                 one line for each target: name, dictionary, most bytes,
//   readers quartz-fuzz --seeds TARGET FOLDER  writes the inputs to start from into a folder
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

/// Runs the target on each input and returns the number of findings.
int run_all(const Target& target, const std::vector<Input>& inputs) {
  int findings = 0;
  for (const Input& input : inputs) {
    // A crash ends the program, and the line shows with which input.
    std::cout << target.name << ": " << input.name << std::endl;
    try {
      target.run(input.content);
    } catch (const std::exception& error) {
      std::cout << "  finding: " << error.what() << std::endl;
      ++findings;
    }
  }
  return findings;
}

int usage() {
  std::cerr << "usage: quartz-fuzz --list | --seeds TARGET FOLDER | TARGET [FILE...]\n";
  return 2;
}

int main(const std::vector<std::string>& arguments) {
  if (arguments == std::vector<std::string>{"--list"}) {
    print_list();
    return 0;
  }
  const bool seeds = arguments.size() == 3 && arguments[0] == "--seeds";
  if (arguments.empty()) return usage();
  const Target* const target = find_target(seeds ? arguments[1] : arguments[0]);
  if (target == nullptr) return usage();
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
