#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <sstream>
#include <utility>

#include "cli/memory.hpp"
#include "cli/opt/opt_progress.hpp"
#include "cli/output/timed_progress.hpp"
#include "quartz/circuit/cost.hpp"

using namespace quartz;
using namespace quartz::cli;

TEST_CASE("The progress of a search is the time left and what was gained") {
  OptimizeProgress progress;
  progress.pass = "anneal";
  progress.best_cost.units = {72};
  progress.seconds = 3.2;
  const CostValue translated{{162}};
  CHECK(search_progress_text(progress, CostKind::total, translated, 10) ==
        "7 s left: 72 gates for 162, 56% fewer");
  CHECK(search_progress_text(progress, CostKind::total, translated, {}) ==
        "3 s: 72 gates for 162, 56% fewer");
  CHECK(search_progress_text(progress, CostKind::total, translated, 2) ==
        "0 s left: 72 gates for 162, 56% fewer");
  CHECK(search_progress_text(progress, CostKind::total, progress.best_cost, 10) ==
        "7 s left: 72 gates");
}

TEST_CASE("The progress of a search has all objectives of the cost") {
  OptimizeProgress progress;
  progress.best_cost.units = {8, 36, 75};
  const Cost cost({CostKind::t, CostKind::two_qubit, CostKind::depth});
  CHECK(search_progress_text(progress, cost, CostValue{{8, 72, 87}}, 5) ==
        "5 s left: 8 T gates; 36 two-qubit gates for 72, 50% fewer; depth 75 for 87, 14% less");
}

TEST_CASE("Work that reports nothing shows the time left or so far") {
  CHECK(timed_progress_text("checking the result", 1.9, 3.5) == "checking the result, 2 s left");
  CHECK(timed_progress_text("reading in.qasm", 1.9, {}) == "reading in.qasm, 1 s");
  CHECK(stage_text(SuperoptimizeStage::check) == "checking the result");
}

TEST_CASE("Timed progress is shown after its first pause, and erased") {
  std::ostringstream err;
  std::promise<void> asked;
  {
    ProgressLine line(err, true);
    const TimedProgress progress(
        line,
        [&asked, is_first = true](double) mutable {
          if (std::exchange(is_first, false)) asked.set_value();
          return "working";
        },
        std::chrono::milliseconds(0));
    asked.get_future().wait();
  }
  CHECK(err.str() == "\r\x1b[Kworking\r\x1b[K");
}

TEST_CASE("Short work shows nothing, nor does any without a terminal") {
  for (const bool is_terminal : {false, true}) {
    std::ostringstream err;
    {
      ProgressLine line(err, is_terminal);
      const TimedProgress progress(
          line, [](double) { return "working"; },
          is_terminal ? std::chrono::hours(1) : std::chrono::milliseconds(0));
    }
    CHECK(err.str().empty());
  }
}

TEST_CASE("Bytes are shown in the largest unit") {
  CHECK(bytes_text(1) == "1 byte");
  CHECK(bytes_text(4) == "4 bytes");
  CHECK(bytes_text(2048) == "2 KiB");
  CHECK(bytes_text(0x1p27) == "128 MiB");
  CHECK(bytes_text(1.5 * 0x1p30) == "1.5 GiB");
}
