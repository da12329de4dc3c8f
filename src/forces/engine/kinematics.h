#pragma once

#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom::forces {

/// How contacts move under the forces in them: all that the engine knows of bodies. Contacts have rows, normal first,
/// then 0 to 2 tangents, then axes about which they resist turning, with angular velocities and moments in the place of
/// velocities and forces. x is a state of the implementation's own: impulses at a frozen configuration, positions and
/// velocities where bodies move. gamma > 0 opens, a force > 0 presses.
class Kinematics {
 public:
  virtual ~Kinematics() = default;

  virtual Index size() const = 0;  // of x
  virtual Index contacts() const = 0;
  virtual Index rows() const = 0;
  virtual Index row(Index contact) const = 0;
  virtual int tangents(Index contact) const = 0;
  virtual int axes(Index /*contact*/) const { return 0; }

  /// Indentations (contacts) [m], below 0 a gap, and velocities (rows) [m/s].
  virtual void observe(double t, const double* x, double* d, double* gamma) const = 0;
  /// The same of one contact alone, into its own entries of d and gamma.
  virtual void observe_one(Index contact, double t, const double* x, double* d, double* gamma) const = 0;
  /// x' under forces (rows) [N], all other forces included.
  virtual void move(double t, const double* x, const double* force, double* dx) const = 0;
  /// The rates of the velocities (rows) under these forces [m/s^2].
  virtual void accelerate(double t, const double* x, const double* force, double* acceleration) const = 0;
  /// What unit forces in the columns' rows accelerate the rows by: G of these [1/kg].
  virtual Matrix mobility(double t, const double* x, const std::vector<Index>& chosen) const = 0;
  /// x after impulses (rows) at one moment.
  virtual void push(double t, const double* impulse, double* x) const = 0;
  /// G of all rows, where it does not change with x; else nothing.
  virtual const SparseMatrix* constant_mobility() const { return nullptr; }
  /// The sizes of the entries of x that an error is relative to, for contacts of these speeds [m/s] and depths [m].
  virtual Vector scales(double speed, const Vector& depth) const = 0;
};

}  // namespace carom::forces
