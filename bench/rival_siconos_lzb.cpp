// Carom and Siconos on the same impacts under the law of Liu, Zhao and Brogliato, in one run:
//   carom_bench_siconos_lzb [--seconds S] [--filter WORD]
// Errors are max |u+ - converged u+|, every row is hit at 1 m/s. The converged u+ is Carom's at tolerance 1e-12, beside
// the one in tests/data/lzb.json that two other integrators agree on. Siconos' time is that of its impact alone, on a
// model that is ready; Carom's is that of the whole solve, from assembly to certificate.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/impact/solve.h"
#include "carom/laws/lzb.h"
#include "cases.h"
#include "siconos_lzb.h"
#include "timing.h"

namespace carom::bench {
namespace {

constexpr double kConverged = 1e-12;
constexpr double kTolerances[] = {1e-6, 1e-8, 1e-9, 1e-10};
constexpr double kAsked = 1e-8;  // the tolerance beside Siconos, and the error to reach
constexpr int kRounds = 3;       // Carom and Siconos take turns, the fastest round of each counts
constexpr double kSteps[] = {1e-3, 1e-4, 1e-5};

struct Options {
  double seconds = 0.6;  // spent on each measurement, if three runs do not take longer
  std::string filter;    // part of the name of a case
};

struct Case {
  const char* name;
  ImpactProblem problem;
  const char* reference;  // its name in tests/data/lzb.json, or nullptr
};

std::vector<Case> cases() {
  return {
      {"3 balls, Hertz", equal_balls(3, 1.5, 1), nullptr},
      {"3 balls, Hertz, e .97", equal_balls(3, 1.5, 0.97), "T3_AAA_bi"},
      {"5 balls, linear (1,1)", equal_balls(5, 1, 1), "T4_1_1"},
      {"5 balls, linear (2,2)", heavy_first(5, 1, 1), "T4_2_2"},
      {"5 balls, Hertz", equal_balls(5, 1.5, 1), nullptr},
      {"10 balls, Hertz", equal_balls(10, 1.5, 1), "T6_1_9"},
  };
}

std::optional<Vector> reference_of(const Case& impact) {
  if (impact.reference == nullptr) return {};
  nlohmann::json document;
  std::ifstream(CAROM_SOURCE_DIR "/tests/data/lzb.json") >> document;
  for (const nlohmann::json& given : document.at("cases"))
    if (given.at("name") == impact.reference) {
      const auto values = given.at("outputs").at("v_post").get<std::vector<double>>();
      return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
    }
  return {};
}

double distance(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

struct Run {
  double setting = 0;  // tolerance or dP
  double seconds = 0, error = 0;
  double energy = 0;  // after, relative to before
  std::string failure;
};

double kinetic_energy(const ImpactProblem& problem, const Vector& u) {
  return 0.5 * u.dot((problem.M * u));
}

Run run_carom(const ImpactProblem& problem, const Vector& converged, double tolerance, double budget) {
  const Lzb law{.tolerance = tolerance};
  ImpactOutcome outcome;
  const auto measure = [&] { return seconds_of([&] { outcome = solve(problem, law); }); };
  Run run{.setting = tolerance, .seconds = time_that_a_tenth_stays_below(budget, measure), .failure = {}};
  if (!outcome.solved() || !outcome.certificate.consistent) {
    run.failure = outcome.solved() ? "inconsistent" : outcome.message;
    return run;
  }
  run.error = distance(outcome.u_plus, converged);
  run.energy = outcome.energy.after / outcome.energy.before;
  return run;
}

BallRow row_of(const ImpactProblem& problem) {
  BallRow row;
  const Vector masses = problem.M * Vector::Ones(problem.u_minus.size());  // it is diagonal
  row.masses.assign(masses.begin(), masses.end());
  row.velocities.assign(problem.u_minus.begin(), problem.u_minus.end());
  for (const Contact& contact : problem.contacts) {
    row.e.push_back(contact.e);
    row.k.push_back(contact.k);
    row.eta.push_back(contact.eta);
  }
  return row;
}

Run run_siconos(const ImpactProblem& problem, const Vector& converged, double dP, double budget) {
  const BallRow row = row_of(problem);
  SiconosAnswer answer;
  const auto measure = [&] {
    answer = siconos_lzb(row, dP);
    return answer.failure.empty() ? answer.seconds : budget;
  };
  Run run{.setting = dP, .seconds = time_that_a_tenth_stays_below(budget, measure), .failure = answer.failure};
  if (!run.failure.empty()) return run;
  const Vector u = Eigen::Map<const Vector>(answer.u_plus.data(), converged.size());
  run.error = distance(u, converged);
  run.energy = kinetic_energy(problem, u) / kinetic_energy(problem, problem.u_minus);
  return run;
}

struct Verdict {
  const char* name;
  std::optional<double> reference_distance;  // of the converged u+ from the one in lzb.json
  std::vector<Run> carom, siconos;
};

void keep_faster(std::vector<Run>& kept, const std::vector<Run>& runs) {
  if (kept.empty()) kept = runs;
  for (std::size_t i = 0; i < runs.size(); ++i) kept[i].seconds = std::min(kept[i].seconds, runs[i].seconds);
}

Verdict compete(const Case& impact, double budget) {
  Verdict verdict{.name = impact.name, .reference_distance = {}, .carom = {}, .siconos = {}};
  const Vector converged = solve(impact.problem, Lzb{.tolerance = kConverged}).u_plus;
  if (const auto reference = reference_of(impact)) verdict.reference_distance = distance(converged, *reference);
  std::vector<Run> carom, siconos;
  for (int round = 0; round < kRounds; ++round) {
    carom.clear(), siconos.clear();
    for (const double tolerance : kTolerances)
      carom.push_back(run_carom(impact.problem, converged, tolerance, budget / kRounds));
    for (const double dP : kSteps) siconos.push_back(run_siconos(impact.problem, converged, dP, budget / kRounds));
    keep_faster(verdict.carom, carom);
    keep_faster(verdict.siconos, siconos);
  }
  return verdict;
}

// ---- the tables
// -------------------------------------------------------------------------------------------------------

void print_carom(const std::vector<Verdict>& verdicts) {
  fmt::print("Carom alone: error in u+ / time in us\n\n| {:22} | {:>12} |", "case", "to lzb.json");
  for (const double tolerance : kTolerances) fmt::print(" {:>16} |", fmt::format("tolerance {:.0e}", tolerance));
  fmt::print("\n|{:-<24}|{:->13}:|", "", "");
  for (std::size_t i = 0; i < std::size(kTolerances); ++i) fmt::print("{:->17}:|", "");
  fmt::print("\n");
  for (const Verdict& verdict : verdicts) {
    fmt::print("| {:22} | {:>12} |", verdict.name,
               verdict.reference_distance ? fmt::format("{:.1e}", *verdict.reference_distance) : "-");
    for (const Run& run : verdict.carom)
      fmt::print(" {:>16} |",
                 run.failure.empty() ? fmt::format("{:.1e} / {:.0f}", run.error, 1e6 * run.seconds) : run.failure);
    fmt::print("\n");
  }
}

void print_comparison(const std::vector<Verdict>& verdicts) {
  fmt::print(
      "\nBeside Siconos: errors in u+; its error in the energy after, relative to the energy before (> 0: created); "
      "the ratio is how many times as long Siconos takes\n\n");
  fmt::print("| {:22} | {:>10} | {:>9} | {:>9} | {:>9} | {:>9} | {:>9} | {:>9} | {:>7} |\n", "case", "Siconos dP",
             "its error", "in energy", "its ms", "tolerance", "our error", "our ms", "ratio");
  fmt::print("|{:-<24}|{:->11}:|{:->10}:|{:->10}:|{:->10}:|{:->10}:|{:->10}:|{:->10}:|{:->8}:|\n", "", "", "", "", "",
             "", "", "", "");
  for (const Verdict& verdict : verdicts)
    for (const Run& siconos : verdict.siconos)
      for (const Run& carom : verdict.carom) {
        if (carom.setting != kAsked) continue;
        if (!siconos.failure.empty() || !carom.failure.empty()) {
          fmt::print("| {:22} | {:>10.0e} | Siconos: {} | Carom: {} |\n", verdict.name, siconos.setting,
                     siconos.failure, carom.failure);
          continue;
        }
        fmt::print(
            "| {:22} | {:>10.0e} | {:>9.1e} | {:>+9.0e} | {:>9.3g} | {:>9.0e} | {:>9.1e} | {:>9.4f} | {:>7.0f} |\n",
            verdict.name, siconos.setting, siconos.error, siconos.energy - carom.energy, 1e3 * siconos.seconds,
            carom.setting, carom.error, 1e3 * carom.seconds, siconos.seconds / carom.seconds);
      }
}

/// Siconos' most accurate run beside Carom's at the tolerance 1e-8, and beside its fastest whose error is 1e-8 at most.
void print_summary(const std::vector<Verdict>& verdicts) {
  fmt::print(
      "\nSiconos at its smallest error, Carom asked for {0:.0e}, and the fastest Carom with an error of {0:.0e} at "
      "most\n\n",
      kAsked);
  fmt::print("| {:22} | {:>9} | {:>9} | {:>9} | {:>7} | {:>9} | {:>9} | {:>9} | {:>7} |\n", "case", "its error",
             "its ms", "1e-8: ms", "ratio", "tolerance", "our error", "our ms", "ratio");
  fmt::print("|{:-<24}|{:->10}:|{:->10}:|{:->10}:|{:->8}:|{:->10}:|{:->10}:|{:->10}:|{:->8}:|\n", "", "", "", "", "",
             "", "", "", "");
  for (const Verdict& verdict : verdicts) {
    const Run *best = nullptr, *asked = nullptr, *fastest = nullptr;
    for (const Run& run : verdict.siconos)
      if (run.failure.empty() && (best == nullptr || run.error < best->error)) best = &run;
    for (const Run& run : verdict.carom) {
      if (!run.failure.empty()) continue;
      if (run.setting == kAsked) asked = &run;
      if (run.error <= kAsked && (fastest == nullptr || run.seconds < fastest->seconds)) fastest = &run;
    }
    if (best == nullptr || asked == nullptr || fastest == nullptr) continue;
    fmt::print("| {:22} | {:>9.1e} | {:>9.3g} | {:>9.4f} | {:>7.0f} | {:>9.0e} | {:>9.1e} | {:>9.4f} | {:>7.0f} |\n",
               verdict.name, best->error, 1e3 * best->seconds, 1e3 * asked->seconds, best->seconds / asked->seconds,
               fastest->setting, fastest->error, 1e3 * fastest->seconds, best->seconds / fastest->seconds);
  }
}

/// Empty if an option is unknown or its value is missing.
std::optional<Options> parse(const std::vector<std::string_view>& arguments) {
  Options options;
  if (arguments.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string_view key = arguments[i], value = arguments[i + 1];
    if (key == "--filter")
      options.filter = value;
    else if (key != "--seconds" ||
             std::from_chars(value.data(), value.data() + value.size(), options.seconds).ec != std::errc{})
      return {};
  }
  return options;
}

void run(const Options& options) {
  std::vector<Verdict> verdicts;
  for (const Case& impact : cases())
    if (std::string_view(impact.name).find(options.filter) != std::string_view::npos)
      verdicts.push_back(compete(impact, options.seconds));
  print_carom(verdicts);
  print_comparison(verdicts);
  print_summary(verdicts);
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  const auto options = carom::bench::parse({argv + 1, argv + argc});
  if (!options) {
    fmt::print(stderr, "usage: carom_bench_siconos_lzb [--seconds S] [--filter WORD]\n");
    return 2;
  }
  carom::bench::run(*options);
  return 0;
}
