#pragma once

#include <functional>

namespace quartz::fuzz {

/// Runs the action in a child process, so that what it leaves in the process, such as custom gates,
/// does not change what later inputs do. Throws a Finding if the child does not end normally, after
/// the child has printed why. libFuzzer sees what code the child executed.
void run_in_child(const std::function<void()>& action);

}  // namespace quartz::fuzz
