#include "quartz/verify/proof_cache.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <fstream>
#include <latch>
#include <thread>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using enum GateKind;

namespace {

using Operations = std::vector<Operation>;

const Angle p0 = Angle::symbol("p0");
const Angle p1 = Angle::symbol("p1");
const Angle quarter = Angle::pi_times(Rational(1, 4));

ClaimKey key_of(const Operations& left, const Operations& right, const Angle& phase = {}) {
  return claim_key({left, right, 4, phase});
}

/// Returns numbered keys; the cache does not need the claims themselves.
ClaimKey key(std::uint64_t number) { return {number * 0x9e37'79b9'7f4a'7c15, number}; }

const ProofResult proved{ProofVerdict::proved, {}};
const ProofResult unknown{ProofVerdict::unknown, "it took\ntoo long"};

/// A prover that counts the claims it is given.
class CountingProver final : public Prover {
 public:
  CountingProver(ProofResult answer, int& asked) : answer_(std::move(answer)), asked_(asked) {}
  [[nodiscard]] std::string_view name() const override { return "counting"; }
  [[nodiscard]] ProofResult prove(const Claim&) override {
    ++asked_;
    return answer_;
  }

 private:
  ProofResult answer_;
  int& asked_;
};

/// Writes a file with this number of proofs and one unknown result; returns its content.
std::string make_file(const std::filesystem::path& path, std::uint64_t proofs) {
  ProofCache cache(path, "tester 1");
  for (std::uint64_t i = 0; i < proofs; ++i) {
    cache.add(key(i), proved, 10);
    if (i % 3 == 2) cache.flush();
  }
  cache.add(key(proofs), unknown, 10);
  cache.flush();
  return read_text_file(path);
}

}  // namespace

TEST_CASE("a claim's key does not depend on the names of qubits and parameters", "[proof_cache]") {
  const Operations left = {make_operation(cx, {0, 1}), make_operation(rz, {1}, {p0 + p1}),
                           make_operation(rz, {0}, {p0})};
  const Operations right = {make_operation(rz, {0}, {p0}), make_operation(cx, {0, 1}),
                            make_operation(rz, {1}, {p0 + p1})};
  const auto renamed = [](Operations circuit) {
    constexpr Qubit qubits[] = {3, 1, 2, 0};
    const std::map<std::string, Angle> names = {{"p0", Angle::symbol("x")},
                                                {"p1", Angle::symbol("y")}};
    for (Operation& operation : circuit) {
      for (Qubit& qubit : operation.qubits) qubit = qubits[qubit];
      for (Angle& angle : operation.angles) angle = angle.substitute(names);
    }
    return circuit;
  };
  CHECK(key_of(left, right, p0) == key_of(renamed(left), renamed(right), Angle::symbol("x")));
  // Gates at the beginning of both sides have no effect either.
  Operations longer_left = left;
  Operations longer_right = right;
  longer_left.insert(longer_left.begin(), make_operation(h, {2}));
  longer_right.insert(longer_right.begin(), make_operation(h, {2}));
  CHECK(key_of(longer_left, longer_right, p0) == key_of(left, right, p0));
}

TEST_CASE("claims that differ have different keys", "[proof_cache]") {
  const Operations a = {make_operation(cx, {0, 1}), make_operation(rz, {1}, {p0})};
  const std::vector<ClaimKey> keys = {
      key_of(a, {}),
      key_of({}, a),
      key_of(a, {}, quarter),
      key_of(a, {}, p0),
      key_of(a, {}, p1),
      key_of({make_operation(cx, {0, 1}), make_operation(rz, {0}, {p0})}, {}),
      key_of({make_operation(cx, {0, 1}), make_operation(rz, {2}, {p0})}, {}),
      key_of({make_operation(cx, {0, 1}), make_operation(rz, {1}, {p0 + p1})}, {}),
      key_of({make_operation(cx, {0, 1}), make_operation(rz, {1}, {-p0})}, {}),
      key_of({make_operation(cx, {0, 1}), make_operation(rz, {1}, {p0 + quarter})}, {}),
      key_of({make_operation(cx, {0, 1}), make_operation(rz, {1}, {quarter})}, {}),
      key_of(
          {make_operation(cx, {0, 1}), make_operation(rz, {1}, {Angle::radians(Rational(1, 4))})},
          {}),
      key_of({make_operation(cx, {0, 1}), make_operation(rx, {1}, {p0})}, {}),
      key_of({make_operation(cx, {0, 1})}, {make_operation(rz, {1}, {p0})}),
      key_of({make_operation(cx, {0, 1})}, {make_operation(rz, {0}, {p0})}),
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      INFO(i << " and " << j);
      CHECK_FALSE(keys[i] == keys[j]);
    }
  }
}

TEST_CASE("a prover with a cache is called once, and again if it is given more time",
          "[proof_cache]") {
  const Operations left = {make_operation(h, {0})};
  const Operations right = {make_operation(x, {0})};
  const Claim claim{left, right, 1, {}};
  for (const ProofVerdict verdict :
       {ProofVerdict::proved, ProofVerdict::unknown, ProofVerdict::refuted}) {
    ProofCache cache;
    int asked = 0;
    const auto prover_with = [&](double seconds) {
      return make_cached_prover(
          std::make_unique<CountingProver>(ProofResult{verdict, "because"}, asked), seconds, cache);
    };
    CHECK(prover_with(10)->name() == "counting");
    CHECK(prover_with(10)->prove(claim).verdict == verdict);
    CHECK(asked == 1);
    const ProofResult again = prover_with(5)->prove(claim);
    CHECK(again.verdict == verdict);
    CHECK(again.witness == (verdict == ProofVerdict::proved ? "" : "because"));
    CHECK(asked == (verdict == ProofVerdict::refuted ? 2 : 1));
    asked = 0;
    CHECK(prover_with(20)->prove(claim).verdict == verdict);
    CHECK(asked == (verdict == ProofVerdict::proved ? 0 : 1));
  }
}

TEST_CASE("a claim that several threads request at the same time is proved once", "[proof_cache]") {
  for (const ProofVerdict verdict : {ProofVerdict::proved, ProofVerdict::unknown}) {
    ProofCache cache;
    std::atomic<int> asked = 0;
    std::latch all_there(4);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        all_there.arrive_and_wait();
        static_cast<void>(cache.find_or_prove(key(1), 10, [&] {
          ++asked;
          // In most runs this is long enough for the other threads to arrive.
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          return ProofResult{verdict, "because"};
        }));
      });
    }
    threads.clear();
    CHECK(asked == 1);
    CHECK(cache.added() == 1);
  }
}

