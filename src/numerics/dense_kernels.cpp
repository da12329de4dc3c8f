#include "numerics/dense_kernels.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::numerics {
namespace {

constexpr Index kStrip = 8;    // rows that are packed together: two vectors
constexpr Index kHalf = 4;     // columns of one register tile
constexpr Index kDepth = 256;  // of a packed panel: a strip stays in the first-level cache
constexpr Index kBlock = 64;   // columns of the Cholesky factor made at a time

typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));

/// C[0..8)[0..4) += sign * sum over p of a[p][0..8) b[p][0..4): the tile all the time is spent in.
[[gnu::always_inline]] inline void tile(const double* a, const double* b, Index depth, double sign, double* C,
                                        Index stride) {
  Four low[kHalf] = {}, high[kHalf] = {};
  for (Index p = 0; p < depth; ++p) {
    const Four a_low = *reinterpret_cast<const Four*>(a + p * kStrip);
    const Four a_high = *reinterpret_cast<const Four*>(a + p * kStrip + 4);
    for (Index j = 0; j < kHalf; ++j) {
      const double factor = b[p * kStrip + j];
      low[j] += a_low * factor;
      high[j] += a_high * factor;
    }
  }
  for (Index j = 0; j < kHalf; ++j) {
    *reinterpret_cast<Four*>(C + j * stride) += sign * low[j];
    *reinterpret_cast<Four*>(C + j * stride + 4) += sign * high[j];
  }
}

/// C += sign A A' in the lower half, whole strips at a time; A is packed by strips of rows, zeros fill the last one.
[[gnu::always_inline]] inline void rank_update(const double* A, Index strips, Index depth, double sign, Index size,
                                               double* C, Index stride) {
  double edge[kStrip * kStrip];
  for (Index col = 0; col < strips; ++col)
    for (Index row = col; row < strips; ++row) {
      const double* a = A + row * kStrip * depth;
      const double* b = A + col * kStrip * depth;
      const bool inside = row > col && (row + 1) * kStrip <= size;
      double* target = inside ? C + row * kStrip + col * kStrip * stride : edge;
      const Index target_stride = inside ? stride : kStrip;
      if (!inside) std::fill(edge, edge + kStrip * kStrip, 0.0);
      tile(a, b, depth, sign, target, target_stride);
      tile(a, b + kHalf, depth, sign, target + kHalf * target_stride, target_stride);
      if (inside) continue;
      for (Index j = 0; j < kStrip; ++j)  // on the diagonal and at the border only what belongs to the lower half
        for (Index i = 0; i < kStrip; ++i) {
          const Index r = row * kStrip + i, c = col * kStrip + j;
          if (r < size && c <= r) C[r + c * stride] += edge[i + j * kStrip];
        }
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::target("avx2,fma")]] void rank_update_wide(const double* A, Index strips, Index depth, double sign, Index size,
                                                  double* C, Index stride) {
  rank_update(A, strips, depth, sign, size, C, stride);
}
const bool has_wide_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
constexpr bool has_wide_vectors = false;
constexpr auto rank_update_wide = rank_update;
#endif

/// C += sign A A' for A(i, p) = entry(i, p), size x depth.
template <class Entry>
void add_product(Entry&& entry, Index size, Index depth, double sign, double* C, Index stride,
                 std::vector<double>& packed) {
  const Index strips = (size + kStrip - 1) / kStrip;
  packed.assign(strips * kStrip * depth, 0.0);
  for (Index strip = 0; strip < strips; ++strip)
    for (Index i = strip * kStrip; i < std::min(size, (strip + 1) * kStrip); ++i)
      for (Index p = 0; p < depth; ++p) packed[(strip * depth + p) * kStrip + i % kStrip] = entry(i, p);
  if (has_wide_vectors)
    rank_update_wide(packed.data(), strips, depth, sign, size, C, stride);
  else
    rank_update(packed.data(), strips, depth, sign, size, C, stride);
}

/// Columns [0, width) of the factor, from the rows below them too; what earlier columns take has been taken.
bool factor_panel(double* A, Index size, Index stride, Index width, double least) {
  for (Index j = 0; j < width; ++j) {
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

}  // namespace

void gram_lower(const Matrix& X, Matrix& G) {
  G.triangularView<Eigen::Lower>().setZero();
  std::vector<double> packed;
  for (Index first = 0; first < X.rows(); first += kDepth)
    add_product([&](Index i, Index p) { return X(first + p, i); }, X.cols(), std::min(kDepth, X.rows() - first), 1,
                G.data(), G.outerStride(), packed);
}

bool cholesky_lower(double* A, Index size, Index stride, double least) {
  std::vector<double> packed;
  for (Index first = 0; first < size; first += kBlock) {
    const Index width = std::min(kBlock, size - first), next = first + width;
    double* panel = A + first + first * stride;
    if (!factor_panel(panel, size - first, stride, width, least)) return false;
    add_product([&](Index i, Index p) { return panel[width + i + p * stride]; }, size - next, width, -1,
                A + next + next * stride, stride, packed);
  }
  return true;
}

}  // namespace carom::numerics
