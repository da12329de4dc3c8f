#include "carom/scene/problem_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "carom/scene/contact_reader.h"
#include "carom/scene/direction_reader.h"
#include "carom/scene/error.h"
#include "carom/scene/field.h"
#include "carom/scene/json.h"
#include "carom/scene/law_reader.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::string_view kFormat = "carom-problem/1";
constexpr std::array<std::string_view, 11> kProblemKeys = {"format",   "about",  "mass", "M",          "u", "p",
                                                           "contacts", "joints", "law",  "candidates", "h"};

void check_format(const Field& root) {
  const std::optional<Field> format = member(root, "format");
  if (!format) return;
  if (const std::string given = value_of<std::string>(*format); given != kFormat)
    fail(*format, fmt::format("= {}; expected {}", in_quotes(given), in_quotes(kFormat)));
}

Matrix read_square(const Field& field) {
  if (!field.node->array()) fail_expected(field, "a list of rows, each a list of numbers");
  Matrix M = value_of<Matrix>(field);
  if (M.rows() != M.cols())
    fail(field, fmt::format("is {} x {}; a mass matrix has as many columns as rows", M.rows(), M.cols()));
  return M;
}

MassMatrix read_mass(const Field& root) {
  const std::optional<Field> diagonal = member(root, "mass"), dense = member(root, "M");
  if (diagonal && dense)
    fail(*dense, fmt::format("is given, and mass at {}; expected one of them, not both",
                             place_of(*root.document, diagonal->node->at)));
  const Field given = dense ? *dense : required_member(root, "mass", "the masses of its degrees of freedom, or \"M\"");
  if (given.node->array() && given.node->array()->empty()) fail(given, "is empty; a problem needs at least one mass");
  return dense ? MassMatrix::dense(read_square(given)) : MassMatrix::diagonal(value_of<Vector>(given));
}

SparseMatrix read_joints(const Field& root, Index n) {
  DirectionReader directions(n);
  if (const std::optional<Field> joints = member(root, "joints")) {
    const std::size_t count = entries_of(*joints, "a list of directions").size();
    for (std::size_t i = 0; i < count; ++i) directions.add(entry(*joints, i));
  }
  return directions.matrix();
}

std::vector<Vector> read_candidates(const Field& root, Index n) {
  std::vector<Vector> candidates;
  const std::optional<Field> list = member(root, "candidates");
  if (!list) return candidates;
  const std::size_t count = entries_of(*list, "a list of velocities").size();
  for (std::size_t i = 0; i < count; ++i) {
    const Field candidate = entry(*list, i);
    candidates.push_back(value_of<Vector>(candidate));
    if (candidates.back().size() != n)
      fail(candidate, fmt::format("has {} entries, the system {} degrees of freedom; a velocity is as long as u",
                                  candidates.back().size(), n));
  }
  return candidates;
}

Vector read_forces(const Field& root, Index n) {
  const std::optional<Field> given = member(root, "h");
  if (!given) return {};
  Vector h = value_of<Vector>(*given);
  if (h.size() != n)
    fail(*given, fmt::format("has {} entries, the system {} degrees of freedom; generalized forces are as long as u",
                             h.size(), n));
  return h;
}

/// Contacts that a law takes by their names must be there.
void require_named_contacts(const Field& law_field, const ImpactLaw& law, const ImpactProblem& problem) {
  std::vector<std::string_view> names;
  for (const Contact& contact : problem.contacts) names.push_back(contact.name);
  const auto check = [&](std::string_view key, const ContactTurns& order) {
    for (std::size_t i = 0; i < order.turns.size(); ++i)
      if (const auto* name = std::get_if<std::string>(&order.turns[i]);
          name && std::find(names.begin(), names.end(), *name) == names.end())
        fail(entry(*member(law_field, key), i),
             fmt::format("= {} is no contact; {}", in_quotes(*name), suggestion(*name, names, "contacts are")));
  };
  std::visit(
      [&]<class L>(const L& value) {
        L::fields(value, [&]<class T>(std::string_view key, const T& parameter, std::string_view) {
          if constexpr (std::is_same_v<T, ContactTurns>) check(key, parameter);
        });
      },
      law);
}

/// The problem, and the contacts' biases into `bias`.
ImpactProblem read_impact(const Field& root, Vector& bias) {
  ImpactProblem problem;
  problem.M = read_mass(root);
  const Index n = problem.M.size();
  problem.u_minus = value_of<Vector>(required_member(root, "u", "the velocity before the impact"));
  if (const std::optional<Field> p = member(root, "p")) {
    problem.p = value_of<Vector>(*p);
    if (problem.p.size() == 0) fail(*p, fmt::format("is empty; leave it out, or give {} numbers as for u", n));
  }
  ContactList list = read_contacts(required_member(root, "contacts", "the list of contacts"), n);
  problem.contacts = std::move(list.contacts);
  problem.W.swap(list.W);
  problem.drift = std::move(list.drift);
  bias = std::move(list.bias);
  problem.J = read_joints(root, n);
  validate(problem);
  return problem;
}

}  // namespace

ProblemFile read_problem(const std::string& path, const Overrides& overrides) {
  return read_problem(read_json(path), overrides);
}

ProblemFile read_problem(Document document, const Overrides& overrides) {
  ProblemFile file;
  file.document = std::move(document);
  const Field root = root_of(file.document);
  if (!root.node->object()) fail_expected(root, "an object: a problem");
  apply(overrides, file.document);
  try {
    require_known_keys(root, kProblemKeys);
    check_format(root);
    if (const std::optional<Field> about = member(root, "about")) file.about = line_of_text(*about);
    file.problem = read_impact(root, file.bias);
    file.h = read_forces(root, file.problem.M.size());
    if (const std::optional<Field> law = member(root, "law")) {
      file.law = read_law(*law);
      require_named_contacts(*law, *file.law, file.problem);
    }
    file.candidates = read_candidates(root, file.problem.M.size());
  } catch (const InputError& error) {
    throw located(error, file.document);
  }
  return file;
}

}  // namespace carom::scene
