#include "carom/waves/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::waves {
namespace {

constexpr double kNarrow = 1e-9;  // of the length: pieces that rounding has left between fronts that meet
constexpr double kWrong = 1e-6;   // of the energies: a balance that misses this is no answer
constexpr double kEqual = 1e-12;  // of the largest value: neighbours that are one piece

/// The last step at or before t; the first one where there is none.
template <class Steps>
std::size_t last_step(const Steps& steps, double t) {
  const auto after =
      std::upper_bound(steps.begin(), steps.end(), t, [](double time, const auto& s) { return time < s.t; });
  return after == steps.begin() ? 0 : static_cast<std::size_t>(after - steps.begin()) - 1;
}

struct WavePair {
  double a = 0, b = 0;  // [N] rightward and leftward
};

Piece piece_of(const Rod& rod, double begin, double end, const WavePair& wave) {
  return {begin, end, (wave.a - wave.b) / rod.Z(), -(wave.a + wave.b) / rod.area};
}

/// Every piece, however narrow.
std::vector<Piece> all_pieces(const WaveHistory& history, int index, double t) {
  const Rod& rod = history.problem.rods[index];
  const auto& [rightward, leftward] = history.waves[index];
  const double c = rod.c(), l = rod.length;
  std::size_t i = last_step(rightward, t), j = last_step(leftward, t - rod.crossing());
  std::vector<Piece> pieces;
  for (double x = 0; x < l;) {
    const double a_ends = i > 0 ? c * (t - rightward[i].t) : l;
    const double b_ends = j + 1 < leftward.size() ? l - c * (t - leftward[j + 1].t) : l;
    const double end = std::clamp(std::min(a_ends, b_ends), x, l);
    if (end > x) pieces.push_back(piece_of(rod, x, end, {rightward[i].value, leftward[j].value}));
    if (end >= l) break;
    if (a_ends <= end) --i;
    if (b_ends <= end) ++j;
    x = end;
  }
  return pieces;
}

/// Of a signal as a velocity, and of its square, over what of it is in the rod: a wave is as long as it was sent out.
struct Integrals {
  double value = 0, square = 0;  // [m], [m^2/s]
};

Integrals integrals(const Signal& signal, double t, const Rod& rod) {
  const double crossing = rod.crossing(), Z = rod.Z();
  Integrals result;
  double younger = 0;  // [s] age of the part that was sent out before
  for (std::size_t i = last_step(signal, t);; --i) {
    const double age = i > 0 ? std::min(t - signal[i].t, crossing) : crossing, v = signal[i].value / Z;
    result.value += v * (age - younger);
    result.square += v * v * (age - younger);
    if (age >= crossing) return result;
    younger = age;
  }
}

/// The work of all end forces; the largest that each has done at any time into `exchanged`.
double work_of(const WaveHistory& history, double& exchanged) {
  double work = 0;
  for (int i = 0; i < static_cast<int>(history.problem.rods.size()); ++i)
    for (const EndForce& force : history.problem.rods[i].forces) {
      const double done = force.value * displacement(history, i, force.end, history.reached);
      const bool is_left = force.end == End::left;
      double farthest = std::abs(done);
      for (const JunctionStep& step : history.met[is_left ? history.ends[i].left : history.ends[i].right])
        farthest = std::max(farthest, std::abs(force.value * (is_left ? step.u_right : step.u_left)));
      work += done;
      exchanged += farthest;
    }
  return work;
}

/// What an interval may have lost to rounding at its ends.
double instant(const WaveHistory& history, const Junction& junction) {
  double crossing = history.reached;
  for (const int rod : {junction.left, junction.right})
    if (rod != kNone) crossing = std::min(crossing, history.problem.rods[rod].crossing());
  return 1e-10 * crossing + 1e-13 * history.reached;
}

ContactResult contact_of(const WaveHistory& history, int k) {
  const Junction& junction = history.junctions[k];
  const std::vector<JunctionStep>& steps = history.met[k];
  const double rounding = instant(history, junction);
  ContactResult result{junction.left_name, junction.right_name, {}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double begin = steps[i].t, end = i + 1 < steps.size() ? steps[i + 1].t : history.reached;
    result.impulse += steps[i].force * (end - begin);
    result.peak_force = std::max(result.peak_force, steps[i].force);
    if (!steps[i].closed) continue;
    if (!result.intervals.empty() && begin - result.intervals.back().end <= rounding)
      result.intervals.back().end = end;
    else
      result.intervals.push_back({begin, end});
  }
  std::erase_if(result.intervals, [&](const Interval& interval) { return interval.end - interval.begin <= rounding; });
  return result;
}

using Corner = Cell::Corner;

/// The part of a polygon where `inside` is not negative; it is linear.
template <class Inside>
std::vector<Corner> clipped(const std::vector<Corner>& polygon, Inside&& inside) {
  std::vector<Corner> result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const double at_p = inside(p), at_q = inside(q);
    if (at_p >= 0) result.push_back(p);
    if ((at_p < 0) == (at_q < 0)) continue;
    const double part = at_p / (at_p - at_q);
    result.push_back({p.x + part * (q.x - p.x), p.t + part * (q.t - p.t)});
  }
  return result;
}

