#include "carom/record/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "carom/laws/relations.h"
#include "carom/model/contact_rules.h"

namespace carom::record {
namespace {

constexpr double kSame = 1e-6;        // of the largest: differences below are none
constexpr double kUncoupled = 1e-12;  // of the diagonal

using Group = std::vector<std::size_t>;  // columns that agree

std::vector<Group> groups_of(std::size_t count, const std::function<bool(std::size_t, std::size_t)>& same) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& one) { return same(one[0], i); });
    if (found == groups.end())
      groups.push_back({i});
    else
      found->push_back(i);
  }
  return groups;
}

bool near(double a, double b, double scale) {
  return std::abs(a - b) <= kSame * scale;
}

bool near(const Vector& a, const Vector& b) {
  if (a.size() != b.size() || a.size() == 0) return false;
  return (a - b).cwiseAbs().maxCoeff() <= kSame * std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
}

/// What a reason may rest on.
struct Facts {
  bool one_by_one = false;  // never more than one contact, no friction
  bool uncoupled = false;   // no friction, and no contact's impulse changes the velocity of another
  bool friction = true;
  std::vector<double> e;   // of the contacts, each once
  bool functions = false;  // some e depends on the impact
};

/// Why these columns had to agree; empty if nothing known requires it.
std::string reason(const Group& group, const std::vector<ColumnTitle>& columns, const Facts& facts) {
  if (facts.one_by_one) return "one contact at a time and no friction, so e alone says what follows";
  if (facts.uncoupled)
    return "no friction, and no contact's impulse changes the gap velocity of another, so each e acts by itself";
  if (facts.friction || facts.functions || facts.e.size() != 1) return "";
  std::vector<ImpactLaw> laws;
  for (const std::size_t column : group) laws.push_back(columns[column].law);
  return why_same(laws, facts.e.front());
}

std::string group_names(const Group& group, const std::vector<ColumnTitle>& columns) {
  std::vector<std::string> labels;
  for (const std::size_t i : group) labels.push_back(columns[i].label());
  return enumeration(labels);
}

std::vector<std::string> sentences(const std::vector<Group>& groups, const std::vector<ColumnTitle>& columns,
                                   const std::function<Facts(const Group&)>& facts) {
  std::vector<std::string> lines;
  for (const Group& group : groups) {
    if (group.size() < 2) continue;
    const std::string why = reason(group, columns, facts(group));
    lines.push_back(fmt::format("{} agree{}", group_names(group, columns),
                                why.empty() ? " here, though in general they need not" : ": " + why));
  }
  return lines;
}

void add_once(std::vector<double>& values, double value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

Facts facts_of(const ImpactProblem& problem) {
  Facts facts;
  facts.friction = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                               [](const Contact& one) { return one.mu > 0 || one.e_t != 0; });
  for (const Contact& one : problem.contacts) {
    add_once(facts.e, one.e);
    facts.functions = facts.functions || one.e_of;
  }
  facts.one_by_one = problem.contacts.size() == 1 && !facts.friction;
  if (facts.friction) return facts;
  const ContactProblem contacts = reduce(problem);
  facts.uncoupled = true;
  for (std::size_t i = 0; i < contacts.row.size(); ++i)
    for (std::size_t j = 0; j < i && facts.uncoupled; ++j) {
      const Index a = contacts.row[i], b = contacts.row[j];
      const double size = std::sqrt(contacts.G.coeff(a, a) * contacts.G.coeff(b, b));
      facts.uncoupled = std::abs(contacts.G.coeff(a, b)) <= kUncoupled * size;
    }
  return facts;
}

/// The largest impulse of an impact [N s].
double strongest(const RunImpact& impact) {
  double most = 0;
  for (const PairImpulse& one : impact.pairs) most = std::max(most, std::abs(one.impulse));
  return most;
}

bool same_impact(const RunImpact& a, const RunImpact& b, double duration) {
  if (!near(a.t, b.t, duration) || a.end != a.t || b.end != b.t) return false;
  const double scale = std::max(strongest(a), strongest(b));
  const auto covers = [&](const RunImpact& one, const RunImpact& other) {
    return std::all_of(one.pairs.begin(), one.pairs.end(), [&](const PairImpulse& pair) {
      const auto found = std::find_if(other.pairs.begin(), other.pairs.end(), [&](const PairImpulse& its) {
        return its.body_a == pair.body_a && its.body_b == pair.body_b;
      });
      return near(pair.impulse, found == other.pairs.end() ? 0 : found->impulse, scale);
    });
  };
  return covers(a, b) && covers(b, a);
}

