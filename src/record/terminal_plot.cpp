#include "carom/record/terminal_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/record/report_path.h"
#include "carom/record/short_names.h"
#include "carom/record/table.h"

namespace carom::record {
namespace {

constexpr std::size_t kValuesKept = 1024;                 // of a curve, before neighbours are joined
constexpr std::size_t kBodiesWatched = 48;                // evenly taken from more
constexpr std::size_t kBodiesPlotted = 3;                 // those that move most
constexpr std::size_t kNameWidth = 22, kCurveWidth = 36;  // characters; the range has the rest of 80
constexpr double kStandsStill =
    1e-9;  // of the largest: a curve that reaches less is not shown, one that varies less is straight
constexpr std::size_t kEnergies = 3;  // curves, then the force

constexpr std::array<const char*, 8> kHeights = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

struct CurveRange {
  double low = 0, high = 0;
};
CurveRange curve_range(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (values.empty()) return {};
  const bool still = *high - *low <= kStandsStill * std::max(std::abs(*low), std::abs(*high));
  return still ? CurveRange{*high, *high} : CurveRange{*low, *high};
}

/// Three digits, and 0 for what nobody would see beside `reach`.
std::string short_number(double value, double reach = 0) {
  constexpr double kNothingBeside = 1e-4;
  return fmt::format("{:.3g}", std::abs(value) < kNothingBeside * reach ? 0.0 : value + 0.0);
}

}  // namespace

std::string sparkline(const std::vector<double>& values, std::size_t columns) {
  if (values.empty() || columns == 0) return "";
  const auto [low, high] = curve_range(values);
  const std::size_t cells = std::min(columns, std::max<std::size_t>(values.size(), 1));
  std::string line;
  for (std::size_t i = 0; i < cells; ++i) {
    const std::size_t first = i * values.size() / cells, end = std::max((i + 1) * values.size() / cells, first + 1);
    double sum = 0;
    for (std::size_t k = first; k < end; ++k) sum += values[k];
    const double part = high > low ? (sum / static_cast<double>(end - first) - low) / (high - low) : 0;
    line += kHeights[static_cast<std::size_t>(std::clamp(std::round(7 * part), 0.0, 7.0))];
  }
  return line;
}

void TerminalPlot::Curve::add(double value, long stride) {
  gathered = count == 0 ? value : largest ? std::max(gathered, value) : gathered + value;
  if (++count < stride) return;
  values.push_back(largest ? gathered : gathered / static_cast<double>(count));
  count = 0;
}

void TerminalPlot::Curve::thin() {
  for (std::size_t i = 0; 2 * i + 1 < values.size(); ++i)
    values[i] = largest ? std::max(values[2 * i], values[2 * i + 1]) : 0.5 * (values[2 * i] + values[2 * i + 1]);
  values.resize(values.size() / 2);
}

TerminalPlot::TerminalPlot(const Model& model) {
  curves_ = {{"kinetic energy", "J"}, {"potential energy", "J"}, {"energy lost", "J"}, {"largest force", "N", true}};
  const Vector3& gravity = model.description().gravity;
  if (gravity.norm() > 0) up_ = -gravity.normalized();
  std::vector<int> free;
  for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
    if (model.bodies()[body].is_free()) free.push_back(body);
  constexpr std::array<const char*, 3> axes = {"x", "y", "z"};
  std::vector<std::string> names;
  for (const Index i : spread(free.size(), kBodiesWatched)) {
    bodies_.push_back(free[static_cast<std::size_t>(i)]);
    names.push_back(model.bodies()[bodies_.back()].name);
  }
  for (const std::string& name : short_names(names, kNameWidth - width("height of "))) {
    if (up_.norm() > 0) curves_.push_back({"height of " + name, "m"});
    for (int axis = 0; up_.norm() == 0 && axis < static_cast<int>(model.dimension()); ++axis)
      curves_.push_back({fmt::format("{} of {}", axes[static_cast<std::size_t>(axis)], name), "m"});
  }
}

void TerminalPlot::state(const Model& model, const State& state, const Ledger& ledger) {
  if (states_ > 0) curves_[kEnergies].add(force_, stride_);  // that of the state before: forces come after states
  force_ = 0;
  if (states_++ == 0) begin_ = state.t;
  end_ = state.t;
  const std::array<double, kEnergies> energies = {ledger.kinetic, ledger.potential, ledger.dissipated()};
  for (std::size_t i = 0; i < kEnergies; ++i) curves_[i].add(energies[i], stride_);
  std::size_t curve = kEnergies + 1;
  for (const int body : bodies_) {
    const Vector3 at = model.pose(body, state).position;
    if (up_.norm() > 0) curves_[curve++].add(up_.dot(at), stride_);
    for (Index axis = 0; up_.norm() == 0 && axis < static_cast<Index>(model.dimension()); ++axis)
      curves_[curve++].add(at[axis], stride_);
  }
  if (curves_.front().values.size() < kValuesKept) return;
  for (Curve& one : curves_) one.thin();
  stride_ *= 2;
}

void TerminalPlot::contacts(const Model&, double, const std::vector<ContactForce>& forces) {
  for (const ContactForce& one : forces) force_ = std::max(force_, one.force);
}

std::string TerminalPlot::text() const {
  std::vector<const Curve*> shown, bodies;
  double energy = 0;
  const auto reach = [](const Curve& one) {
    const auto [low, high] = curve_range(one.values);
    return high - low;
  };
  for (std::size_t i = 0; i < kEnergies; ++i) energy = std::max(energy, reach(curves_[i]));
  for (std::size_t i = 0; i < kEnergies; ++i)
    if (reach(curves_[i]) > kStandsStill * energy) shown.push_back(&curves_[i]);
  if (reach(curves_[kEnergies]) > 0) shown.push_back(&curves_[kEnergies]);
  for (std::size_t i = kEnergies + 1; i < curves_.size(); ++i) bodies.push_back(&curves_[i]);
  std::stable_sort(bodies.begin(), bodies.end(), [&](const Curve* x, const Curve* y) { return reach(*x) > reach(*y); });
  for (std::size_t i = 0; i < std::min(bodies.size(), kBodiesPlotted); ++i)
    if (reach(*bodies[i]) > 0) shown.push_back(bodies[i]);
  std::string text;
  for (const Curve* one : shown) {
    const auto [low, high] = curve_range(one->values);
    const Unit unit = readable_unit(std::max(std::abs(low), std::abs(high)), one->unit);
    const std::string range = fmt::format("{} … {} {}", short_number(low / unit.factor, (high - low) / unit.factor),
                                          short_number(high / unit.factor), unit.name);
    const std::string space(kNameWidth - width(one->name), ' ');
    text += fmt::format("{}{} {} {}\n", one->name, space, sparkline(one->values, kCurveWidth), range);
  }
  if (!text.empty())
    text += fmt::format("{} t = {} … {} s\n", std::string(kNameWidth, ' '), short_number(begin_), short_number(end_));
  return text;
}

}  // namespace carom::record
