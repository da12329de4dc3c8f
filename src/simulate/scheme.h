#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>

namespace carom::simulate {

/// Accurate motion between impacts; every contact event is located and solved as an impact; contacts that stay closed
/// are constraints. For few bodies and exact answers.
struct EventDriven {
  static constexpr std::string_view name = "event-driven";
  static constexpr std::string_view summary = "smooth motion to a tolerance, every impact located in time";

  double tolerance = 1e-11;  // [-] of the motion between impacts, relative
  double rest = 1e-5;        // [-] impacts slower than this times the fastest approach so far are plastic
  double accuracy = 1e-9;    // [-] of the velocities after an impact; 0: none but rounding
  double most_impacts = std::numeric_limits<double>::infinity();  // then the run ends and says so

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("tolerance", self.tolerance, "relative error of the motion between impacts, from 1e-13 to 1e-3");
    visit("rest", self.rest, "impacts slower than this, relative to the fastest so far, leave the contact closed");
    visit("accuracy", self.accuracy, "relative error that impacts may have where they are solved by iteration");
    visit("most_impacts", self.most_impacts, "the run ends, and says so, after that many; left out: no limit");
  }
};

/// The Moreau-Jean scheme: steps of fixed length, each an impact problem with the impulse of the smooth forces. For
/// many bodies in lasting contact.
struct TimeStepping {
  static constexpr std::string_view name = "time-stepping";
  static constexpr std::string_view summary = "steps of fixed length, contacts at velocity level (Moreau-Jean)";

  double step = 1e-3;                // [s]
  double theta = 0.5;                // [-] 1/2: second order where smooth; 1: most damping
  std::optional<double> accuracy{};  // [-] of the contacts' velocities; 0: none but rounding; nothing: by their number

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("step", self.step, "length of a step [s]");
    visit("theta", self.theta, "from 1/2 (conserves most) to 1 (damps most)");
    visit("accuracy", self.accuracy,
          "relative error that a step may leave in the contacts' velocities; 0: none but rounding; left out: 1e-6, and "
          "1e-3 where more than 300 rows (100 contacts in space) touch in a step");
  }
};

/// Motion under contact forces (law compliant), in steps that are controlled by their error and end where something
/// happens to a contact, for few bodies; or in steps of fixed length that leapfrog, for many.
struct ForcedMotion {
  static constexpr std::string_view name = "compliant";
  static constexpr std::string_view summary = "motion under contact forces: located, or in fixed steps for many bodies";

  enum class Steps { chosen, located, fixed };
  friend constexpr std::array<std::string_view, 3> words_of(Steps) { return {"auto", "located", "fixed"}; }

  Steps steps = Steps::chosen;
  double step = 0;          // [s] 0: a fortieth of the shortest contact
  double tolerance = 1e-8;  // [-] of located motion, relative

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("steps", self.steps, "located: every contact event is found; fixed: steps of one length; auto: by the size");
    visit("step", self.step, "length of fixed steps [s]; left out: a fortieth of the shortest contact");
    visit("tolerance", self.tolerance, "relative error of located motion, from 1e-12 to 1e-3");
  }
};

using Scheme = std::variant<EventDriven, TimeStepping, ForcedMotion>;

inline std::string_view name_of(const Scheme& scheme) {
  return std::visit([](const auto& value) { return std::string_view(value.name); }, scheme);
}

}  // namespace carom::simulate

namespace carom {
using simulate::EventDriven;
using simulate::ForcedMotion;
using simulate::Scheme;
using simulate::TimeStepping;
}  // namespace carom
