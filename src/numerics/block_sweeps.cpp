#include "carom/numerics/block_sweeps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/numerics/cone_order.h"

namespace carom::numerics {
namespace {

constexpr int kMostSweeps = 400;    // beyond that, gradients on an assembled matrix are sooner there
constexpr int kSweepsOfAPace = 24;  // after so many the pace is looked at
constexpr double kFarthest = 2;     // times the most sweeps: a pace that would need more is given up

template <int N>
class Sweeps {
 public:
  explicit Sweeps(const BlockProblem& problem) : problem_(problem), u_(problem.u_free) {
    bodies_.resize(static_cast<std::size_t>(problem.W.rows() / N));
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      bodies_[b] = problem.inverse_mass.template middleCols<N>(static_cast<Index>(b) * N);
    is_diagonal_ = std::all_of(bodies_.begin(), bodies_.end(), [](const Body& block) { return block.isDiagonal(0); });
    inverse_masses_.resize(problem.W.rows());
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      inverse_masses_.template segment<N>(static_cast<Index>(b) * N) = bodies_[b].diagonal();
    read();
  }

  BlockSolution solve(double accuracy, const Vector& guess) {
    start_from(guess);
    BlockSolution solution;
    if (!(weight_ > 0)) {
      solution.solved = true;
    } else {
      iterate(accuracy, solution);
    }
    solution.x.resize(problem_.W.cols());
    solution.diagonal.resize(problem_.W.cols());
    for (const One& one : contacts_)
      for (int t = 0; t <= one.tangents; ++t) {
        solution.x[one.row + t] = one.x[t];
        solution.diagonal[one.row + t] = one.G(t, t);
      }
    solution.u = u_;
    return solution;
  }

 private:
  using Velocities = Eigen::Matrix<double, N, 1>;
  using Body = Eigen::Matrix<double, N, N>;
  using Rows = Eigen::Matrix<double, N, 3>;
  using Three = Eigen::Vector3d;

  struct One {
    std::array<Rows, 2> W;
    std::array<int, 2> body = {-1, -1};
    int tangents = 0;
    Index row = 0;
    Three x = Three::Zero(), offset = Three::Zero();
    Eigen::Matrix3d G = Eigen::Matrix3d::Zero();      // its own block
    Eigen::Matrix2d stick = Eigen::Matrix2d::Zero();  // inverse of its tangential part
    double slide = 0;                                 // of that the reciprocal of the largest eigenvalue, or a bound
    double mu = 0;
    double scale = 1;  // of velocities, in units of unit diagonal
  };

  void read() {
    const Vector q = problem_.W.transpose() * problem_.u_free + problem_.offset;
    contacts_.resize(problem_.cones.size());
    Vector diagonal = Vector::Zero(q.size());
    for (std::size_t c = 0; c < contacts_.size(); ++c) {
      One& one = contacts_[c];
      read(problem_.cones[c], one);
      for (int t = 0; t <= one.tangents; ++t) {
        diagonal[one.row + t] = one.G(t, t);
        weight_ = std::max(weight_, one.scale * std::abs(problem_.terms[one.row + t]));
      }
    }
    order_ = canonical_order(diagonal, q, problem_.cones);
  }

  void read(const FrictionCone& cone, One& one) const {
    one.row = cone.row;
    one.tangents = cone.tangents;
    one.mu = cone.mu;
    one.W[0].setZero();
    one.W[1].setZero();
    for (int t = 0; t <= cone.tangents; ++t) {
      one.offset[t] = problem_.offset[cone.row + t];
      for (SparseMatrix::InnerIterator entry(problem_.W, cone.row + t); entry; ++entry) {
        const int body = static_cast<int>(entry.row() / N);
        const int side = one.body[0] < 0 || one.body[0] == body ? 0 : 1;
        one.body[side] = body;
        one.W[side](entry.row() % N, t) = entry.value();
      }
    }
    for (int side = 0; side < 2; ++side)
      if (one.body[side] >= 0) one.G += one.W[side].transpose() * (bodies_[one.body[side]] * one.W[side]);
    double mean = 0;
    for (int t = 0; t <= one.tangents; ++t) mean += one.G(t, t) / (1 + one.tangents);
    one.scale = mean > 0 ? 1 / std::sqrt(mean) : 1;
    prepare_slip(one);
  }

  static void prepare_slip(One& one) {
    if (one.tangents == 1 && one.G(1, 1) > 0) one.stick(0, 0) = one.slide = 1 / one.G(1, 1);
    if (one.tangents != 2) return;
    const double a = one.G(1, 1), b = one.G(1, 2), c = one.G(2, 2);
    const double largest = 0.5 * (a + c) + std::sqrt(0.25 * (a - c) * (a - c) + b * b), determinant = a * c - b * b;
    if (!(largest > 0)) return;
    one.slide = 1 / largest;
    if (determinant > std::numeric_limits<double>::epsilon() * largest * largest)
      one.stick << c / determinant, -b / determinant, -b / determinant, a / determinant;
    else
      one.stick = one.slide * Eigen::Matrix2d::Identity();
  }

  void start_from(const Vector& guess) {
    if (guess.size() == 0) return;
    for (One& one : contacts_) {
      Three x = Three::Zero();
      for (int t = 0; t <= one.tangents; ++t) x[t] = guess[one.row + t];
      x[0] = std::max(0.0, x[0]);
      const double most = one.mu * x[0], length = x.template tail<2>().norm();
      if (length > most) x.template tail<2>() *= most / length;
      push(one, x);
    }
  }

