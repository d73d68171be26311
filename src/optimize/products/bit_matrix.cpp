#include "optimize/products/bit_matrix.hpp"

#include <utility>

namespace quartz::optimizer {

LinearForm unit_vector(std::size_t size, std::size_t index) {
  LinearForm vector(size);
  vector.set(index);
  return vector;
}

BitMatrix identity_matrix(std::size_t size) {
  BitMatrix rows;
  for (std::size_t i = 0; i < size; ++i) rows.push_back(unit_vector(size, i));
  return rows;
}

LinearForm multiply(const LinearForm& vector, const BitMatrix& matrix) {
  LinearForm sum(matrix.empty() ? 0 : matrix.front().size());
  for (std::size_t i = vector.find_first(); i != LinearForm::npos; i = vector.find_next(i)) {
    sum ^= matrix[i];
  }
  return sum;
}

BitMatrix multiply(const BitMatrix& left, const BitMatrix& right) {
  BitMatrix product;
  product.reserve(left.size());
  for (const LinearForm& row : left) product.push_back(multiply(row, right));
  return product;
}

BitMatrix transpose(const BitMatrix& matrix) {
  const std::size_t columns = matrix.empty() ? 0 : matrix.front().size();
  BitMatrix result(columns, LinearForm(matrix.size()));
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    const LinearForm& bits = matrix[row];
    for (std::size_t i = bits.find_first(); i != LinearForm::npos; i = bits.find_next(i)) {
      result[i].set(row);
    }
  }
  return result;
}

std::optional<BitMatrix> inverse(BitMatrix matrix) {
  const std::size_t size = matrix.size();
  BitMatrix result;
  for (std::size_t i = 0; i < size; ++i) result.push_back(unit_vector(size, i));
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    while (pivot < size && !matrix[pivot].test(column)) ++pivot;
    if (pivot == size) return std::nullopt;
    std::swap(matrix[pivot], matrix[column]);
    std::swap(result[pivot], result[column]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == column || !matrix[row].test(column)) continue;
      matrix[row] ^= matrix[column];
      result[row] ^= result[column];
    }
  }
  return result;
}

BitMatrix kernel(const BitMatrix& matrix) {
  const std::size_t size = matrix.size();
  BitMatrix reduced;
  BitMatrix combinations;
  std::vector<std::size_t> pivots;
  BitMatrix result;
  for (std::size_t i = 0; i < size; ++i) {
    LinearForm row = matrix[i];
    LinearForm combination = unit_vector(size, i);
    for (std::size_t j = 0; j < reduced.size(); ++j) {
      if (!row.test(pivots[j])) continue;
      row ^= reduced[j];
      combination ^= combinations[j];
    }
    const std::size_t pivot = row.find_first();
    if (pivot == LinearForm::npos) {
      result.push_back(std::move(combination));
      continue;
    }
    pivots.push_back(pivot);
    reduced.push_back(std::move(row));
    combinations.push_back(std::move(combination));
  }
  return result;
}

bool inner_product(const LinearForm& left, const LinearForm& right) {
  bool parity = false;
  for (std::size_t i = left.find_first(); i != LinearForm::npos; i = left.find_next(i)) {
    parity ^= right.test(i);
  }
  return parity;
}

}  // namespace quartz::optimizer
