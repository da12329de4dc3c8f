#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace carom::numerics {

/// F(t) = integral of f from `from` to t, with F' = f to a relative kAccuracy of the largest |f|.
/// The interval is cut into pieces, halved until the polynomials through 16 Gauss points of f agree with those of their
/// halves: a handful a period of an oscillation, few around a kink or a jump. What happens between two of some eight
/// thousand points at first is not seen.
class Antiderivative {
 public:
  static constexpr double kAccuracy = 1e-13;

  Antiderivative(std::function<double(double)> f, double from, double to);

  /// Beyond the ends f is integrated by one Gauss rule from the end on, which is meant for small excursions.
  double at(double t) const;

  /// Where f is not finite, or where so many pieces were spent that the rest was not integrated.
  std::optional<double> trouble() const { return trouble_; }

 private:
  static constexpr int kPoints = 16;

  struct Piece {
    double begin = 0, end = 0;
    double before = 0;                               // F at its begin
    double variation = 0;                            // total, of f between its points
    double largest = 0;                              // |f| at its points
    std::array<double, kPoints + 1> coefficients{};  // of F, less a constant: Legendre polynomials on the piece
    double at_begin = 0;                             // the sum of these at its begin

    double sum(double t) const;
    double at(double t) const { return before + (sum(t) - at_begin); }
  };

  Piece piece(double begin, double end) const;
  void refine(const Piece& whole, double largest, double shortest);
  void append(Piece piece);

  std::function<double(double)> f_;
  std::vector<Piece> pieces_;
  double sum_ = 0, lost_ = 0;  // F at the end of the last piece, and what rounding took from it
  std::optional<double> trouble_;
};

}  // namespace carom::numerics
