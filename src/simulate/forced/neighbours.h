#pragma once

#include <vector>

#include "carom/simulate/archive.h"

namespace carom::simulate {

/// Which balls are near each other: half lists (each pair once), from a grid of cells, found anew when some ball has
/// moved by half the skin. The cost is linear in the number of balls, whatever their places are.
class Neighbours {
 public:
  /// `radii` [m]; pairs are listed while their surfaces are nearer than `skin` [m].
  Neighbours(const std::vector<double>* radii, double skin) : radii_(radii), skin_(skin) {}

  /// Whether the lists at these places are still complete.
  bool hold(const std::vector<Vector3>& places) const;

  void find(const std::vector<Vector3>& places);

  std::size_t begin(std::size_t i) const { return first_[i]; }
  std::size_t end(std::size_t i) const { return first_[i + 1]; }
  int partner(std::size_t k) const { return partner_[k]; }
  std::size_t size() const { return partner_.size(); }
  double skin() const { return skin_; }

  void archived(Archive& archive) { archive& listed_& first_& partner_; }

 private:
  const std::vector<double>* radii_;
  double skin_;
  std::vector<Vector3> listed_;     // places when the lists were found
  std::vector<std::size_t> first_;  // (balls + 1)
  std::vector<int> partner_;
  std::vector<int> cell_, start_, sorted_;
};

}  // namespace carom::simulate