double area_of(const std::vector<Corner>& polygon) {
  double area = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    area += 0.5 * (p.x * q.t - q.x * p.t);
  }
  return std::abs(area);
}

/// Where rightward is sent out from r0 to r1 and leftward from s0 to s1.
std::vector<Corner> polygon_of(const Rod& rod, double r0, double r1, double s0, double s1, double reached) {
  const double crossing = rod.crossing();
  const auto corner = [&](double r, double s) {
    return Corner{0.5 * rod.c() * (s - r + crossing), 0.5 * (r + s + crossing)};
  };
  std::vector<Corner> polygon = {corner(r0, s0), corner(r0, s1), corner(r1, s1), corner(r1, s0)};
  polygon = clipped(polygon, [](const Corner& p) { return p.x; });
  polygon = clipped(polygon, [&](const Corner& p) { return rod.length - p.x; });
  polygon = clipped(polygon, [](const Corner& p) { return p.t; });
  return clipped(polygon, [&](const Corner& p) { return reached - p.t; });
}

}  // namespace

std::vector<Piece> fields_at(const WaveHistory& history, int rod, double t) {
  const double l = history.problem.rods[rod].length;
  std::vector<Piece> pieces = all_pieces(history, rod, t), result;
  double fastest = 0, strongest = 0;
  for (const Piece& piece : pieces) {
    fastest = std::max(fastest, std::abs(piece.velocity));
    strongest = std::max(strongest, std::abs(piece.stress));
  }
  std::erase_if(pieces, [&](const Piece& piece) { return piece.end - piece.begin <= kNarrow * l; });
  for (const Piece& piece : pieces) {
    const bool same = !result.empty() && std::abs(result.back().velocity - piece.velocity) <= kEqual * fastest &&
                      std::abs(result.back().stress - piece.stress) <= kEqual * strongest;
    if (!same) result.push_back(piece);
    result.back().end = piece.end;
  }
  for (std::size_t i = 1; i < result.size(); ++i) result[i].begin = result[i - 1].end;
  result.front().begin = 0;
  result.back().end = l;
  return result;
}

double displacement(const WaveHistory& history, int rod, End end, double t) {
  const bool is_left = end == End::left;
  const std::vector<JunctionStep>& steps = history.met[is_left ? history.ends[rod].left : history.ends[rod].right];
  const JunctionStep& step = steps[last_step(steps, t)];
  return is_left ? step.u_right + step.v_right * (t - step.t) : step.u_left + step.v_left * (t - step.t);
}

double position_of(const WaveHistory& history, int rod, double x, double t) {
  const Rod& its = history.problem.rods[rod];
  double position = its.position + x + displacement(history, rod, End::left, t);
  for (const Piece& piece : all_pieces(history, rod, t)) {
    if (piece.begin >= x) break;
    position += piece.stress / its.E * (std::min(piece.end, x) - piece.begin);
  }
  return position;
}

const JunctionStep& junction_at(const WaveHistory& history, int junction, double t) {
  const std::vector<JunctionStep>& steps = history.met[junction];
  return steps[last_step(steps, t)];
}

double force_at(const WaveHistory& history, int junction, double t) {
  return junction_at(history, junction, t).force;
}

