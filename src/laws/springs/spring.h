#pragma once

#include "carom/laws/springs/forces.h"

namespace carom::springs {

enum class Phase : char { open, compression, expansion };
enum class Event : char { none, closes, turns, opens };

/// What has happened to a contact, and the phase it is in. The indentation s and the velocity gamma are kept by those
/// who integrate them.
struct SpringState {
  Phase phase = Phase::open;
  double mark = 0;             // what an expansion remembers
  double top = 0, bottom = 0;  // the largest s of the present compression, and s at its start
  double updated = 0;          // when s was last computed, for gaps that nobody watches
  bool counts = false;         // it has been compressed by more than noise since it closed
  bool opened = false;         // and has opened after such a compression

  double peak = 0, peak_time = 0;        // force
  double dissipated = 0, released = 0;   // energy; time of the last release after a compression that counts
  long compressions = 0, reimpacts = 0;  // that count, by more than noise
};

/// One contact as a spring: what it is. Its events change its state.
class Spring {
 public:
  Spring(const Force& force, double inverse_mass);
  /// The scales of its velocity and indentation, and what counts as noise at this tolerance.
  void set_scale(double fastest, double tolerance);

  double force(double s) const { return power.at(s); }
  double energy(double s) const { return power.energy(s); }
  double recoverable(double s, const SpringState& state) const;  // energy, of an expansion
  bool moves() const { return inverse_mass > 0; }

  /// How much larger an error of s may be now. An expansion with two stiffnesses takes e times as long as the
  /// compression and leaves a velocity in proportion to e; that is all that its errors change.
  double slack(Phase phase) const { return phase == Phase::expansion && rate > 1 ? std::max(1.0, kQuick / e) : 1; }

  /// The event that a phase found in this state has missed.
  Event missed(const SpringState& state, double s, double gamma) const {
    if (!moves()) return Event::none;
    if (state.phase == Phase::open) return s > 0 || (gamma < 0 && !keeps_gap) ? Event::closes : Event::none;
    if (state.phase == Phase::compression) return gamma > 0 ? Event::turns : Event::none;
    return s <= floor(state) ? Event::opens : gamma < 0 ? Event::turns : Event::none;
  }

  double floor(const SpringState& state) const {  // the indentation at which it opens
    return state.phase == Phase::expansion && jumps ? floor_of(state.mark) : 0;
  }
  double mark_after(double s) const;  // of an expansion that starts at s

  /// The phase at the first touch.
  void begin(SpringState& state, double& s, double gamma, double least) const;

  /// The events. `turn` leads from compression to expansion or back.
  void close(SpringState& state, double s) const;
  void turn(SpringState& state, double s, double time) const;
  void open(SpringState& state, double& s, double time) const;
  void note_peak(SpringState& state, double s, double time) const;

 private:
  static constexpr double kQuick = 1e-2;  // an expansion with a smaller e is too quick to tell s to all digits

  double floor_of(double mark) const;

  Force law_;

 public:
  PowerForce power;
  double e, inverse_mass;
  double rate;                  // of unloading: s' = -rate gamma in an expansion
  bool jumps;                   // its force does when it opens
  bool keeps_gap;               // and it has to close a gap before it presses again
  double speed = 0, depth = 0;  // scales
  double noise = 0;             // a rise of s by less is none
  double shallow = 0;           // an indentation whose energy moves nothing visibly
};

}  // namespace carom::springs
