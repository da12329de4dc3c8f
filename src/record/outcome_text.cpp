#include "carom/record/outcome_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "carom/record/table.h"

namespace carom::record {
namespace {

double largest(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

/// An energy that was lost; 0 where the accuracy of the outcome does not know it.
std::string lost_energy(const ImpactOutcome& outcome, double value) {
  const Energy& energy = outcome.energy;
  const double scale = energy.before + energy.after + energy.stored_before;
  return number(outcome.history && std::abs(value) <= outcome.certificate.tolerance * scale ? 0 : value, scale);
}

std::string contact_table(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Vector before = outcome.normal(outcome.gamma_minus), after = outcome.normal(outcome.gamma_plus);
  const Vector impulse = outcome.normal(outcome.Lambda);
  const Vector lost = outcome.energy.dissipated_normal + outcome.energy.dissipated_friction;
  const bool tangents = outcome.Lambda.size() > impulse.size();
  const double speed = std::max(largest(before), largest(after));
  std::vector<std::string> header = {"contact", "gap velocity before [m/s]", "after", "impulse [kg m/s]"};
  if (tangents) header.emplace_back("tangential");
  header.emplace_back("energy lost [J]");
  Table table(header);
  add_rows(table, problem.contacts.size(), [&](std::size_t i) {
    std::vector<std::string> row = {problem.contacts[i].name, number(before[i], speed), number(after[i], speed),
                                    number(impulse[i], largest(impulse))};
    if (tangents) {
      std::string text;
      for (const double value : outcome.tangential(outcome.Lambda, i))
        text += (text.empty() ? "" : ", ") + number(value, largest(outcome.Lambda));
      row.push_back(text.empty() ? "-" : text);
    }
    row.push_back(lost_energy(outcome, lost[i]));
    table.add(row);
  });
  return table.text();
}

/// The work of both phases, where the law has some, and the restitution, where it depended on the impact.
std::string work_table(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const bool used = outcome.e_used.size() > 0;
  if (!outcome.works && !used) return "";
  std::vector<std::string> header = {"contact"};
  if (outcome.works) header.insert(header.end(), {"work of compression [J]", "of restitution [J]"});
  if (used) header.emplace_back("e used");
  Table table(header);
  add_rows(table, problem.contacts.size(), [&](std::size_t i) {
    std::vector<std::string> row = {problem.contacts[i].name};
    if (outcome.works) {
      row.push_back(lost_energy(outcome, outcome.works->compression[i]));
      row.push_back(lost_energy(outcome, outcome.works->restitution[i]));
    }
    if (used) row.push_back(number(outcome.e_used[i]));
    table.add(row);
  });
  return table.text() + "\n";
}

/// What each contact went through, where the law knows.
std::string history_table(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  if (!outcome.history || !outcome.peak_force) return "";
  const ContactHistory& history = *outcome.history;
  const double strongest = largest(*outcome.peak_force);
  const Unit force = readable_unit(strongest, "N"), time = readable_unit(largest(history.peak_time), "s");
  Table table({"contact", fmt::format("peak force [{}]", force.name), fmt::format("at [{}]", time.name), "compressions",
               "re-impacts"});
  add_rows(table, problem.contacts.size(), [&](std::size_t i) {
    const double peak = (*outcome.peak_force)[i];
    table.add({problem.contacts[i].name, number(peak / force.factor, strongest / force.factor),
               peak > 0 ? number(history.peak_time[i] / time.factor) : "-", std::to_string(history.compressions[i]),
               std::to_string(history.reimpacts[i])});
  });
  return table.text() + "\n";
}

std::string history_line(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  if (!outcome.history) return "";
  if (outcome.history->collapsed)
    return "collapsed: ever weaker impacts without end were taken at once; the contacts they leave stay closed\n";
  if (!outcome.solved() || !outcome.duration || *outcome.duration <= 0) return "";
  const bool relative = std::all_of(problem.contacts.begin(), problem.contacts.end(),
                                    [](const Contact& contact) { return contact.k == 1; });
  const Unit time = readable_unit(*outcome.duration, "s");
  return fmt::format("duration [{}]: {} from the first touch to the last release{}\n", time.name,
                     number(*outcome.duration / time.factor),
                     relative ? " (k = 1 everywhere: forces and times are relative)" : "");
}

/// What contacts were asked to return where they return something else, what took the energy, and remarks.
std::string force_lines(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  constexpr double kOther = 1e-6;
  std::string text;
  if (outcome.restitution) {
    std::string others;
    std::size_t count = 0;
    for (std::size_t i = 0; i < outcome.restitution->asked.size(); ++i) {
      const std::optional<double> asked = outcome.restitution->asked[i];
      const double obtained = outcome.restitution->obtained[static_cast<Index>(i)];
      if (!asked || std::abs(*asked - obtained) <= kOther || ++count > kRowsShown / 4) continue;
      others += fmt::format("{}{} for {} at '{}'", others.empty() ? "" : ", ", number(obtained), number(*asked),
                            problem.contacts[i].name);
    }
    if (!others.empty()) text += fmt::format("restitution of the forces: {}\n", others);
  }
  if (outcome.losses) {
    const double damping = outcome.losses->damping.sum(), loops = outcome.losses->loops.sum();
    const double friction = outcome.losses->friction.sum(),
                 scale = outcome.energy.before + outcome.energy.stored_before;
    text += fmt::format("lost [J]: {} in {}, {} by friction\n", number(std::max(damping, loops), scale),
                        loops > damping ? "loops" : "dampers", number(friction, scale));
  }
  if (outcome.effective_restitution)
    text += fmt::format("restitution of the column as a whole: {} (momentum after over momentum before)\n",
                        number(*outcome.effective_restitution, 1));
  for (const std::string& remark : outcome.remarks) text += fmt::format("remark: {}\n", remark);
  return text;
}

/// What the law calls the impact, and its two phases where it has them.
std::string mode_line(const ImpactOutcome& outcome) {
  if (outcome.mode.empty()) return "";
  std::string text = "mode: " + outcome.mode;
  if (outcome.phases) {
    const TwoPhases& phases = *outcome.phases;
    const double work = std::abs(phases.compression_work) + outcome.energy.before;
    text += fmt::format("; compression takes {} J, restitution gives {} J", number(-phases.compression_work, work),
                        number(phases.restitution_work, work));
  }
  return text + "\n";
}

std::string velocity_table(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  Table table({"velocity", "before", "after"});
  const double speed = std::max(largest(problem.u_minus), largest(outcome.u_plus));
  add_rows(table, static_cast<std::size_t>(outcome.u_plus.size()), [&](std::size_t i) {
    table.add({fmt::format("u[{}]", i), number(problem.u_minus[i], speed), number(outcome.u_plus[i], speed)});
  });
  return table.text();
}

std::string energy_line(const ImpactOutcome& outcome) {
  const Energy& energy = outcome.energy;
  const double scale = energy.before + energy.after + energy.stored_before;
  std::string text = fmt::format("energy [J]: {} before", number(energy.before));
  const auto part = [&](double value, const char* what) {
    if (number(value, scale) != "0") text += fmt::format(", {} {}", number(value, scale), what);
  };
  part(energy.stored_before, "stored in the contacts");
  part(energy.wall_work, "work of moving walls");
  part(energy.smooth_work, "work of smooth forces");
  text +=
      fmt::format(", {} after, {} dissipated", number(energy.after, scale), lost_energy(outcome, energy.dissipated()));
  if (energy.before > 0 && energy.wall_work == 0 && energy.smooth_work == 0 && energy.stored_before == 0)
    text +=
        fmt::format(" ({:.4g} % kept)", number(energy.after, scale) == "0" ? 0 : 100 * energy.after / energy.before);
  return text + "\n";
}

}  // namespace

std::string verdict(const ImpactOutcome& outcome) {
  if (outcome.u_plus.size() == 0) return "no solution";
  const Certificate& certificate = outcome.certificate;
  std::string words;
  const auto add = [&](bool holds, const char* word) {
    if (holds) words += (words.empty() ? "" : ", ") + std::string(word);
  };
  add(certificate.penetrating >= 0, "penetrates");
  add(certificate.pulling >= 0, "pulls");
  add(certificate.relative.energetic > certificate.tolerance, "creates energy");
  if (!words.empty()) return words;
  return certificate.consistent ? "consistent" : "inaccurate";
}

std::vector<std::string> certificate_words(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Certificate& certificate = outcome.certificate;
  std::vector<std::string> lines;
  if (outcome.u_plus.size() == 0) return {fmt::format("no solution: {}", outcome.message)};
  if (outcome.status == Status::iteration_limit) lines.push_back(fmt::format("not converged: {}", outcome.message));
  if (certificate.penetrating >= 0)
    lines.push_back(fmt::format("penetrates: contact '{}' still closes at {} m/s after the impact",
                                problem.contacts[certificate.penetrating].name,
                                number(-outcome.normal(outcome.gamma_plus)[certificate.penetrating])));
  if (certificate.pulling >= 0) {
    const double impulse = outcome.normal(outcome.Lambda)[certificate.pulling];
    const std::string& name = problem.contacts[certificate.pulling].name;
    lines.push_back(impulse < 0 ? fmt::format("pulls: contact '{}' carries the impulse {} kg m/s; contacts only press",
                                              name, number(impulse))
                                : fmt::format("slips out of Coulomb's cone: contact '{}', by {} kg m/s", name,
                                              number(certificate.absolute.kinetic)));
  }
  if (certificate.relative.energetic > certificate.tolerance)
    lines.push_back(fmt::format(
        "creates energy: {} J from nowhere{}", number(certificate.absolute.energetic),
        outcome.energy.before > 0
            ? fmt::format(", {:.3g} % of what there was", 100 * certificate.absolute.energetic / outcome.energy.before)
            : ""));
  if (lines.empty() && certificate.consistent)
    lines.emplace_back("consistent: nothing penetrates, nothing pulls, no energy is created");
  if (lines.empty())
    lines.push_back(fmt::format("inaccurate: impact equation off by {}, energy balance by {} (relative)",
                                number(certificate.relative.dynamics), number(certificate.relative.ledger)));
  const bool told = outcome.solved() && !outcome.message.empty();
  if (told) lines.push_back(outcome.message);
  if (outcome.unique.u_plus.denied() && told) return lines;  // the law has said what it chose
  if (outcome.unique.u_plus.denied())
    lines.emplace_back("not unique: the law allows other velocities; those of least kinetic energy are shown");
  if (!outcome.unique.u_plus.is_known() && outcome.u_plus.size() > 0)
    lines.emplace_back("whether friction allows other velocities is not known");
  if (outcome.unique.impulse.denied() || outcome.unique.tangential_impulse.denied())
    lines.emplace_back("impulses not unique: contacts are redundant; those of least kinetic norm are shown");
  return lines;
}

namespace {

std::string velocities(const Vector& u, double scale) {
  std::vector<std::string> words;
  for (const double value : u) words.push_back(number(value, scale));
  return fmt::format("({})", fmt::join(words, ", "));
}

/// All solutions, where they were asked for: one line each.
std::string solutions_text(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  if (outcome.solutions.empty()) return "";
  const double scale = std::max(problem.u_minus.cwiseAbs().maxCoeff(), outcome.u_plus.cwiseAbs().maxCoeff());
  std::string text = "all solutions, by the modes of the contacts:\n";
  for (const SolutionSet& set : outcome.solutions) {
    text += fmt::format("  {}: u+ = {}", fmt::join(set.modes, ", "), velocities(set.u_plus, scale));
    if (set.vertices.size() == 2)
      text += fmt::format(", and all from {} to {}", velocities(set.vertices[0].u_plus, scale),
                          velocities(set.vertices[1].u_plus, scale));
    else if (!set.vertices.empty())
      text += fmt::format(" of a continuum with {} vertices", set.vertices.size());
    if (!set.bounded) text += "; impulses without bound";
    text += "\n";
  }
  return text + "\n";
}

}  // namespace

std::string outcome_text(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  std::string text;
  if (outcome.u_plus.size() > 0)
    text = contact_table(problem, outcome) + "\n" + work_table(problem, outcome) + history_table(problem, outcome) +
           velocity_table(problem, outcome) + "\n" + mode_line(outcome) + history_line(problem, outcome) +
           force_lines(problem, outcome) + energy_line(outcome) + solutions_text(problem, outcome);
  for (const std::string& line : certificate_words(problem, outcome)) text += line + "\n";
  return text;
}

}  // namespace carom::record
