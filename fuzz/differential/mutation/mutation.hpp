#pragma once

#include "generation/random_program.hpp"
#include "program/program.hpp"

namespace quartz::differential {

/// Applies a random rewrite that keeps the meaning of the program, global phase included. Returns
/// false, and leaves the program as it is, if the rewrite that was drawn does not apply.
bool rewrite_equally(Program& program, Random& random);

/// Makes one small change that usually changes the meaning: an angle, a gate, a wire, a condition,
/// a measurement, a phase.
void change_meaning(Program& program, Random& random);

}  // namespace quartz::differential
