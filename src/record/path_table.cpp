#include "carom/record/path_table.h"

#include <fmt/format.h>

#include <iterator>

#include "carom/record/csv.h"
#include "carom/record/outcome_json.h"

namespace carom::record {
namespace {

/// ,\n    "key": [...], one entry per state, written by write(state).
template <class Write>
void add_column(std::string& text, const Path& path, std::string_view key, Write&& write) {
  text += fmt::format("{}\n    \"{}\": [", text.ends_with('{') ? "" : ",", key);
  for (std::size_t i = 0; i < path.states.size(); ++i) {
    if (i > 0) text += ", ";
    write(path.states[i]);
  }
  text += "]";
}

void add_list(std::string& text, const Vector& values) {
  text += '[';
  for (Index i = 0; i < values.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? "" : ", ", values[i] + 0.0);
  text += ']';
}

std::string path_json(const ImpactOutcome& outcome, const Path& path) {
  using State = Path::State;
  std::string text = "{";
  const auto add = [&](std::string_view key, auto&& values) {
    add_column(text, path, key, [&](const State& state) { add_list(text, values(state)); });
  };
  if (path.parameter == Path::Parameter::impulse) text += "\n    \"parameter\": \"impulse\"";
  add_column(text, path, "time", [&](const State& state) { text += fmt::format("{}", state.time); });
  add("u", [](const State& state) -> const Vector& { return state.u; });
  add("gamma", [&](const State& state) { return outcome.normal(state.gamma); });
  add("Lambda", [&](const State& state) { return outcome.normal(state.Lambda); });
  add("force", [](const State& state) -> const Vector& { return state.force; });
  add("stored", [](const State& state) -> const Vector& { return state.stored; });
  if (!path.states.empty() && path.states[0].indentation.size() > 0)
    add("indentation", [](const State& state) -> const Vector& { return state.indentation; });
  add_column(text, path, "kinetic", [&](const State& state) { text += fmt::format("{}", state.kinetic); });
  add_column(text, path, "primary",
             [&](const State& state) { text += state.primary < 0 ? "null" : std::to_string(state.primary); });
  return text + "\n  }";
}

std::string header(const ImpactProblem& problem, Path::Parameter parameter) {
  std::string text = parameter == Path::Parameter::time ? "time [s]" : "normal impulse [kg m/s]";
  for (Index i = 0; i < problem.M.size(); ++i) text += fmt::format(",u[{}] [m/s or rad/s]", i);
  const auto add = [&](std::string_view quantity, std::string_view unit) {
    for (const Contact& contact : problem.contacts)
      text += "," + csv_field(fmt::format("{} {} [{}]", quantity, contact.name, unit));
  };
  add("gap velocity", "m/s");
  add("impulse", "kg m/s");
  add("force", "N");
  add("stored", "J");
  return text + ",kinetic energy [J],stored energy [J],dissipated energy [J],primary contact\n";
}

}  // namespace

Vector dissipated(const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path) {
  Vector result(static_cast<Index>(path.states.size()));
  for (Index i = 0; i < result.size(); ++i) {
    const Path::State& state = path.states[i];
    const double work = problem.drift.size() > 0 ? -problem.drift.dot(state.Lambda) : 0;
    result[i] = path.states[0].kinetic + outcome.energy.stored_before + work - state.kinetic - state.stored.sum();
  }
  return result;
}

double numbers_of_path(const ImpactProblem& problem, double states) {
  const double contacts = static_cast<double>(problem.contacts.size());
  return states * (static_cast<double>(problem.M.size()) + 4 * contacts + 3);
}

std::string to_json_with_path(const ImpactOutcome& outcome, const Path& path) {
  std::string text = to_json(outcome).dump(2);
  text.resize(text.rfind("\n}"));
  return text + ",\n  \"path\": " + path_json(outcome, path) + "\n}\n";
}

std::string path_csv(const ImpactProblem& problem, const ImpactOutcome& outcome, const Path& path) {
  std::string text = header(problem, path.parameter);
  const Vector lost = dissipated(problem, outcome, path);
  for (Index i = 0; i < lost.size(); ++i) {
    const Path::State& state = path.states[i];
    text += fmt::format("{}", state.time);
    for (const Vector& values :
         {state.u, outcome.normal(state.gamma), outcome.normal(state.Lambda), state.force, state.stored})
      for (const double value : values) fmt::format_to(std::back_inserter(text), ",{}", value + 0.0);
    text += fmt::format(",{},{},{},{}\n", state.kinetic, state.stored.sum(), lost[i],
                        state.primary < 0 ? "" : csv_field(problem.contacts[state.primary].name));
  }
  return text;
}

}  // namespace carom::record