TEST_CASE("a claim whose proof threw is tried again", "[proof_cache]") {
  ProofCache cache;
  CHECK_THROWS_AS(cache.find_or_prove(key(1), 10, []() -> ProofResult { throw Error("stopped"); }),
                  Error);
  CHECK(cache.added() == 0);
  CHECK(cache.find_or_prove(key(1), 10, [] { return proved; }).verdict == ProofVerdict::proved);
}

TEST_CASE("proofs are restored when their file is opened again", "[proof_cache]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "proofs";
  make_file(path, 10);
  {
    ProofCache cache(path, "tester 1");
    CHECK(cache.from_earlier_runs() == 11);
    CHECK(cache.added() == 0);
    for (std::uint64_t i = 0; i < 10; ++i) {
      REQUIRE(cache.find(key(i), 1e6));
      CHECK(cache.find(key(i), 1e6)->verdict == ProofVerdict::proved);
    }
    REQUIRE(cache.find(key(10), 10));
    CHECK(cache.find(key(10), 10)->witness == "it took too long");
    CHECK_FALSE(cache.find(key(10), 10.1));
    CHECK_FALSE(cache.find(key(11), 0));
    cache.add(key(10), proved, 20);
    cache.add(key(3), unknown, 100);  // a longer attempt is already known
    cache.add(key(12), {ProofVerdict::refuted, "no"}, 10);
    CHECK(cache.added() == 1);
    CHECK_THROWS_WITH(ProofCache(path, "tester 1"), Catch::Contains("another process"));
  }
  const ProofCache cache(path, "tester 1");
  CHECK(cache.from_earlier_runs() == 11);
  CHECK(cache.find(key(10), 1e6)->verdict == ProofVerdict::proved);
  CHECK(cache.find(key(3), 1e6)->verdict == ProofVerdict::proved);
  CHECK_FALSE(cache.find(key(12), 0));
}

