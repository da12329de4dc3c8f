#include "carom/numerics/antiderivative.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom::numerics {
namespace {

constexpr int kFirstPieces = 512;
constexpr std::size_t kMostPieces = 50'000;
constexpr double kShortest = 1e-14;  // of the interval: jumps of f are enclosed up to this
constexpr double kUlps = 1;          // of t: so uncertain is the argument of f

/// P_0 ... P_n at x by their recurrence.
template <std::size_t size>
std::array<double, size> legendre(double x) {
  std::array<double, size> p{1, x};
  for (std::size_t k = 1; k + 1 < size; ++k) {
    const auto n = static_cast<double>(k);
    p[k + 1] = ((2 * n + 1) * x * p[k] - n * p[k - 1]) / (n + 1);
  }
  return p;
}

/// Points and weights of Gauss on [-1, 1], and the Legendre polynomials at the points.
template <std::size_t n>
struct Gauss {
  std::array<double, n> point, weight;
  std::array<std::array<double, n>, n> P;  // [point][degree]

  Gauss() {
    for (std::size_t i = 0; i < n; ++i) {
      double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (static_cast<double>(n) + 0.5));
      double slope = 1;
      for (int newton = 0; newton < 8; ++newton) {
        const auto p = legendre<n + 1>(x);
        slope = static_cast<double>(n) * (x * p[n] - p[n - 1]) / (x * x - 1);
        x -= p[n] / slope;
      }
      point[i] = x;
      weight[i] = 2 / ((1 - x * x) * slope * slope);
      P[i] = legendre<n>(x);
    }
  }
};

template <std::size_t n>
const Gauss<n>& gauss() {
  static const Gauss<n> rule;
  return rule;
}

}  // namespace

double Antiderivative::Piece::sum(double t) const {
  const auto p = legendre<kPoints + 1>(((t - begin) - (end - t)) / (end - begin));
  double total = 0;
  for (std::size_t k = p.size(); k-- > 0;) total += coefficients[k] * p[k];
  return total;
}

/// f = sum c_k P_k with c_k = (2k+1)/2 sum_i w_i f(x_i) P_k(x_i); up to a constant its integral is the sum of c_0 P_1
/// and c_k (P_k+1 - P_k-1) / (2k+1).
Antiderivative::Piece Antiderivative::piece(double begin, double end) const {
  const Gauss<kPoints>& rule = gauss<kPoints>();
  Piece result{.begin = begin, .end = end};
  std::array<double, kPoints> c{};
  const double half = 0.5 * (end - begin);
  double last = 0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    const double value = f_(begin + half * (1 + rule.point[i]));
    for (std::size_t k = 0; k < kPoints; ++k) c[k] += rule.weight[i] * rule.P[i][k] * value;
    if (i > 0) result.variation += std::abs(value - last);
    result.largest = std::max(result.largest, std::abs(value));
    if (!std::isfinite(value)) result.largest = std::numeric_limits<double>::infinity();
    last = value;
  }
  for (std::size_t k = 0; k < kPoints; ++k) {  // c_k is short of its factor (2k+1)/2
    result.coefficients[k + 1] += 0.5 * half * c[k];
    if (k > 0) result.coefficients[k - 1] -= 0.5 * half * c[k];
  }
  result.at_begin = result.sum(begin);
  return result;
}

void Antiderivative::append(Piece piece) {
  piece.before = sum_;
  const double term = piece.sum(piece.end) - piece.at_begin - lost_;  // compensated: many pieces round often
  const double next = sum_ + term;
  lost_ = (next - sum_) - term;
  sum_ = next;
  pieces_.push_back(piece);
}

void Antiderivative::refine(const Piece& whole, double largest, double shortest) {
  if (trouble_) return;
  if (pieces_.size() >= kMostPieces || !std::isfinite(whole.largest)) {
    trouble_ = whole.begin;
    return;
  }
  const double middle = 0.5 * (whole.begin + whole.end), width = whole.end - whole.begin;
  const Piece left = piece(whole.begin, middle), right = piece(middle, whole.end);
  const double furthest = std::max(std::abs(whole.begin), std::abs(whole.end));
  const double allowed = kAccuracy * largest * width +
                         kUlps * std::numeric_limits<double>::epsilon() * furthest * (left.variation + right.variation);
  const double first = left.at(middle);
  const auto agrees = [&](double share) {  // at that share of either half
    const double t = whole.begin + share * (middle - whole.begin), later = middle + share * (whole.end - middle);
    return std::abs(whole.at(t) - left.at(t)) <= allowed &&
           std::abs(whole.at(later) - first - right.at(later)) <= allowed;
  };
  const bool agree = agrees(1) && agrees(0.5) && agrees(0.2);
  if (agree || width <= shortest) {
    append(left);
    append(right);
  } else {
    refine(left, largest, shortest);
    refine(right, largest, shortest);
  }
}

Antiderivative::Antiderivative(std::function<double(double)> f, double from, double to) : f_(std::move(f)) {
  std::vector<Piece> first;
  first.reserve(kFirstPieces);
  const auto cut = [&](int i) { return i == kFirstPieces ? to : from + (to - from) * i / kFirstPieces; };
  double largest = 0;
  for (int i = 0; i < kFirstPieces; ++i) {
    first.push_back(piece(cut(i), cut(i + 1)));
    largest = std::max(largest, first.back().largest);
  }
  for (const Piece& whole : first) refine(whole, largest, kShortest * (to - from));
}

double Antiderivative::at(double t) const {
  if (pieces_.empty()) return 0;
  const double first = pieces_.front().begin, last = pieces_.back().end;
  if (t < first) return -piece(t, first).at(first);
  if (t > last) return sum_ + piece(last, t).at(t);
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), t,
                                      [](double time, const Piece& one) { return time < one.begin; });
  return std::prev(after)->at(t);
}

}  // namespace carom::numerics
