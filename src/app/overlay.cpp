#include "carom/app/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "carom/app/problem.h"
#include "carom/model/contact_rules.h"

namespace carom::app {
namespace {

constexpr double kSamples = 800;             // of the forces of a scene
constexpr std::size_t kMostInstants = 1000;  // of one law in a picture
constexpr double kPause = 0.5;               // of the time so far: a longer one ends what is shown

using Bodies = std::pair<int, int>;
using Courses = std::map<Bodies, record::ContactCourse>;

Bodies bodies_of(const PartPair& parts) {
  return {parts.body_a, parts.body_b};
}

/// Impacts of a run within a time, and contact forces where the run has them.
class InWindow : public Observer {
 public:
  explicit InWindow(const TimeWindow& window) : window_(window) {}

  struct Instant {
    double t = 0;
    ImpactProblem problem;
    std::vector<Bodies> bodies;  // of the contacts
    std::vector<double> impulses;
    bool at_rest = false;  // or it has a law of its own: not followed inside
  };
  std::vector<Instant> instants;
  std::vector<double> times;
  std::map<Bodies, std::vector<double>> forces;  // (times)

  void impact(const Model&, const ImpactEvent& event) override {
    if (event.t < window_.begin || event.t > window_.end || instants.size() >= kMostInstants) return;
    const ImpactOutcome& outcome = *event.outcome;
    if (outcome.Lambda.size() == 0) return;
    Instant told{event.t, *event.problem, {}, {}, event.at_rest || event.law != nullptr};
    for (std::size_t i = 0; i < event.pairs.size(); ++i) {
      told.bodies.push_back(bodies_of(event.pairs[i].parts));
      told.impulses.push_back(outcome.Lambda[outcome.row[i]]);
    }
    instants.push_back(std::move(told));
  }

  bool wants_forces() const override { return true; }
  void contacts(const Model&, double t, const std::vector<ContactForce>& now) override {
    times.push_back(t);
    for (const ContactForce& one : now) {
      std::vector<double>& course = forces[bodies_of(one.parts)];
      course.resize(times.size(), 0.0);
      course.back() += one.force;
    }
  }

