#pragma once

#include <string>
#include <vector>

#include "carom/record/run_summary.h"

namespace carom::record {

/// Values over time as one line of text, `columns` characters of eight heights from the lowest value to the highest;
/// each shows the mean of its share of the values. No values: no line.
std::string sparkline(const std::vector<double>& values, std::size_t columns);

/// Watches a run and keeps a few curves of it to be shown in a terminal: energies, where some bodies are, and the
/// largest contact force. Memory stays bounded whatever the run.
class TerminalPlot : public Observer {
 public:
  explicit TerminalPlot(const Model& model);
  bool wants_forces() const override { return true; }
  bool wants_problems() const override { return false; }
  void state(const Model& model, const State& state, const Ledger& ledger) override;
  void contacts(const Model& model, double t, const std::vector<ContactForce>& forces) override;

  /// Lines of at most eighty characters, each with a name, the range with its unit, and the curve.
  std::string text() const;

 private:
  /// One value a recorded state, thinned: of several states the mean, or the largest.
  struct Curve {
    std::string name, unit;
    bool largest = false;
    std::vector<double> values = {};
    double gathered = 0;
    long count = 0;  // gathered

    void add(double value, long stride);
    void thin();
  };

  std::vector<int> bodies_;
  std::vector<Curve> curves_;     // energies, the force, then of each body its coordinates
  Vector3 up_ = Vector3::Zero();  // 0: there is no gravity
  double force_ = 0;              // [N] the largest since the last state
  double begin_ = 0, end_ = 0;    // [s]
  long states_ = 0, stride_ = 1;
};

}  // namespace carom::record
