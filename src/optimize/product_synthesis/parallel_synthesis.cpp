#include "optimize/product_synthesis/parallel_synthesis.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "optimize/product_synthesis/linear_reduction.hpp"

namespace quartz::optimizer {
namespace {

/// Schedules that are made, at most, and products times schedules.
constexpr std::size_t kMaxSchedules = 200;
constexpr std::size_t kMaxTrials = 20'000'000;

/// The wires of a product.
using ProductWires = std::array<std::uint32_t, 3>;

/// A step of a product on the wires x, y and z: a CNOT, and the rotation of the parity that its
/// target then carries.
struct ProductStep {
  std::uint8_t control = 0;
  std::uint8_t target = 0;
  bool rotates = false;
};

/// z becomes y + z, x + y + z and x + z, and y becomes x + y beside it.
constexpr std::array<ProductStep, 6> kSteps{
    {{1, 2, true}, {0, 2, true}, {1, 2, true}, {0, 1, true}, {0, 2, false}, {0, 1, false}}};

/// The orders of three wires in which they are x, y and z.
constexpr std::array<std::array<std::uint8_t, 3>, 6> kWireOrders{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

/// A product, and the wires that are added to one of its wires first, and again at the end.
struct Job {
  ProductWires wires{};
  std::uint32_t pivot = 0;
  std::vector<std::uint32_t> added;
};

/// Returns the sparsest basis of the space that the forms of a product span. The parities that the
/// product needs are all sums of forms, the same for every basis.
std::array<LinearForm, 3> sparsest_basis(const std::array<LinearForm, 3>& forms) {
  const auto sum_of = [&](unsigned sum) {
    LinearForm form(forms[0].size());
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if ((sum >> i & 1U) != 0) form ^= forms.at(i);
    }
    return form;
  };
  std::array<unsigned, 7> sums{1, 2, 3, 4, 5, 6, 7};
  std::ranges::stable_sort(sums, {}, [&](unsigned sum) { return sum_of(sum).count(); });
  const unsigned first = sums[0];
  const unsigned second = sums[1];
  const unsigned third = *std::ranges::find_if(
      sums.begin() + 2, sums.end(), [&](unsigned sum) { return sum != (first ^ second); });
  return {sum_of(first), sum_of(second), sum_of(third)};
}

/// Returns the job of a product whose forms are the bits of three wires, but for one that may be a
/// sum.
std::optional<Job> job_of(const std::array<LinearForm, 3>& given) {
  const std::array<LinearForm, 3> forms = sparsest_basis(given);
  Job job;
  std::size_t sums = 0;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (forms[i].none()) return std::nullopt;
    job.wires[i] = static_cast<std::uint32_t>(forms[i].find_first());
    if (forms[i].count() > 1) ++sums;
  }
  if (sums > 1) return std::nullopt;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (forms[i].count() == 1) continue;
    const auto is_other = [&](std::size_t wire) {
      return wire == job.wires[(i + 1) % 3] || wire == job.wires[(i + 2) % 3];
    };
    std::size_t pivot = forms[i].find_first();
    while (pivot != LinearForm::npos && is_other(pivot)) pivot = forms[i].find_next(pivot);
    if (pivot == LinearForm::npos) return std::nullopt;
    job.pivot = job.wires[i] = static_cast<std::uint32_t>(pivot);
    for (auto wire = forms[i].find_first(); wire != LinearForm::npos;
         wire = forms[i].find_next(wire)) {
      if (wire != pivot) job.added.push_back(static_cast<std::uint32_t>(wire));
    }
  }
  const ProductWires& wires = job.wires;
  if (wires[0] == wires[1] || wires[0] == wires[2] || wires[1] == wires[2]) return std::nullopt;
  return job;
}

/// The products before the linear map of a network and those after it.
struct Stages {
  std::vector<Job> before;
  std::vector<Job> after;
};

std::optional<Stages> stages_of(const ProductNetwork& network) {
  const std::vector<LinearForm> inputs = inverse_of(network.outputs);
  Stages stages;
  for (const Product& product : network.products) {
    std::array<LinearForm, 3> later;
    for (std::size_t i = 0; i < later.size(); ++i) {
      const LinearForm& form = product.forms.at(i);
      later.at(i).resize(network.wires);
      for (auto k = form.find_first(); k != LinearForm::npos; k = form.find_next(k)) {
        later.at(i) ^= inputs[k];
      }
    }
    std::optional<Job> before = job_of(product.forms);
    std::optional<Job> after = job_of(later);
    if (!before && !after) return std::nullopt;
    if (before && (!after || before->added.size() <= after->added.size())) {
      stages.before.push_back(*std::move(before));
    } else {
      stages.after.push_back(*std::move(after));
    }
  }
  return stages;
}

