#pragma once

#include "impact/problem.h"

namespace carom::springs {

inline constexpr double kNoise = 1e-3;      // of the tolerance: velocities and indentations below it are not followed
inline constexpr double kRounding = 4e-16;  // of a velocity, relative to the terms it is summed from
inline constexpr long kManyReimpacts = 8;   // of a contact, before its fading counts as a collapse

/// What a compressed contact does when its bodies part.
enum class Unloading {
  bi,    // unloads along a stiffer curve: the indentation falls 1 / e^2 times as fast as the bodies part
  mono,  // unloads along the same curve, and lets go when all but e^2 of its energy is spent
  gap,   // unloads along the same curve without loss, and then keeps an open gap that has to close again
};

enum class Phase : char { open, compression, expansion };
enum class Event : char { none, closes, turns, opens };

/// One contact as a spring of force k s^eta: what it is, the phase it is in, and what has happened to it. The
/// indentation s and the velocity gamma are kept by those who integrate them.
class Spring {
 public:
  Spring(const Contact& contact, Unloading kind, double inverse);

  /// The scales of its velocity and indentation, and what counts as noise at this tolerance.
  void set_scale(double fastest, double tolerance);

  double force(double s) const;
  double energy(double s) const { return force(s) * s / (eta + 1); }
  double indentation(double stored) const;  // that stores it
  double recoverable(double s) const;       // energy, of an expansion
  bool moves() const { return inverse_mass > 0; }
  bool jumps() const { return e == 0 || unloading == Unloading::mono; }  // its force does when it opens
  double loss() const { return 1 - e * e; }
  double fast() const { return 1 / (e * e); }  // phi of an expansion with two stiffnesses

  /// How much larger an error of s may be now. An expansion with two stiffnesses takes e times as long as the
  /// compression and leaves a velocity in proportion to e; that is all that its errors change.
  double slack() const;

  /// The event that a phase found in this state has missed.
  Event missed(double s, double gamma) const;

  /// The indentation at which it opens.
  double floor() const { return unloading == Unloading::mono && phase == Phase::expansion ? mark : 0; }
  double mark_after(double s) const;  // of an expansion that starts at s

  /// The phase at the first touch.
  void begin(double& s, double gamma, double least);

  /// The events. `turn` leads from compression to expansion or back.
  void close(double s);
  void turn(double s, double time);
  void open(double& s, double time);
  void note_peak(double s, double time);

  double k, eta, e, inverse_mass;
  Unloading unloading;
  double speed = 0, depth = 0;  // scales
  double noise = 0;             // a rise of s by less is none
  double shallow = 0;           // an indentation whose energy moves nothing visibly

  Phase phase = Phase::open;
  double mark = 0;     // expansion: indentation at its start (bi), indentation at which the contact lets go (mono)
  double top = 0;      // the largest s of the present compression
  double updated = 0;  // when s was last computed, for gaps that nobody watches

  double peak = 0, peak_time = 0;        // force
  double dissipated = 0, released = 0;   // energy; time of the last release after a compression that counts
  long compressions = 0, reimpacts = 0;  // that count, by more than noise

 private:
  double bottom_ = 0;    // s at the start of the present compression
  bool counts_ = false;  // it has been compressed by more than noise since it closed
  bool opened_ = false;  // and has opened after such a compression
};

}  // namespace carom::springs
