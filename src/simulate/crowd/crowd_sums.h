#pragma once

#include "carom/impact/outcome.h"
#include "carom/simulate/crowd/crowd_contacts.h"
#include "carom/simulate/journal.h"

namespace carom::simulate {

/// What the equations of a crowd's contacts are off by, as the certificate of an impact has it.
struct CrowdMisses {
  Certificate::Residuals absolute, relative;
  double tolerance = 0;  // of the relative ones
};

/// [m/s] of a contact's points against each other, before the step and without contacts: what its accuracy is relative
/// to. As high as those of two bodies that fall beside each other on something that stands.
double speed_of(const CrowdContact& contact);

/// [m/s] the most that is taken of it: contacts that slip fast beside others that close slowly would else be solved so
/// roughly that those penetrate.
double speed_limit_of(const CrowdContacts& crowd, double accuracy);

/// [m/s] the largest of them so limited.
double largest_speed_of(const CrowdContacts& crowd, double accuracy);

/// Judges the contacts that act, at the velocities and impulses that they have; `accuracy` is what was asked for,
/// `residual` what sweeps left.
CrowdMisses misses_of(const CrowdContacts& crowd, double accuracy, double residual);

/// The whole impulses of the step [N s] along the axes and the velocities after it, (contacts). The bodies have its
/// velocities at the end, `u`.
StepSums sums_of(const Model& model, const CrowdMoment& moment, const CrowdIsland& island, const CrowdContacts& crowd,
                 const std::vector<Vector3>& Lambda, const std::vector<Vector3>& plus, const Vector& u);

/// Velocities (rows) that contacts have, in the order of `contacts`: after the step.
void read_velocities(const CrowdContacts& crowd, std::vector<Vector3>& plus);

/// [J] what a contact takes, at the mean of its velocities before and after the step: by the normal impulse and along
/// it.
struct ContactLoss {
  double normal = 0, friction = 0;
};
ContactLoss loss_of(const CrowdContact& contact, const Vector3& plus, const Vector3& Lambda);

}  // namespace carom::simulate
