#include "cli/mpi/mpi_ranks.hpp"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

/// Time for which the other ranks wait for the first rank to report the error and end them: Open
/// MPI kills processes one second after asking them to end.
constexpr std::chrono::seconds kFirstRankReports{3};

void check(int status, const char* doing) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(std::string("MPI: ") + doing + ": " + text);
}

/// A set of cores, as bits.
using CoreSet = std::array<std::uint64_t, CPU_SETSIZE / 64>;

/// Returns the cores on which this process may run; none if they have numbers that are too great.
CoreSet cores_of_process() {
  CoreSet cores{};
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores[core / 64] |= std::uint64_t{1} << (core % 64);
  }
  return cores;
}

unsigned number_of(const CoreSet& cores) {
  unsigned number = 0;
  for (const std::uint64_t word : cores) number += static_cast<unsigned>(std::popcount(word));
  return number;
}

/// Marks messages of one rank to another.
constexpr int kLetterTag = 1;

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    // Only the main thread calls MPI; the other threads belong to the library.
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "starting");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "determining the rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "determining the number of ranks");
    if (provided < MPI_THREAD_FUNNELED) throw Error("MPI does not support threads");
  }
  ~MpiRanks() override {
    if (!waits_for_others_) return;
    for (Posted& message : posted_) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
    MPI_Finalize();
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  [[nodiscard]] unsigned rank() const override { return static_cast<unsigned>(rank_); }
  [[nodiscard]] unsigned size() const override { return static_cast<unsigned>(size_); }

  [[nodiscard]] Messages exchange(std::span<const Bytes> outgoing) override {
    ensure(outgoing.size() == size(), "a message for each rank");
    std::vector<std::uint64_t> sizes;
    for (const Bytes message : outgoing) sizes.push_back(message.size());
    std::vector<std::uint64_t> incoming_sizes(size());
    check(MPI_Alltoall(sizes.data(), 1, MPI_UINT64_T, incoming_sizes.data(), 1, MPI_UINT64_T,
                       MPI_COMM_WORLD),
          "exchanging sizes");
    Messages incoming(size());
    for (std::size_t i = 0; i < incoming.size(); ++i) incoming[i].resize(incoming_sizes[i]);
    for (std::uint64_t begin = 0; begin < longest_anywhere(sizes); begin += piece()) {
      exchange_piece(outgoing, incoming, begin);
    }
    return incoming;
  }

  void send(unsigned receiver, std::string_view content) override {
    require_countable(content);
    check(MPI_Send(content.data(), static_cast<int>(content.size()), MPI_BYTE,
                   static_cast<int>(receiver), kLetterTag, MPI_COMM_WORLD),
          "sending a message");
  }

  void post(unsigned receiver, std::string content) override {
    require_countable(content);
    forget_sent();
    Posted& message = posted_.emplace_back(std::move(content));
    check(MPI_Isend(message.content.data(), static_cast<int>(message.content.size()), MPI_BYTE,
                    static_cast<int>(receiver), kLetterTag, MPI_COMM_WORLD, &message.request),
          "sending a message");
  }

  [[nodiscard]] std::optional<Letter> receive() override {
    forget_sent();
    int has_arrived = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, kLetterTag, MPI_COMM_WORLD, &has_arrived, &status),
          "looking for a message");
    if (has_arrived == 0) return std::nullopt;
    int size = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &size), "measuring a message");
    Letter letter{static_cast<unsigned>(status.MPI_SOURCE),
                  std::string(static_cast<std::size_t>(size), '\0')};
    check(MPI_Recv(letter.content.data(), size, MPI_BYTE, status.MPI_SOURCE, kLetterTag,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE),
          "receiving a message");
    return letter;
  }

  [[nodiscard]] unsigned threads_of_share() override {
    MPI_Comm machine = MPI_COMM_NULL;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine),
          "finding the processes of this machine");
    int ranks_here = 1;
    check(MPI_Comm_size(machine, &ranks_here), "counting the processes of this machine");
    // A launcher may have bound each rank to cores of its own, or a job to a part of the machine.
    CoreSet own = cores_of_process();
    CoreSet all{};
    check(MPI_Allreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_BOR,
                        machine),
          "collecting the cores of this machine");
    MPI_Comm_free(&machine);
    return std::clamp(number_of(all) / static_cast<unsigned>(ranks_here), 1U,
                      std::max(1U, number_of(own)));
  }

  void part_without_farewell() override { waits_for_others_ = false; }

  [[noreturn]] void end_all(std::string_view message, ExitCode code) override {
    if (rank_ != 0) std::this_thread::sleep_for(kFirstRankReports);
    std::cerr << message << std::flush;
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    std::abort();
  }

 private:
  /// A message whose content must stay where it is until it is sent.
  struct Posted {
    explicit Posted(std::string some_content) : content(std::move(some_content)) {}
    std::string content;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  static void require_countable(std::string_view content) {
    ensure(content.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
           "a message to one rank has less than 2 GiB");
  }
  void forget_sent() {
    std::erase_if(posted_, [](Posted& message) {
      int is_sent = 0;
      check(MPI_Test(&message.request, &is_sent, MPI_STATUS_IGNORE), "sending a message");
      return is_sent != 0;
    });
  }
  /// Returns the size of a piece in bytes: MPI counts in int, also for the sum over all ranks.
  [[nodiscard]] std::uint64_t piece() const {
    return static_cast<std::uint64_t>(std::numeric_limits<int>::max()) / size();
  }
  [[nodiscard]] static std::uint64_t longest_anywhere(const std::vector<std::uint64_t>& sizes) {
    const std::uint64_t here = *std::max_element(sizes.begin(), sizes.end());
    std::uint64_t anywhere = 0;
    check(MPI_Allreduce(&here, &anywhere, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD),
          "comparing sizes");
    return anywhere;
  }

  /// Returns how much of a message lies in the piece that begins at `begin`.
  [[nodiscard]] int part(std::uint64_t message, std::uint64_t begin) const {
    return static_cast<int>(std::min(message - std::min(message, begin), piece()));
  }

  void exchange_piece(std::span<const Bytes> outgoing, Messages& incoming,
                      std::uint64_t begin) const {
    std::vector<int> send_counts;
    std::vector<int> send_begins;
    std::vector<int> receive_counts;
    std::vector<int> receive_begins;
    int sent = 0;
    int received = 0;
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      send_counts.push_back(part(outgoing[i].size(), begin));
      send_begins.push_back(sent);
      sent += send_counts.back();
      receive_counts.push_back(part(incoming[i].size(), begin));
      receive_begins.push_back(received);
      received += receive_counts.back();
    }
    std::vector<std::byte> send(static_cast<std::size_t>(sent));
    for (std::size_t i = 0; i < outgoing.size(); ++i) {
      if (send_counts[i] == 0) continue;
      std::copy_n(outgoing[i].data() + begin, send_counts[i], send.data() + send_begins[i]);
    }
    std::vector<std::byte> receive(static_cast<std::size_t>(received));
    check(
        MPI_Alltoallv(send.data(), send_counts.data(), send_begins.data(), MPI_BYTE, receive.data(),
                      receive_counts.data(), receive_begins.data(), MPI_BYTE, MPI_COMM_WORLD),
        "exchanging messages");
    for (std::size_t i = 0; i < incoming.size(); ++i) {
      if (receive_counts[i] == 0) continue;
      std::copy_n(receive.data() + receive_begins[i], receive_counts[i],
                  incoming[i].data() + begin);
    }
  }

  int rank_ = 0;
  int size_ = 1;
  bool waits_for_others_ = true;
  std::list<Posted> posted_;
};

}  // namespace

std::unique_ptr<Ranks> make_mpi_ranks() { return std::make_unique<MpiRanks>(); }

}  // namespace quartz::cli
