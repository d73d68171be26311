#include "parity_chains/backend/emulated_parity_walks.hpp"

#include "parity_chains/chain/chain_start.hpp"
#include "parity_chains/chain/parity_chain.hpp"

namespace quartz::parity_chains {

namespace {

constexpr std::uint32_t kEmulatedChains = 4;

/// One thread in the place of all lanes.
struct HostLanes {
  void wait() const {}
  template <typename Function>
  void leader(const Function& function) const {
    function();
  }
  template <typename Function>
  void for_each_below(std::uint32_t end, const Function& function) const {
    for (std::uint32_t i = 0; i < end; ++i) function(i);
  }
  template <typename Test, typename Function>
  void for_each_cell(std::uint32_t rows, std::uint32_t columns, const Test& test,
                     const Function& function) const {
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (!test(row)) continue;
      for (std::uint32_t column = 0; column < columns; ++column) function(row, column);
    }
  }
  template <typename Function>
  [[nodiscard]] std::uint64_t xor_of(std::uint32_t end, const Function& function) const {
    std::uint64_t result = 0;
    for (std::uint32_t i = 0; i < end; ++i) result ^= function(i);
    return result;
  }
  template <typename Function>
  [[nodiscard]] std::uint64_t sum_of(std::uint32_t end, const Function& function) const {
    std::uint64_t result = 0;
    for (std::uint32_t i = 0; i < end; ++i) result += function(i);
    return result;
  }
  template <typename Function>
  [[nodiscard]] std::uint64_t max_of(std::uint32_t end, const Function& function) const {
    std::uint64_t result = 0;
    for (std::uint32_t i = 0; i < end; ++i) {
      const std::uint64_t value = function(i);
      if (value > result) result = value;
    }
    return result;
  }
  [[nodiscard]] std::uint32_t first_word(const std::uint64_t* words, std::uint32_t count) const {
    std::uint32_t i = 0;
    while (i < count && words[i] == 0) ++i;
    return i;
  }
  [[nodiscard]] bool claim(std::uint32_t* place, std::uint32_t number) const {
    if (*place != 0) return false;
    *place = number;
    return true;
  }
  void set_bit(std::uint32_t* words, std::uint32_t bit) const {
    words[bit / 32] |= std::uint32_t{1} << bit % 32;
  }
  template <typename Function>
  void for_each_item(std::uint32_t count, const Function& function) const {
    for (std::uint32_t i = 0; i < count; ++i) function(i, 0U, *this);
  }
  template <typename Test>
  [[nodiscard]] std::uint32_t collect(std::uint32_t end, std::uint32_t* numbers, std::uint32_t most,
                                      const Test& test) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < end && count < most; ++i) {
      if (test(i)) numbers[count++] = i;
    }
    return count;
  }
};

class EmulatedParityWalks final : public ParityWalks {
 public:
  EmulatedParityWalks(const ParityWalkStart& start, std::uint32_t chains)
      : shape_(shape_of(start)),
        tables_(chain_tables(start, chains)),
        states_(chain_states(start.seed, chains)),
        memory_(memory_of(shape_) / sizeof(std::uint64_t)),
        product_hashes_(product_hashes_of(shape_)) {}

  [[nodiscard]] std::uint32_t chains() const override {
    return static_cast<std::uint32_t>(tables_.size());
  }
  void begin(std::uint32_t batches) override {
    ChainMemory memory{};
    memory.place(memory_.data(), shape_);
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      for_rows(shape_.dimension, [&]<int kRows>() {
        run_chain<kRows>(HostLanes(), shape_, memory, product_hashes_.data(), tables_[i],
                         states_[i], batches);
      });
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> finish() override {
    std::vector<std::uint32_t> sizes;
    for (const ChainTable& table : tables_) sizes.push_back(table.size);
    return sizes;
  }
  void continue_from(std::span<const std::uint32_t> chains) override {
    const std::vector<ChainTable> before = tables_;
    for (std::size_t i = 0; i < tables_.size(); ++i) tables_[i] = before[chains[i]];
  }
  void restart(std::uint32_t chain, const Points& table) override {
    tables_[chain] = chain_table(table, shape_);
  }
  [[nodiscard]] Points table_of(std::uint32_t chain) const override {
    return points_of(tables_[chain]);
  }
  [[nodiscard]] std::uint64_t candidates() const override { return candidates_of(states_); }

 private:
  ChainShape shape_;
  std::vector<ChainTable> tables_;
  std::vector<ChainState> states_;
  std::vector<std::uint64_t> memory_;
  std::vector<std::uint64_t> product_hashes_;
};

}  // namespace

std::unique_ptr<ParityWalks> make_emulated_parity_walks(const ParityWalkStart& start,
                                                        std::uint32_t most_chains) {
  const std::uint32_t chains = most_chains == 0 ? kEmulatedChains : most_chains;
  return std::make_unique<EmulatedParityWalks>(start, chains);
}

}  // namespace quartz::parity_chains
