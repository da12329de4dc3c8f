#include "carom/record/admissible_report.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/analysis/kinetic_metric.h"
#include "carom/analysis/restitution_matrix.h"
#include "carom/record/outcome_json.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

/// -gamma+/gamma- over a range of gamma+; nothing for a contact that does not close beforehand.
std::optional<analysis::AdmissibleSet::Range> restitution(const analysis::AdmissibleSet::Range& gamma_plus,
                                                          double gamma_minus) {
  if (!(gamma_minus < 0)) return std::nullopt;
  return analysis::AdmissibleSet::Range{gamma_plus.least / -gamma_minus, gamma_plus.largest / -gamma_minus};
}

Json judgement_json(const analysis::Judgement& judgement) {
  return {{"u_plus", to_json(judgement.u_plus)},
          {"kinematic", judgement.kinematic},
          {"kinetic", judgement.kinetic},
          {"energetic", judgement.energetic},
          {"dissipation_level", or_null(judgement.dissipation_level)},
          {"impulse", to_json(judgement.impulse)}};
}

Json pair(const analysis::AdmissibleSet::Range& range) {
  return Json::array({range.least, range.largest});
}

Json ranges_json(const analysis::AdmissibleSet& set) {
  const auto ranges = set.ranges();
  if (!ranges) return nullptr;
  const ContactProblem& problem = set.contact_problem();
  Json result = Json::array();
  for (std::size_t i = 0; i < ranges->size(); ++i) {
    const auto e = restitution((*ranges)[i], problem.gamma_minus[problem.row[i]]);
    result.push_back({{"contact", problem.contacts()[i].name},
                      {"gamma_plus", pair((*ranges)[i])},
                      {"restitution", e ? pair(*e) : Json(nullptr)}});
  }
  return result;
}

Json dissipativity_json(const ContactProblem& problem, const Matrix& E_n) {
  if (E_n.size() == 0) return nullptr;
  const analysis::Dissipativity found = analysis::dissipativity(problem, E_n);
  return {{"norm", std::isfinite(found.norm) ? Json(found.norm) : Json(nullptr)},
          {"dissipative", found.dissipative},
          {"worst_q_norm", to_json(found.worst)}};
}

using analysis::MatrixVerdict;

std::string name_of_contact(const ContactProblem& problem, Index i) {
  return problem.contacts()[static_cast<std::size_t>(i)].name;
}

Json failure_json(const ContactProblem& problem, const std::optional<analysis::Failure>& failure) {
  if (!failure) return nullptr;
  return {{"contact", name_of_contact(problem, failure->contact)}, {"gamma_minus", to_json(failure->gamma_minus)}};
}

Json energy_json(const MatrixVerdict& verdict) {
  return {{"energetic", verdict.energetic.is_known() ? Json(!verdict.energetic.denied()) : Json(nullptr)},
          {"energy_ratio", verdict.energy_ratio},
          {"energy_bound", std::isfinite(verdict.energy_bound) ? Json(verdict.energy_bound) : Json(nullptr)},
          {"exact", verdict.exact},
          {"searched", verdict.searched},
          {"worst_u", to_json(verdict.u_minus)},
          {"worst_gamma", to_json(verdict.gamma_minus)}};
}

Json verdict_json(const ContactProblem& problem, const std::optional<analysis::Restitution>& restitution) {
  if (!restitution) return nullptr;
  const auto verdict = analysis::matrix_verdict(problem, *restitution);
  if (!verdict) return nullptr;
  Json result = energy_json(*verdict);
  if (restitution->form == analysis::Restitution::Form::inequality) {
    if (const auto all = analysis::matrix_verdict(problem, *restitution, analysis::Velocities::all))
      result["all_velocities"] = energy_json(*all);
    return result;
  }
  if (!verdict->told) return result;
  result["impossible"] = failure_json(problem, verdict->impossible);
  result["penetrates"] = failure_json(problem, verdict->penetrates);
  result["pulls"] = failure_json(problem, verdict->pulls);
  return result;
}