/// How the wires are occupied after a product, and how much of their time is lost.
struct Occupation {
  std::array<std::uint32_t, 3> levels{};
  std::uint32_t end = 0;
  std::uint32_t sum = 0;
};

Occupation after_product(std::array<std::uint32_t, 3> levels) {
  for (const ProductStep& step : kSteps) {
    const std::uint32_t level = std::max(levels.at(step.control), levels.at(step.target)) + 1;
    levels.at(step.control) = level;
    levels.at(step.target) = level + (step.rotates ? 1 : 0);
  }
  return {levels, std::ranges::max(levels), levels[0] + levels[1] + levels[2]};
}

/// One schedule of the products of a network.
class Schedule {
 public:
  Schedule(std::size_t wires, FastRandom& random) : levels_(wires, 0), random_(random) {}

  void append(std::vector<Job> jobs) {
    while (!jobs.empty()) append_next(jobs);
  }
  void append(const NetworkCnot& cnot) {
    cnots_.push_back(cnot);
    std::uint32_t& control = levels_[cnot.control];
    std::uint32_t& target = levels_[cnot.target];
    control = target = std::max(control, target) + 1;
  }
  [[nodiscard]] std::uint32_t depth() const { return std::ranges::max(levels_); }
  [[nodiscard]] std::vector<NetworkCnot> take() { return std::move(cnots_); }

 private:
  struct Choice {
    std::size_t job = 0;
    ProductWires wires{};
    Occupation after;
    std::uint64_t rank = std::numeric_limits<std::uint64_t>::max();
  };

  /// Appends the job that is complete first.
  void append_next(std::vector<Job>& jobs) {
    Choice best;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      for (const std::array<std::uint8_t, 3>& order : kWireOrders) {
        Choice choice{i, {}, {}, 0};
        std::array<std::uint32_t, 3> levels{};
        for (std::size_t k = 0; k < order.size(); ++k) {
          choice.wires.at(k) = jobs[i].wires.at(order.at(k));
          levels.at(k) = levels_[choice.wires.at(k)];
          if (choice.wires.at(k) == jobs[i].pivot) {
            for (const std::uint32_t wire : jobs[i].added) {
              levels.at(k) = std::max(levels.at(k), levels_[wire]) + 1;
            }
          }
        }
        choice.after = after_product(levels);
        choice.rank = (std::uint64_t{choice.after.end} << 40U) +
                      (std::uint64_t{choice.after.sum} << 12U) + random_.below(1U << 12U);
        if (choice.rank < best.rank) best = choice;
      }
    }
    append_job(jobs[best.job], best.wires);
    std::swap(jobs[best.job], jobs.back());
    jobs.pop_back();
  }

  void append_job(const Job& job, const ProductWires& wires) {
    for (const std::uint32_t wire : job.added) append(NetworkCnot{wire, job.pivot});
    for (const ProductStep& step : kSteps) {
      append(NetworkCnot{wires.at(step.control), wires.at(step.target)});
      if (step.rotates) ++levels_[wires.at(step.target)];
    }
    for (const std::uint32_t wire : job.added) append(NetworkCnot{wire, job.pivot});
  }

  std::vector<std::uint32_t> levels_;
  FastRandom& random_;
  std::vector<NetworkCnot> cnots_;
};

}  // namespace

std::optional<std::vector<NetworkCnot>> synthesize_in_parallel(const ProductNetwork& network,
                                                               const Budget& budget,
                                                               FastRandom& random) {
  if (network.products.empty()) return std::nullopt;
  const std::optional<Stages> stages = stages_of(network);
  if (!stages) return std::nullopt;
  const std::vector<NetworkCnot> map = cnots_of_linear_map(network.outputs);
  const std::size_t trials = network.products.size() * network.products.size();
  const std::size_t schedules = std::clamp<std::size_t>(kMaxTrials / trials, 1, kMaxSchedules);
  std::optional<std::vector<NetworkCnot>> best;
  std::uint32_t least = 0;
  for (std::size_t i = 0; i < schedules && !(best && budget.spent()); ++i) {
    Schedule schedule(network.wires, random);
    schedule.append(stages->before);
    for (const NetworkCnot& cnot : map) schedule.append(cnot);
    schedule.append(stages->after);
    if (best && schedule.depth() >= least) continue;
    least = schedule.depth();
    best = schedule.take();
  }
  return best;
}

}  // namespace quartz::optimizer
