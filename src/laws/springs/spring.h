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
  double e = 1, speed = 0;     // restitution of the present compression, and how fast it started; where e depends on it
  double base = 0, fall = 0;   // where expansions end by impulse: Lambda at the start of the compression, less what was
                               // still to come then; and -s' of an expansion
  bool counts = false;         // it has been compressed by more than noise since it closed
  bool opened = false;         // and has opened after such a compression

  double peak = 0, peak_time = 0;        // force
  double taken = 0, dissipated = 0;      // energy, in compressions; of it and of what it stored before, what is lost
  double released = 0;                   // time of the last release after a compression that counts
  long compressions = 0, reimpacts = 0;  // that count, by more than noise
};

/// One contact as a spring: what it is. Its events change its state.
class Spring {
  /// Asks the force with the restitution that holds now.
  template <class Question>
  auto ask(const SpringState& state, Question&& question) const {
    return std::visit(
        [&](auto law) {
          if (e_of_ != nullptr) law.e = state.e;
          return question(law);
        },
        law_);
  }

 public:
  /// `e_of`, if it is not null, decides on e instead of the force's own, at every compression; an e below `least_e` is
  /// 0 then. It must outlive this.
  Spring(const Force& force, double inverse_mass, const RestitutionFunction* e_of = nullptr, double least_e = 0);
  /// The scales of its velocity and indentation, and what counts as noise at this tolerance.
  void set_scale(double fastest, double tolerance);

  double force(double s) const { return power.at(s); }
  double energy(double s) const { return power.energy(s); }
  double recoverable(double s, const SpringState& state) const;  // energy, of an expansion
  bool moves() const { return inverse_mass > 0; }

  double e(const SpringState& state) const { return e_of_ != nullptr ? state.e : e_; }
  /// The smallest e that may occur where it is not the work that decides, of a contact that closes at first like this.
  double smallest_e(double gamma) const;
  bool is_elastic() const { return e_of_ == nullptr && e_ == 1; }  // whatever happens
  bool depends_on_work() const { return e_of_ != nullptr && e_of_->reads_work(); }
  /// Of unloading: s' = -rate gamma in an expansion.
  double rate(const SpringState& state) const {
    return e_of_ == nullptr ? rate_ : ask(state, [](const auto& law) { return law.unloading_rate(); });
  }
  /// Whether its force does when it opens.
  bool jumps(const SpringState& state) const {
    if (e_of_ == nullptr) return jumps_;
    if (state.phase == Phase::compression && depends_on_work()) return true;  // where it turns decides on its e
    return ask(state, [](const auto& law) { return law.jumps(); });
  }
  bool may_jump() const { return e_of_ != nullptr || (jumps_ && e_ < 1); }

  /// How much larger an error of s may be now. An expansion with two stiffnesses takes e times as long as the
  /// compression and leaves a velocity in proportion to e; that is all that its errors change.
  double slack(const SpringState& state) const {
    return state.phase == Phase::expansion && rate(state) > 1 ? std::max(1.0, kQuick / e(state)) : 1;
  }

  /// The event that a phase found in this state has missed.
  Event missed(const SpringState& state, double s, double gamma) const {
    if (!moves()) return Event::none;
    if (state.phase == Phase::open) return s > 0 || (gamma < 0 && !keeps_gap) ? Event::closes : Event::none;
    if (state.phase == Phase::compression) return gamma > 0 ? Event::turns : Event::none;
    return s <= floor(state) ? Event::opens : gamma < 0 ? Event::turns : Event::none;
  }

  double floor(const SpringState& state) const {  // the indentation at which it opens
    return state.phase == Phase::expansion && jumps(state) ? floor_of(state) : 0;
  }
  double mark_after(const SpringState& state, double s) const;  // of an expansion that starts at s

  /// The phase at the first touch.
  void begin(SpringState& state, double& s, double gamma, double least) const;

  /// The events. `turn` leads from compression to expansion or back.
  void close(SpringState& state, double s) const;
  void turn(SpringState& state, double s, double time) const;
  void open(SpringState& state, double& s, double time) const;
  void note_peak(SpringState& state, double s, double time) const;

 private:
  static constexpr double kQuick = 1e-2;  // an expansion with a smaller e is too quick to tell s to all digits

  double floor_of(const SpringState& state) const;
  void compress(SpringState& state, double s) const;
  double restitution(double v, double work) const;

  Force law_;
  const RestitutionFunction* e_of_;
  double e_, least_e_, rate_;
  bool jumps_;

 public:
  PowerForce power;
  double inverse_mass;
  bool keeps_gap;               // it has to close a gap before it presses again
  double speed = 0, depth = 0;  // scales
  double noise = 0;             // a rise of s by less is none
  double shallow = 0;           // an indentation whose energy moves nothing visibly
};

}  // namespace carom::springs
