#include "carom/numerics/dense_kernels.h"

#include <algorithm>
#include <cmath>

namespace carom::numerics {
namespace {

constexpr Index kDepth = 256;  // of a packed panel: what a tile reads of it stays in the caches next to the processor
constexpr Index kNarrow = 8;   // columns of a Cholesky factor that are made one by one

/// C += sign A A' for the lower half of C's first `cols` columns, A of size x depth entries.
struct Product {
  const double* A;
  Index next_row, next_col;  // distances of A's entries
  Index size, cols, depth;
  double sign;
  double* C;
  Index stride;
};

/// Columns of a matrix with what earlier columns take taken off, to be made columns of its Cholesky factor.
struct Panel {
  double* A;
  Index size, cols, stride;
  double least;
};

/// y = A x, the lower half of a symmetric A.
struct SymmetricProduct {
  const double* A;
  Index size, stride;
  const double* x;
  double* y;
};

template <Index lanes, Index columns>
struct Kernels {
  static constexpr Index kStrip = 2 * lanes;  // rows that are packed together
  typedef double Pack __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));

  /// C += sign * sum over p of a[p] b[p]', a strip times some columns: the tile all the time is spent in.
  [[gnu::always_inline]] static void tile(const double* a, const double* b, Index depth, double sign, double* C,
                                          Index stride) {
    Pack low[columns] = {}, high[columns] = {};
    for (Index p = 0; p < depth; ++p) {
      const Pack a_low = *reinterpret_cast<const Pack*>(a + p * kStrip);
      const Pack a_high = *reinterpret_cast<const Pack*>(a + p * kStrip + lanes);
      for (Index j = 0; j < columns; ++j) {
        const double factor = b[p * kStrip + j];
        low[j] += a_low * factor;
        high[j] += a_high * factor;
      }
    }
    for (Index j = 0; j < columns; ++j) {
      *reinterpret_cast<Pack*>(C + j * stride) += sign * low[j];
      *reinterpret_cast<Pack*>(C + j * stride + lanes) += sign * high[j];
    }
  }

  /// A by strips of rows, zeros fill the last one.
  [[gnu::always_inline]] static void pack(const Product& product, double* packed) {
    const auto& [A, next_row, next_col, size, cols, depth, sign, C, stride] = product;
    for (Index first = 0; first < size; first += kStrip)
      for (Index p = 0; p < depth; ++p, packed += kStrip) {
        const double* from = A + first * next_row + p * next_col;
        if (first + kStrip > size)
          for (Index i = 0; i < kStrip; ++i) packed[i] = first + i < size ? from[i * next_row] : 0;
        else if (next_row == 1)
          for (Index i = 0; i < kStrip; ++i) packed[i] = from[i];
        else
          for (Index i = 0; i < kStrip; ++i) packed[i] = from[i * next_row];
      }
  }

  [[gnu::always_inline]] static void add(const Product& product, std::vector<double>& packed) {
    const auto [unpacked, next_row, next_col, size, cols, depth, sign, C, stride] = product;
    packed.resize((size + kStrip - 1) / kStrip * kStrip * depth);
    pack(product, packed.data());
    const double* A = packed.data();
    for (Index c = 0; c < cols; c += columns) {
      const double* b = A + c / kStrip * kStrip * depth + c % kStrip;
      for (Index r = c / kStrip * kStrip; r < size; r += kStrip) {
        if (r >= c + columns && r + kStrip <= size && c + columns <= cols) {
          tile(A + r * depth, b, depth, sign, C + r + c * stride, stride);
          continue;
        }
        double edge[kStrip * columns] = {};  // on the diagonal and at the border only what belongs to the lower half
        tile(A + r * depth, b, depth, sign, edge, kStrip);
        for (Index j = c; j < std::min(c + columns, cols); ++j)
          for (Index i = std::max(r, j); i < std::min(r + kStrip, size); ++i)
            C[i + j * stride] += edge[i - r + (j - c) * kStrip];
      }
    }
  }

  /// Four columns at a time: what lies below their diagonal block counts twice, as columns and as rows.
  [[gnu::always_inline]] static void multiply(const SymmetricProduct& product) {
    constexpr Index kColumns = 4;
    const auto [A, size, stride, x, y] = product;
    std::fill_n(y, size, 0.0);
    for (Index j = 0; j < size; j += kColumns) {
      const Index count = std::min(kColumns, size - j);
      double sums[kColumns] = {};
      for (Index c = 0; c < count; ++c)
        for (Index r = 0; r < count; ++r) sums[c] += A[j + std::max(r, c) + (j + std::min(r, c)) * stride] * x[j + r];
      if (count == kColumns) {
        const double* column[kColumns];
        Pack lanes_of_sums[kColumns] = {};
        for (Index c = 0; c < kColumns; ++c) column[c] = A + (j + c) * stride;
        Index i = j + kColumns;
        for (; i + lanes <= size; i += lanes) {
          const Pack along = *reinterpret_cast<const Pack*>(x + i);
          Pack below = *reinterpret_cast<const Pack*>(y + i);
          for (Index c = 0; c < kColumns; ++c) {
            const Pack entries = *reinterpret_cast<const Pack*>(column[c] + i);
            below += entries * x[j + c];
            lanes_of_sums[c] += entries * along;
          }
          *reinterpret_cast<Pack*>(y + i) = below;
        }
        for (; i < size; ++i)
          for (Index c = 0; c < kColumns; ++c) {
            y[i] += column[c][i] * x[j + c];
            sums[c] += column[c][i] * x[i];
          }
        for (Index c = 0; c < kColumns; ++c) {
          double lane[lanes];
          *reinterpret_cast<Pack*>(lane) = lanes_of_sums[c];
          for (const double sum : lane) sums[c] += sum;
        }
      }
      for (Index c = 0; c < count; ++c) y[j + c] += sums[c];
    }
  }

