#pragma once

#include <vector>

#include "carom/model/model.h"

namespace carom {

/// The joints of a model as scalar equations at one state, one a column of J:
///   value(t, q) = 0,   rate = J'u + drift = 0,   J'u' + bias = 0.
/// drift comes from joints on bodies with prescribed motion. Lengths for points, and for directions their cosine.
struct JointRows {
  SparseMatrix J;  // (velocities x rows)
  Vector value, drift, bias;
};

JointRows joint_rows(const Model& model, const State& state);
JointRows joint_rows(const Model& model, const State& state, const std::vector<int>& joints);  // of these joints only

}  // namespace carom
