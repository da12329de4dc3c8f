#pragma once

#include <array>
#include <cmath>

#include "carom/base/word.h"
#include "carom/forces/normal_force.h"

namespace carom::forces {

/// F = k d + c d', d > 0. It jumps to c v at the touch. With z = c / (2 sqrt(k m)):
///   end = force:        F = max(0, k d + c d');  e = exp(-2 z acos(z) / sqrt(1 - z^2)), acosh beyond z = 1
///   end = indentation:  F pulls until d = 0;     e = exp(-pi z / sqrt(1 - z^2)), and z >= 1 never ends
/// e in (0, 1] does not depend on the speed; eta is not read. k is that of the contact in series with what the bodies
/// give way, the damper acts on both.                       [Gilardi, Sharf 2002, (24)]
struct SpringDashpot {
  enum class End { force, indentation };
  friend constexpr std::array<std::string_view, 2> words_of(End) { return {"force", "indentation"}; }

  static constexpr std::string_view name = "spring-dashpot";
  static constexpr std::string_view summary = "k d + c d', linear; jumps at the touch";
  static constexpr std::string_view source = "Gilardi & Sharf 2002, (24)";
  static constexpr bool remembers = false;

  double k = 1, e = 1;
  std::optional<double> c = {};
  End end = End::force;
  const RestitutionFunction* e_of = nullptr;

  SpringDashpot() = default;
  explicit SpringDashpot(const Contact& contact)
      : k(contact.k / (1 + contact.flexibility * contact.k)), e(contact.e), c(contact.c), e_of(contact.e_of.get()) {}

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("k", self.k, "stiffness [N/m], > 0");
    visit("e", self.e, "restitution asked for, in (0, 1]");
    visit("c", self.c, "damping [N s/m], instead of e");
    visit("end", self.end, "force: never pulls; indentation: pulls until d = 0");
  }

  double law(double d, double rate, const Memory& memory) const { return k * d + memory.damping * rate; }
  double reserve(double d, double rate, const Memory& memory) const { return k * d + memory.damping * rate; }
  double stored(double d, const Memory&) const { return d > 0 ? 0.5 * k * d * d : 0; }
  double elastic(double d, const Memory&) const { return d > 0 ? k * d : 0; }
  double indentation(double energy) const { return energy > 0 ? std::sqrt(2 * energy / k) : 0; }
  double stiffness(double, const Memory&) const { return k; }
  double stiffening(double, const Memory&) const { return 0; }
  double slope(double, double, const Memory&) const { return k; }
  double damping(double, const Memory& memory) const { return memory.damping; }
  Memory touch(double speed, double mass) const { return {.v0 = speed, .damping = damper(speed, mass)}; }
  Memory turn(double, const Memory& memory) const { return memory; }
  double floor(const Memory&) const { return 0; }
  bool may_pull() const { return end == End::indentation; }
  bool needs_speed() const { return false; }
  std::optional<double> asked(double speed, double mass) const {
    return c ? std::nullopt : std::optional(asked_restitution(e, e_of, speed, mass, kLeastAsked));
  }
  double restitution(double speed, double mass) const;
  std::optional<Fault> fault(double mass) const;

  double damper(double speed, double mass) const;  // [N s/m] c, or what e needs
};

}  // namespace carom::forces