  [[gnu::always_inline]] static bool factor(const Panel& panel) {
    const auto [A, size, cols, stride, least] = panel;
    for (Index j = 0; j < cols; ++j) {
      double* column = A + j * stride;
      for (Index s = 0; s < j; ++s) {
        const double* earlier = A + s * stride;
        const double factor = earlier[j];
        for (Index i = j; i < size; ++i) column[i] -= factor * earlier[i];
      }
      if (!(column[j] > least)) return false;
      const double inverse = 1 / std::sqrt(column[j]);
      for (Index i = j; i < size; ++i) column[i] *= inverse;
    }
    return true;
  }
};

/// The kernels compiled for one set of instructions.
struct Machine {
  void (*add)(const Product&, std::vector<double>& packed);
  bool (*factor)(const Panel&);
  void (*multiply)(const SymmetricProduct&);
};

using Two = Kernels<2, 4>;
void add_portable(const Product& product, std::vector<double>& packed) {
  Two::add(product, packed);
}
bool factor_portable(const Panel& panel) {
  return Two::factor(panel);
}
void multiply_portable(const SymmetricProduct& product) {
  Two::multiply(product);
}
constexpr Machine kPortable = {add_portable, factor_portable, multiply_portable};

#if defined(__x86_64__) && defined(__GNUC__)
using Four = Kernels<4, 4>;
using Eight = Kernels<8, 8>;
[[gnu::target("avx2,fma")]] void add_avx2(const Product& product, std::vector<double>& packed) {
  Four::add(product, packed);
}
[[gnu::target("avx2,fma")]] bool factor_avx2(const Panel& panel) {
  return Four::factor(panel);
}
[[gnu::target("avx2,fma")]] void multiply_avx2(const SymmetricProduct& product) {
  Four::multiply(product);
}
[[gnu::target("avx512f")]] void add_avx512(const Product& product, std::vector<double>& packed) {
  Eight::add(product, packed);
}
[[gnu::target("avx512f")]] bool factor_avx512(const Panel& panel) {
  return Eight::factor(panel);
}
[[gnu::target("avx512f")]] void multiply_avx512(const SymmetricProduct& product) {
  Eight::multiply(product);
}
constexpr Machine kAvx2 = {add_avx2, factor_avx2, multiply_avx2};
constexpr Machine kAvx512 = {add_avx512, factor_avx512, multiply_avx512};

const Machine& machine(Vectors vectors) {
  return vectors == Vectors::avx512 ? kAvx512 : vectors == Vectors::avx2 ? kAvx2 : kPortable;
}
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
bool has_avx512() {
  return __builtin_cpu_supports("avx512f");
}
#else
const Machine& machine(Vectors) {
  return kPortable;
}
bool has_avx2() {
  return false;
}
bool has_avx512() {
  return false;
}
#endif

/// The first `cols` columns of the factor, of all rows below them too: one half, what it takes from the other, the
/// other.
bool factor(const Machine& machine, const Panel& panel, std::vector<double>& packed) {
  const auto [A, size, cols, stride, least] = panel;
  if (cols <= kNarrow) return machine.factor(panel);
  const Index half = (cols / 2 + kNarrow - 1) / kNarrow * kNarrow;
  if (!factor(machine, {A, size, half, stride, least}, packed)) return false;
  double* rest = A + half + half * stride;
  for (Index first = 0; first < half; first += kDepth)
    machine.add({A + half + first * stride, 1, stride, size - half, cols - half, std::min(kDepth, half - first), -1,
                 rest, stride},
                packed);
  return factor(machine, {rest, size - half, cols - half, stride, least}, packed);
}

}  // namespace

std::vector<Vectors> available_vectors() {
  std::vector<Vectors> vectors = {Vectors::portable};
  if (has_avx2()) vectors.push_back(Vectors::avx2);
  if (has_avx512()) vectors.push_back(Vectors::avx512);
  return vectors;
}

Vectors widest_vectors() {
  static const Vectors widest = available_vectors().back();
  return widest;
}

void gram_lower(const Eigen::Ref<const Matrix>& X, Eigen::Ref<Matrix> G, Vectors vectors) {
  G.triangularView<Eigen::Lower>().setZero();
  std::vector<double> packed;
  for (Index first = 0; first < X.rows(); first += kDepth)
    machine(vectors).add({X.data() + first, X.outerStride(), 1, X.cols(), X.cols(), std::min(kDepth, X.rows() - first),
                          1, G.data(), G.outerStride()},
                         packed);
}

void mirror_lower(Eigen::Ref<Matrix> G) {
  constexpr Index kSquare = 16;  // small enough to be read along one direction and written along the other
  for (Index c = 0; c < G.cols(); c += kSquare)
    for (Index r = c; r < G.rows(); r += kSquare)
      for (Index i = r; i < std::min(r + kSquare, G.rows()); ++i)
        for (Index j = c; j < std::min(c + kSquare, i); ++j) G(j, i) = G(i, j);
}

void symmetric_product(const Matrix& A, const Vector& x, Vector& y, Vectors vectors) {
  y.resize(x.size());
  machine(vectors).multiply({A.data(), A.rows(), A.outerStride(), x.data(), y.data()});
}

bool cholesky_lower(double* A, Index size, Index stride, double least, Vectors vectors) {
  std::vector<double> packed;
  return factor(machine(vectors), {A, size, size, stride, least}, packed);
}

}  // namespace carom::numerics