  Three velocity(const One& one) const {
    Three w = one.offset;
    for (int side = 0; side < 2; ++side)
      if (one.body[side] >= 0)
        w.noalias() += one.W[side].transpose() * u_.template segment<N>(static_cast<Index>(one.body[side]) * N);
    return w;
  }

  /// Adds to the impulse of a contact.
  void push(One& one, const Three& change) {
    one.x += change;
    for (int side = 0; side < 2; ++side) {
      if (one.body[side] < 0) continue;
      const Index first = static_cast<Index>(one.body[side]) * N;
      const Velocities impulse = one.W[side] * change;
      if (is_diagonal_)
        u_.template segment<N>(first) += inverse_masses_.template segment<N>(first).cwiseProduct(impulse);
      else
        u_.template segment<N>(first).noalias() += bodies_[one.body[side]] * impulse;
    }
  }

  /// How far a contact is from its equations F = 0, in units of unit diagonal.
  static double missed(const One& one, const Three& w) {
    const double x_N = one.x[0] / one.scale, w_N = one.scale * w[0];
    double most = std::abs(x_N - std::max(0.0, x_N - w_N));
    if (one.tangents == 0) return most;
    const Eigen::Vector2d x = one.x.template tail<2>() / one.scale, slip = one.scale * w.template tail<2>();
    const Eigen::Vector2d target = x - slip;
    const double radius = one.mu * x_N, length = target.norm();
    const Eigen::Vector2d F = length > radius ? Eigen::Vector2d(x - target * (radius / length)) : slip;
    return std::max(most, F.cwiseAbs().maxCoeff());
  }

  /// The impulse that the equations of a contact ask for, the others' being as they are: along the normal, then along
  /// the contact.
  static Three change(const One& one, const Three& w) {
    Three result = Three::Zero();
    if (!(one.G(0, 0) > 0)) return result;
    const double normal = std::max(0.0, one.x[0] - w[0] / one.G(0, 0));
    result[0] = normal - one.x[0];
    if (one.tangents == 0) return result;
    const Eigen::Vector2d x = one.x.template tail<2>();
    const Eigen::Vector2d slip = w.template tail<2>() + result[0] * one.G.template block<2, 1>(1, 0);
    Eigen::Vector2d wanted = x - one.stick * slip;
    const double most = one.mu * normal;
    if (wanted.squaredNorm() > most * most) {
      wanted = x - one.slide * slip;
      const double length = wanted.norm();
      if (length > most) wanted *= most / length;
    }
    result.template tail<2>() = wanted - x;
    return result;
  }

  /// One way through all contacts; the largest miss that was met.
  double sweep(bool back) {
    double most = 0;
    const std::size_t count = contacts_.size();
    for (std::size_t i = 0; i < count; ++i) {
      One& one = contacts_[order_[back ? count - 1 - i : i]];
      const Three w = velocity(one);
      most = std::max(most, missed(one, w));
      push(one, change(one, w));
    }
    return most;
  }

  double residual() const {
    double most = 0;
    for (const One& one : contacts_) most = std::max(most, missed(one, velocity(one)));
    return most / weight_;
  }

  void iterate(double accuracy, BlockSolution& solution) {
    solution.residual = residual();
    double early = solution.residual;
    while (!(solution.residual <= accuracy) && solution.sweeps < kMostSweeps) {
      const double met = sweep(solution.sweeps++ % 2 != 0) / weight_;
      if (!std::isfinite(met)) return;
      if (met <= accuracy) solution.residual = residual();
      if (solution.sweeps % kSweepsOfAPace != 0) continue;
      const double gained = std::log(early / met), missing = std::log(met / accuracy);
      if (met > accuracy && !(gained * (kFarthest * kMostSweeps) > missing * kSweepsOfAPace)) break;
      early = met;
    }
    solution.residual = residual();
    solution.solved = solution.residual <= accuracy;
  }

  const BlockProblem& problem_;
  std::vector<One> contacts_;
  std::vector<std::size_t> order_;
  std::vector<Body> bodies_;  // blocks of M^-1
  Vector inverse_masses_;     // its diagonal
  bool is_diagonal_ = false;
  Vector u_;
  double weight_ = 0;  // of velocities
};

}  // namespace

bool has_blocks(const SparseMatrix& W, const std::vector<FrictionCone>& cones, Index each) {
  if (each <= 0 || W.rows() % each != 0) return false;
  for (const FrictionCone& cone : cones) {
    std::array<Index, 2> body = {-1, -1};
    for (Index row = cone.row; row <= cone.row + cone.tangents; ++row)
      for (SparseMatrix::InnerIterator entry(W, row); entry; ++entry) {
        const Index now = entry.row() / each;
        if (body[0] < 0) body[0] = now;
        if (body[0] == now) continue;
        if (body[1] < 0) body[1] = now;
        if (body[1] != now) return false;
      }
  }
  return true;
}

BlockSolution solve_by_sweeps(const BlockProblem& problem, double accuracy, const Vector& guess) {
  if (problem.each == 1) return Sweeps<1>(problem).solve(accuracy, guess);
  if (problem.each == 3) return Sweeps<3>(problem).solve(accuracy, guess);
  return Sweeps<6>(problem).solve(accuracy, guess);
}

}  // namespace carom::numerics