TEST_CASE("files without proofs, or with proofs of another prover, are refused", "[proof_cache]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "proofs";
  make_file(path, 2);
  CHECK_THROWS_WITH(ProofCache(path, "tester 2"),
                    Catch::Contains("tester 1") && Catch::Contains("tester 2"));
  for (const char* content : {"", "\n", "{}\n", "quartz-proofs 2 x\n"}) {
    write_text_file(path, content);
    CHECK_THROWS_AS(ProofCache(path, "tester 1"), InputError);
  }
}

TEST_CASE("the complete blocks of a truncated file are read, and new proofs are appended",
          "[proof_cache]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "proofs";
  const std::string content = make_file(path, 8);
  const std::size_t first_block = content.find("\n=") + 1;
  const std::size_t header = content.find('\n', first_block) + 1;
  std::uint64_t most = 0;
  for (std::size_t size = 0; size <= content.size(); ++size) {
    INFO(size << " of " << content.size() << " bytes");
    write_text_file(path, content.substr(0, size));
    if (size < header) {
      CHECK_THROWS_AS(ProofCache(path, "tester 1"), InputError);
      continue;
    }
    std::uint64_t known = 0;
    {
      ProofCache cache(path, "tester 1");
      known = cache.from_earlier_runs();
      for (std::uint64_t i = 0; i < 9; ++i) CHECK(cache.find(key(i), 0).has_value() == (i < known));
      cache.add(key(100), proved, 1);
    }
    CHECK(known >= most);
    most = known;
    const ProofCache again(path, "tester 1");
    CHECK(again.from_earlier_runs() == known + 1);
    CHECK(again.find(key(100), 0));
  }
  CHECK(most == 9);
}

TEST_CASE("a damaged byte is detected or loses only the last block", "[proof_cache]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "proofs";
  const std::string content = make_file(path, 8);
  const std::size_t last_end = content.rfind('=');
  std::size_t refused = 0;
  for (std::size_t i = 0; i < content.size(); ++i) {
    INFO("byte " << i);
    std::string damaged = content;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write_text_file(path, damaged);
    try {
      const ProofCache cache(path, "tester 1");
      // The end of the last block is no longer recognized, as if the file had been truncated.
      CHECK((i == last_end - 1 || i == last_end || i == content.size() - 1));
      CHECK(cache.from_earlier_runs() == 6);
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused == content.size() - 3);
}

TEST_CASE("the blocks that a process had written are kept when it is killed", "[proof_cache]") {
  const test::TemporaryFolder folder;
  const auto path = folder / "proofs";
  constexpr std::uint64_t proofs = 4000;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ProofCache cache(path, "tester 1");
    for (std::uint64_t i = 0; i < proofs; ++i) cache.add(key(i), proved, 10);
    static_cast<void>(::raise(SIGKILL));
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  ProofCache cache(path, "tester 1");
  const std::uint64_t known = cache.from_earlier_runs();
  CHECK(known > proofs / 2);
  CHECK(known < proofs);
  for (std::uint64_t i = 0; i < proofs; ++i) {
    REQUIRE(cache.find(key(i), 0).has_value() == (i < known));
  }
}