 private:
  TimeWindow window_;
};

/// Puts a piece behind what there is of a course; what lasted longer than until its beginning is cut there.
void append(record::ContactCourse& course, double t, const std::vector<double>& times,
            const std::vector<double>& forces) {
  while (!course.times.empty() && course.times.back() >= t) {
    course.times.pop_back();
    course.forces.pop_back();
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    course.times.push_back(t + times[i]);
    course.forces.push_back(forces[i]);
  }
}

/// What is inside an impact, to the courses of its contacts; false if the law could not follow it.
bool add_inside(Courses& courses, const InWindow::Instant& instant, const ImpactLaw& law) {
  Path path;
  path.most_states = longest_path(instant.problem);
  try {
    solve(instant.problem, law, &path);
  } catch (const InputError&) {  // the run answered it by another law
    return false;
  }
  if (path.states.empty() || path.parameter != Path::Parameter::time) return false;
  std::vector<double> times;
  std::map<Bodies, std::vector<double>> sums;
  for (const Path::State& state : path.states) times.push_back(state.time);
  for (std::size_t i = 0; i < instant.bodies.size(); ++i) {
    std::vector<double>& sum = sums[instant.bodies[i]];
    sum.resize(times.size(), 0.0);
    for (std::size_t s = 0; s < times.size(); ++s) sum[s] += path.states[s].force[static_cast<Index>(i)];
  }
  for (const auto& [bodies, forces] : sums) append(courses[bodies], instant.t, times, forces);
  return true;
}

void add_instant(Courses& courses, const InWindow::Instant& instant) {
  std::map<Bodies, double> sums;
  for (std::size_t i = 0; i < instant.bodies.size(); ++i) sums[instant.bodies[i]] += instant.impulses[i];
  for (const auto& [bodies, impulse] : sums) courses[bodies].instants.push_back({instant.t, impulse});
}

/// Moves the scene under forces to the beginning of the window, and from there in short records.
void move_under_forces(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law, const TimeWindow& window,
                       const Control& control, InWindow& watcher) {
  State state = ready.start;
  RunOptions options;
  options.cancelled = control.cancelled;
  if (window.begin > state.t) {
    Observer nobody;
    options.duration = options.interval = window.begin - state.t;
    state = run_ready(ready.model, state, scheme, law, options, nobody).end;
  }
  options.duration = window.end - state.t;
  options.interval = options.duration / kSamples;
  if (options.duration > 0) run_ready(ready.model, state, scheme, law, options, watcher);
}

Courses courses_of(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law, const TimeWindow& window,
                   bool knows_stiffness, const Control& control) {
  InWindow watcher(window);
  Courses courses;
  if (std::holds_alternative<ForcedMotion>(scheme)) {
    move_under_forces(ready, scheme, law, window, control, watcher);
    for (auto& [bodies, forces] : watcher.forces) {
      forces.resize(watcher.times.size(), 0.0);
      courses[bodies] = {watcher.times, forces, {}};
    }
    return courses;
  }
  RunOptions options;
  options.cancelled = control.cancelled;
  options.duration = options.interval = window.end - ready.start.t;
  run_ready(ready.model, ready.start, scheme, law, options, watcher);
  const bool follows = has_path(law) && knows_stiffness;
  for (const InWindow::Instant& instant : watcher.instants)
    if (!follows || instant.at_rest || !add_inside(courses, instant, law)) add_instant(courses, instant);
  return courses;
}

/// From the first impact as long as others follow closely; where no law has an inside, all first impacts.
TimeWindow first_impacts(const ReadyScene& ready, const ComparedRuns& compared, bool knows_stiffness) {
  std::vector<TimeWindow> all;
  for (const record::FirstImpacts& first : compared.first)
    for (const record::RunImpact& impact : first.impacts(ready.model))
      all.push_back({impact.t, knows_stiffness ? impact.t + impact.lasts : impact.end});
  const double start = ready.start.t, duration = ready.scene.duration;
  if (all.empty()) return {start, start + duration};
  std::sort(all.begin(), all.end(), [](const TimeWindow& x, const TimeWindow& y) { return x.begin < y.begin; });
  double shortest = 0;  // of the impacts that last: times of laws differ by rounding
  for (const TimeWindow& one : all)
    if (const double lasts = one.end - one.begin; lasts > 0 && (shortest <= 0 || lasts < shortest)) shortest = lasts;
  TimeWindow window = all.front();
  for (const TimeWindow& one : all)
    if (one.begin <= window.end + kPause * std::max(window.end - window.begin, shortest))
      window.end = std::max(window.end, one.end);
  if (window.end <= window.begin) window.end = all.back().end;
  const double length = window.end - window.begin;
  if (length <= 0) return {start, start + duration};
  return {std::max(start, window.begin - 0.03 * length), std::min(start + duration, window.end + 0.05 * length)};
}

bool knows_all_stiffnesses(const Model& model) {
  const ContactRules rules(model);
  const std::vector<PartPair> kinds = rules.kinds();
  return std::all_of(kinds.begin(), kinds.end(), [&](const PartPair& one) { return rules.knows_stiffness(one); });
}

}  // namespace

void require_within(const ReadyScene& ready, const TimeWindow& window) {
  const double start = ready.start.t, end = start + ready.scene.duration;
  if (window.begin >= start && window.end <= end) return;
  throw InputError("--window", fmt::format("from {} s to {} s is not within the run, from {} s to {} s", window.begin,
                                           window.end, start, end));
}

TimeWindow parse_window(const std::string& text) {
  TimeWindow window;
  std::size_t first = 0, second = 0;
  const std::size_t comma = text.find(',');
  try {
    if (comma == std::string::npos) throw std::invalid_argument(text);
    const std::string end = text.substr(comma + 1);
    window = {std::stod(text.substr(0, comma), &first), std::stod(end, &second)};
    if (first != comma || second != end.size()) throw std::invalid_argument(text);
  } catch (const std::exception&) {
    throw InputError("--window", fmt::format("\"{}\" is not two times such as 0.14,0.15 [s]", text));
  }
  if (!(window.begin < window.end) || !std::isfinite(window.end - window.begin))
    throw InputError("--window", fmt::format("\"{}\" does not end after it begins", text));
  return window;
}

record::ForceOverlay overlay_of(const scene::ProblemFile& file, const ComparedImpacts& compared) {
  record::ForceOverlay overlay;
  const std::vector<Contact>& contacts = file.problem.contacts;
  overlay.title = "Contact forces inside the impact";
  overlay.about = file.about;
  overlay.relative = std::all_of(contacts.begin(), contacts.end(), [](const Contact& one) { return one.k == 1; });
  for (const Contact& one : contacts) overlay.contacts.push_back(one.name);
  for (std::size_t i = 0; i < compared.columns.size(); ++i) {
    record::OverlayLaw law{compared.columns[i].label(), std::vector<record::ContactCourse>(contacts.size())};
    const ImpactOutcome& outcome = compared.outcomes[i];
    const Path& path = compared.paths[i];
    const bool follows = !path.states.empty() && path.parameter == Path::Parameter::time;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      record::ContactCourse& course = law.contacts[c];
      for (const Path::State& state : path.states) {
        if (!follows) break;
        course.times.push_back(state.time);
        course.forces.push_back(state.force[static_cast<Index>(c)]);
        overlay.end = std::max(overlay.end, state.time);
      }
      if (!follows && outcome.Lambda.size() > 0) course.instants.push_back({0, outcome.Lambda[outcome.row[c]]});
    }
    overlay.laws.push_back(std::move(law));
  }
  record::trim(overlay);
  return overlay;
}

