// Any bytes are either a problem or an error with a place; and what a law calls solved is made of finite numbers.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "carom/scene/error.h"
#include "carom/scene/json.h"
#include "carom/scene/problem_reader.h"

namespace {

using namespace carom;

constexpr std::size_t kMostContacts = 8;  // of problems that are also solved
constexpr Index kMostFreedoms = 16;

void require(bool holds, std::string_view law, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(law.size()), law.data(), what);
  std::abort();
}

void require_finite(const ImpactOutcome& outcome) {
  const auto finite = [&](const Vector& values, const char* what) { require(values.allFinite(), outcome.law, what); };
  finite(outcome.u_plus, "u_plus is not finite");
  finite(outcome.gamma_minus, "gamma_minus is not finite");
  finite(outcome.gamma_plus, "gamma_plus is not finite");
  finite(outcome.Lambda, "Lambda is not finite");
  finite(outcome.generalized_impulse, "the generalized impulse is not finite");
  finite(outcome.energy.dissipated_normal, "dissipated_normal is not finite");
  finite(outcome.energy.dissipated_friction, "dissipated_friction is not finite");
  if (outcome.peak_force) finite(*outcome.peak_force, "peak_force is not finite");
  if (outcome.duration) require(std::isfinite(*outcome.duration), outcome.law, "duration is not finite");
  const Energy& energy = outcome.energy;
  for (const double value : {energy.before, energy.after, energy.stored_before, energy.wall_work, energy.smooth_work,
                             energy.dissipated_joints, energy.dissipated_generalized})
    require(std::isfinite(value), outcome.law, "the energy ledger is not finite");
  for (const Certificate::Residuals& r : {outcome.certificate.absolute, outcome.certificate.relative})
    for (const double value : {r.dynamics, r.kinematic, r.kinetic, r.complementarity, r.energetic, r.ledger})
      require(std::isfinite(value), outcome.law, "the certificate is not finite");
}

void solve_and_check(const scene::ProblemFile& file, const ImpactLaw& law) {
  try {
    const ImpactOutcome outcome = solve(file.problem, law);
    if (outcome.solved()) require_finite(outcome);
  } catch (const InputError& error) {
    (void)scene::located(error, file.document);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const scene::ProblemFile file = scene::read_problem(scene::parse_json(text, "fuzz.json"));
    if (file.problem.contacts.size() > kMostContacts || file.problem.M.size() > kMostFreedoms) return 0;
    if (file.law)
      solve_and_check(file, *file.law);
    else
      for_each_law([&](const auto& law) { solve_and_check(file, law); });
  } catch (const scene::ReadError& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "reader", "a message of two lines");
  }
  return 0;
}