/// How many of their first impacts two runs share.
std::size_t shared_impacts(const ComparedRun& a, const ComparedRun& b) {
  const double duration = std::max(a.summary->t_end, b.summary->t_end);
  std::size_t count = 0;
  while (count < std::min(a.impacts.size(), b.impacts.size()) &&
         same_impact(a.impacts[count], b.impacts[count], duration))
    ++count;
  return count;
}

bool same_run(const ComparedRun& a, const ComparedRun& b) {
  return a.summary->impacts == b.summary->impacts && a.impacts.size() == b.impacts.size() &&
         shared_impacts(a, b) == a.impacts.size() && near(a.summary->end.q, b.summary->end.q) &&
         (near(a.summary->end.u, b.summary->end.u) || a.impacts.empty());
}

bool is_forced(const ComparedRun& run) {
  return run.column.scheme == ForcedMotion::name;
}

Facts facts_of(const Model& model, const ComparedRun& run) {
  Facts facts;
  const ContactRules rules(model);
  facts.friction = false;
  for (const PartPair& parts : rules.kinds()) {
    const PairProperties known = rules.properties(parts.body_a, parts.body_b);
    facts.friction = facts.friction || known.mu > 0 || known.e_t != 0;
    add_once(facts.e, known.e);
    facts.functions = facts.functions || known.e_of;
  }
  facts.one_by_one = run.one_by_one && !is_forced(run);
  return facts;
}

/// Where two runs part.
std::string parting(const ComparedRun& a, const ComparedRun& b) {
  const std::size_t count = shared_impacts(a, b);
  const std::string who = fmt::format("{} and {}", a.column.label(), b.column.label());
  if (count >= a.impacts.size() || count >= b.impacts.size())
    return fmt::format(
        "{} agree on the first {} impacts and differ later{}", who, count,
        a.one_by_one && b.one_by_one ? ": one contact at a time, so by rounding, which every impact multiplies" : "");
  const RunImpact &x = a.impacts[count], &y = b.impacts[count];
  const std::size_t contacts = std::max(x.contacts, y.contacts);
  const bool friction = x.friction || y.friction;
  std::string with = contacts > 1 ? fmt::format(", with {} contacts at once", contacts) : "";
  if (friction) with += contacts > 1 ? " and friction" : ", with friction";
  return fmt::format("{} part at impact {}, t = {} s{}", who, count + 1, number(std::min(x.t, y.t)), with);
}

}  // namespace

std::vector<std::string> agreement_words(const ImpactProblem& problem, const std::vector<ImpactOutcome>& outcomes,
                                         const std::vector<ColumnTitle>& columns) {
  const auto same = [&](std::size_t i, std::size_t j) {
    return near(outcomes[i].u_plus, outcomes[j].u_plus) ||
           (outcomes[i].u_plus.size() > 0 && outcomes[j].u_plus.size() > 0 &&
            near((outcomes[i].u_plus - outcomes[j].u_plus).cwiseAbs().maxCoeff(), 0,
                 problem.u_minus.cwiseAbs().maxCoeff()));
  };
  return sentences(groups_of(outcomes.size(), same), columns, [&](const Group&) { return facts_of(problem); });
}

std::vector<std::string> agreement_words(const Model& model, const std::vector<ComparedRun>& runs) {
  std::vector<ColumnTitle> columns;
  for (const ComparedRun& run : runs) columns.push_back(run.column);
  const std::vector<Group> groups =
      groups_of(runs.size(), [&](std::size_t i, std::size_t j) { return same_run(runs[i], runs[j]); });
  std::vector<std::string> lines =
      sentences(groups, columns, [&](const Group& group) { return facts_of(model, runs[group.front()]); });
  const auto instants =
      std::find_if(groups.begin(), groups.end(), [&](const Group& one) { return !is_forced(runs[one[0]]); });
  if (instants == groups.end()) return lines;
  std::vector<std::string> forced;
  for (const Group& group : groups) {
    const ComparedRun& run = runs[group.front()];
    if (is_forced(run))
      forced.push_back(run.column.label());
    else if (&group != &*instants)
      lines.push_back(parting(runs[instants->front()], run));
  }
  if (!forced.empty())
    lines.push_back(fmt::format(
        "{} {} forces: contacts last, so {} near impacts in an instant only as contacts get stiff", enumeration(forced),
        forced.size() == 1 ? "follows" : "follow", forced.size() == 1 ? "it comes" : "they come"));
  return lines;
}

}  // namespace carom::record