/// Which contacts close in a proof.
std::string closing_contacts(const ContactProblem& problem, const Vector& gamma) {
  constexpr std::size_t kShownContacts = 4;
  std::vector<std::string> names;
  for (Index i = 0; i < gamma.size(); ++i)
    if (gamma[i] < 1e-9 * gamma.minCoeff()) names.push_back(name_of_contact(problem, i));
  if (names.size() == 1) return names[0] + " closes alone";
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShownContacts); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > kShownContacts ? fmt::format(" and {} more", names.size() - kShownContacts) : "") +
         " close";
}

std::string energy_verdict(const MatrixVerdict& verdict) {
  constexpr Index kShownVelocities = 12;
  if (verdict.energetic) return "never gains energy";
  const bool bounded = std::isfinite(verdict.energy_bound);
  if (!verdict.energetic.is_known())
    return fmt::format(
        "is not known to gain energy: {} descents found no velocity that does{}", verdict.searched,
        bounded ? fmt::format(", and none gains more than {} times it", number(verdict.energy_bound)) : "");
  std::string u;
  const double scale = verdict.u_minus.cwiseAbs().maxCoeff();
  for (Index i = 0; i < std::min(verdict.u_minus.size(), kShownVelocities); ++i)
    u += " " + number(verdict.u_minus[i] / scale, 1);
  const std::string most = verdict.exact ? "up to " : "";
  const std::string more = verdict.exact ? ""
                           : bounded     ? fmt::format(" (others by at most {})", number(verdict.energy_bound))
                                         : " (others perhaps by more)";
  return fmt::format("multiplies the energy by {}{}{}, at u- ={}{}", most, number(verdict.energy_ratio), more, u,
                     verdict.u_minus.size() > kShownVelocities ? " ..." : "");
}

std::string verdict_text(const ContactProblem& problem, const std::optional<analysis::Restitution>& restitution) {
  if (!restitution) return "";
  const auto verdict = analysis::matrix_verdict(problem, *restitution);
  if (!verdict) return "";
  std::string text = "the law's coefficients, for every velocity that closes contacts and opens none:\n";
  if (restitution->form == analysis::Restitution::Form::equality) {
    const auto line = [&](const std::optional<analysis::Failure>& failure, const char* always, const char* fails) {
      if (!failure) return fmt::format("  {}\n", always);
      return fmt::format("  contact {} {} when {}\n", name_of_contact(problem, failure->contact), fails,
                         closing_contacts(problem, failure->gamma_minus));
    };
    if (verdict->impossible) text += line(verdict->impossible, "", "gets a velocity that the others do not leave it");
    if (verdict->told)
      text += line(verdict->penetrates, "no contact penetrates", "penetrates") +
              line(verdict->pulls, "no contact pulls", "pulls");
  }
  text += "  " + energy_verdict(*verdict) + "\n";
  if (restitution->form == analysis::Restitution::Form::equality || verdict->energetic.denied()) return text;
  const auto all = analysis::matrix_verdict(problem, *restitution, analysis::Velocities::all);
  if (all && !all->energetic) text += "where a contact opens beforehand, it " + energy_verdict(*all) + "\n";
  return text;
}

Matrix guess(const AdmissibleReport& report) {
  const Index m = report.set.contact_problem().size();
  return report.E_n.size() > 0 ? report.E_n : Matrix::Zero(m, m);
}

std::string angles_text(const ContactProblem& problem) {
  constexpr Index kShown = 12;
  if (problem.size() > kShown) return "";
  const Matrix angles = analysis::kinetic_angles(problem);
  std::vector<std::string> header = {"kinetic angle [deg]"};
  for (const Contact& contact : problem.contacts()) header.push_back(contact.name);
  Table table(header);
  for (Index i = 0; i < angles.rows(); ++i) {
    std::vector<std::string> row = {problem.contacts()[i].name};
    for (Index j = 0; j < angles.cols(); ++j)
      row.push_back(i == j ? "-" : fmt::format("{:.4g}", angles(i, j) * 180 / std::numbers::pi));
    table.add(row);
  }
  return table.text() + "\n";
}

