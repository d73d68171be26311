#include "cli/mpi_ranks.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
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
  ~MpiRanks() override { MPI_Finalize(); }
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

  [[noreturn]] void end_all(std::string_view message, ExitCode code) override {
    if (rank_ != 0) std::this_thread::sleep_for(kFirstRankReports);
    std::cerr << message << std::flush;
    MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    std::abort();
  }

 private:
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
};

}  // namespace

std::unique_ptr<Ranks> make_mpi_ranks() { return std::make_unique<MpiRanks>(); }

}  // namespace quartz::cli
