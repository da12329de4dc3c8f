#pragma once

#include "carom/simulate/contact_search.h"
#include "carom/simulate/motion.h"

namespace carom::simulate {

/// Kinetic and potential [J].
double energy_of(const Model& model, const State& state);

/// Whether energy went where the motion says in a step, and friction took some: what looks smooth may lead past a
/// change of contacts. `held` is the state of the end with its constraints kept.
bool keeps_energy(const Model& model, const Moment& from, const Moment& end, const State& held, const Scales& scales,
                  double tolerance);

/// Whether bodies overlap at the end of a step that nobody announced: looked for anew, not by the search for closings.
bool leads_into_overlap(const Model& model, const ContactSearch& search, const State& start, const State& end,
                        double tolerance);

/// The positions nearest to those of a state at which contacts that overlap are closed. Where these contradict each
/// other others may overlap then.
Vector parted(const Model& model, const ContactSearch& search, const State& state);

/// Whether the same contacts are closed in the same way.
bool same_mode(const Mode& a, const Mode& b);

}  // namespace carom::simulate