std::string ranges_text(const analysis::AdmissibleSet& set) {
  const auto ranges = set.ranges();
  if (!ranges) return "";
  const ContactProblem& problem = set.contact_problem();
  Table table({"contact", "gap velocity before", "after: least", "largest", "restitution: least", "largest"});
  for (std::size_t i = 0; i < ranges->size(); ++i) {
    const auto& range = (*ranges)[i];
    const double before = problem.gamma_minus[problem.row[i]], scale = range.largest + std::abs(before);
    const auto e = restitution(range, before);
    table.add({problem.contacts()[i].name, number(before, scale), number(range.least, scale),
               number(range.largest, scale), e ? number(e->least, 1) : "-", e ? number(e->largest, 1) : "-"});
  }
  return table.text() + "\n";
}

std::string candidates_text(const AdmissibleReport& report) {
  if (report.candidates.empty()) return "";
  Table table({"candidate", "opens", "presses", "no energy gained", "dissipation level", "verdict"});
  for (std::size_t i = 0; i < report.candidates.size(); ++i) {
    const analysis::Judgement judgement = report.set.judge(report.candidates[i], report.tolerance);
    const auto word = [](bool holds) { return holds ? "yes" : "no"; };
    table.add({std::to_string(i + 1), word(judgement.kinematic), word(judgement.kinetic), word(judgement.energetic),
               judgement.dissipation_level ? number(*judgement.dissipation_level, 1) : "-",
               judgement.admissible() ? "admissible" : "not admissible"});
  }
  return table.text() + "\n";
}

std::string dissipativity_text(const ContactProblem& problem, const Matrix& E_n) {
  if (E_n.size() == 0) return "";
  const analysis::Dissipativity found = analysis::dissipativity(problem, E_n);
  if (!std::isfinite(found.norm))
    return "E_n: the contacts are redundant, so no norm decides whether it is dissipative\n";
  return fmt::format("E_n: |A^-1/2 E_n A^1/2| = {}, {}\n", number(found.norm),
                     found.dissipative
                         ? "dissipative for every velocity before the impact"
                         : fmt::format("multiplies the energy by up to {} for some velocity before the impact",
                                       number(found.energy_ratio)));
}

}  // namespace

std::string AdmissibleReport::json() const {
  const ContactProblem& problem = set.contact_problem();
  Json result = {{"format", "carom-admissible/1"},
                 {"status", set.possible() ? "solved" : "no-solution"},
                 {"order", problem.size()},
                 {"kinetic_angles", to_json(analysis::kinetic_angles(problem))},
                 {"max_dissipation", set.possible() ? to_json(set.max_dissipation()) : Json(nullptr)},
                 {"ranges", ranges_json(set)},
                 {"E_n", dissipativity_json(problem, E_n)},
                 {"approaching", verdict_json(problem, restitution)},
                 {"candidates", Json::array()}};
  for (const Vector& candidate : candidates) {
    Json judged = judgement_json(set.judge(candidate, tolerance));
    const Matrix found = analysis::restitution_matrix(problem, candidate, guess(*this));
    judged["E_n"] = found.size() > 0 ? to_json(found) : Json(nullptr);
    result["candidates"].push_back(judged);
  }
  if (!samples.empty()) {
    result["samples"] = Json::array();
    for (const Vector& sample : samples) result["samples"].push_back(to_json(sample));
  }
  return result.dump(2) + "\n";
}

std::string AdmissibleReport::text() const {
  const ContactProblem& problem = set.contact_problem();
  std::string result = fmt::format("an impact of order {}: {} contact{} at once\n\n", problem.size(), problem.size(),
                                   problem.size() == 1 ? "" : "s");
  result += angles_text(problem);
  if (!set.possible()) return result + "no velocity is admissible: the contacts pinch a body between them\n";
  constexpr Index kShown = 24;
  const Vector& v = set.max_dissipation();
  result += "maximal dissipation: u+ =";
  for (Index i = 0; i < std::min(v.size(), kShown); ++i) result += " " + number(v[i], v.cwiseAbs().maxCoeff());
  result += v.size() > kShown ? fmt::format(" ... ({} in all)\n\n", v.size()) : "\n\n";
  result +=
      ranges_text(set) + candidates_text(*this) + dissipativity_text(problem, E_n) + verdict_text(problem, restitution);
  if (!samples.empty()) result += fmt::format("{} samples drawn (--json lists them)\n", samples.size());
  return result;
}

}  // namespace carom::record
