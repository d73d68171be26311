#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "certify/problem/problem.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::certify {

/// Returns the problem that two circuits pose, which must not be decided at once.
inline Problem problem_of(const Circuit& left, const Circuit& right) {
  auto posed = pose_problem(left, right);
  REQUIRE(std::holds_alternative<Problem>(posed));
  return std::get<Problem>(std::move(posed));
}

inline Problem problem_of(std::uint32_t qubits, std::vector<Operation> left,
                          std::vector<Operation> right) {
  return problem_of(make_circuit(qubits, std::move(left)), make_circuit(qubits, std::move(right)));
}

}  // namespace quartz::certify
