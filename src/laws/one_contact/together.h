#pragma once

#include <string_view>
#include <vector>

#include "carom/laws/one_contact/impact.h"
#include "carom/laws/one_contact/onset.h"

namespace carom::one_contact {

/// What a group of contacts does that act together, and whether each of its later tangential impacts has one way to
/// start, and none is left.
struct FollowedGroup {
  Impulses impulses;  // of the group; without any where nothing grew
  bool one_way = true;
};

/// What was claimed is not known: other starts may lead elsewhere.
void doubt(Uniqueness& unique);

/// The impact after these impulses of its contacts.
ContactProblem after(const ContactProblem& problem, const Vector& Lambda);

/// Contacts that move each other, followed in time: the rigid limit of springs that end by their work (stronge) or
/// their impulse (poisson). Tangential impacts start along the directions of `onset`, and those of contacts that they
/// leave behind follow after them.
class Together {
 public:
  struct Options {
    Restitution restitution = Restitution::stronge;
    double tolerance = 1e-9;
    std::string_view law;
  };

  Together(const ContactProblem& problem, const std::vector<Index>& group, const Onset& onset, const Options& options)
      : problem_(problem), group_(group), onset_(onset), options_(options) {}

  /// What happens, from equal disturbances if nothing closes.
  FollowedGroup follow(Path* path) const;

  /// How well a tangential impact is known (`accuracy`, `message`), and whether it is the only one (`unique`,
  /// `remarks`).
  void judge(const FollowedGroup& own, Impulses& impulses) const;

 private:
  double disturbance() const;
  Vector in_all_rows(const Vector& own) const;
  double relative_speed(const Vector& own) const;
  Impulses follow_once(const Vector& onset, double size, Path* path) const;
  FollowedGroup follow_all(const Vector& onset, double size, Path* path) const;
  void tell_others(double farthest, Impulses& impulses) const;

  const ContactProblem& problem_;
  const std::vector<Index>& group_;
  const Onset& onset_;
  Options options_;
};

}  // namespace carom::one_contact