RodState state_at(const WaveHistory& history, int rod, double t) {
  const Rod& its = history.problem.rods[rod];
  const double Z = its.Z();
  const Integrals a = integrals(history.waves[rod].rightward, t, its);
  const Integrals b = integrals(history.waves[rod].leftward, t, its);
  double both = 0;  // [J] of 2 a b: what kinetic and strain energy differ by
  for (const Piece& piece : all_pieces(history, rod, t)) {
    const double v = piece.velocity, p = -its.area * piece.stress / Z;
    both += 0.5 * its.rho * its.area * (p + v) * (p - v) * (piece.end - piece.begin);
  }
  const double energy = Z * (a.square + b.square);
  return {.velocity = (a.value - b.value) / its.crossing(),
          .kinetic = std::max(0.0, 0.5 * (energy - both)),
          .strain = std::max(0.0, 0.5 * (energy + both))};
}

std::vector<Sample> samples_of(const WaveHistory& history, int count) {
  std::vector<Sample> samples;
  for (int i = 0; i <= count; ++i) {
    Sample sample{i == count ? history.reached : history.reached * i / count, {}, {}};
    for (std::size_t rod = 0; rod < history.waves.size(); ++rod)
      sample.rods.push_back(state_at(history, static_cast<int>(rod), sample.t));
    for (std::size_t k = 0; k < history.junctions.size(); ++k)
      if (history.junctions[k].contact) sample.forces.push_back(force_at(history, static_cast<int>(k), sample.t));
    samples.push_back(std::move(sample));
  }
  return samples;
}

std::vector<Cell> cells_of(const WaveHistory& history, int rod, std::size_t most) {
  const Rod& its = history.problem.rods[rod];
  const auto& [rightward, leftward] = history.waves[rod];
  const double crossing = its.crossing(), reached = history.reached;
  std::vector<Cell> cells;
  std::size_t first = 0;
  for (std::size_t i = 0; i < rightward.size(); ++i) {
    const double r0 = rightward[i].t, r1 = i + 1 < rightward.size() ? rightward[i + 1].t : reached;
    while (first + 1 < leftward.size() && leftward[first + 1].t <= r0 - crossing) ++first;
    for (std::size_t j = first; j < leftward.size() && leftward[j].t < r1 + crossing; ++j) {
      const double s0 = leftward[j].t, s1 = j + 1 < leftward.size() ? leftward[j + 1].t : reached;
      std::vector<Corner> corners = polygon_of(its, r0, r1, s0, s1, reached);
      if (corners.size() < 3 || area_of(corners) <= kNarrow * its.length * crossing) continue;
      if (cells.size() == most) return {};
      const Piece piece = piece_of(its, 0, 0, {rightward[i].value, leftward[j].value});
      cells.push_back({std::move(corners), piece.velocity, piece.stress});
    }
  }
  return cells;
}

RodsOutcome outcome_of(const WaveHistory& history) {
  RodsOutcome outcome;
  outcome.finished = history.finished;
  outcome.reached = history.reached;
  outcome.fronts = history.fronts;
  if (!history.finished)
    outcome.message =
        fmt::format("{}; the solution is known up to {} s of {} s",
                    history.cancelled  ? std::string("it was told to stop")
                    : history.too_late ? std::string("a rod that is hit is crossed within the rounding of the time")
                                       : fmt::format("{} fronts were followed, no more are allowed", history.fronts),
                    history.reached, history.problem.duration);
  std::vector<RodState> states;
  for (std::size_t i = 0; i < history.problem.rods.size(); ++i) {
    states.push_back(state_at(history, static_cast<int>(i), history.reached));
    outcome.rods.push_back(result_of(history.problem.rods[i], states.back()));
  }
  for (std::size_t k = 0; k < history.junctions.size(); ++k)
    if (history.junctions[k].contact) outcome.contacts.push_back(contact_of(history, static_cast<int>(k)));
  outcome.restitution = restitution_of(history.problem, outcome);
  double exchanged = 0;
  outcome.work = work_of(history, exchanged);
  balance(history.problem, states, exchanged, outcome);
  if (outcome.finished && outcome.energy_error > kWrong) {
    outcome.finished = false;
    outcome.message = "the numbers are so far apart that rounding decides: the energy balance does not close";
  }
  return outcome;
}

}  // namespace carom::waves
