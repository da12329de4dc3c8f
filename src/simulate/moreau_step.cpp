#include "simulate/moreau_step.h"
#include "model/forces.h"
namespace carom {
Vector MoreauStep::forces_of(const State& s) const { return forces(model_, s).h; }
}