record::ForceOverlay overlay_of(const ReadyScene& ready, const ComparedRuns& compared,
                                const std::optional<TimeWindow>& window, const Control& control) {
  if (window) require_within(ready, *window);
  const bool knows = knows_all_stiffnesses(ready.model);
  const TimeWindow shown = window ? *window : first_impacts(ready, compared, knows);
  const auto order = [&](const Bodies& x, const Bodies& y) {  // along a chain that stands on something, from there
    const auto both_free = [&](const Bodies& one) {
      return ready.model.bodies()[one.first].is_free() && ready.model.bodies()[one.second].is_free();
    };
    return std::tuple(both_free(x), x) < std::tuple(both_free(y), y);
  };
  std::vector<Courses> all;
  std::map<Bodies, std::size_t, decltype(order)> places(order);
  for (std::size_t i = 0; i < compared.runs.size(); ++i) {
    all.push_back(courses_of(ready, compared.runs[i].title.scheme, compared.columns[i].law, shown, knows, control));
    for (const auto& [bodies, course] : all.back()) places.emplace(bodies, 0);
  }
  record::ForceOverlay overlay;
  overlay.title = ready.scene.title.empty() ? ready.file : ready.scene.title;
  overlay.about = ready.scene.about;
  overlay.begin = shown.begin;
  overlay.end = shown.end;
  for (auto& [bodies, place] : places) {
    place = overlay.contacts.size();
    overlay.contacts.push_back(record::pair_name(ready.model, bodies.first, bodies.second));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    record::OverlayLaw law{fmt::format("{}, scheme {}", compared.columns[i].label(), compared.columns[i].scheme),
                           std::vector<record::ContactCourse>(overlay.contacts.size())};
    for (auto& [bodies, course] : all[i]) law.contacts[places.at(bodies)] = std::move(course);
    overlay.laws.push_back(std::move(law));
  }
  if (!window) record::trim(overlay);
  return overlay;
}

}  // namespace carom::app
