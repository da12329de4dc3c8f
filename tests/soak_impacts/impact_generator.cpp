#include "impact_generator.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/random.h"

namespace carom::soak {
namespace {

constexpr Index kMostContacts = 30;
constexpr Index kMostFollowed = 12;  // contacts of impacts that are followed in time
constexpr double kOfFollowed = 0.4;  // of the laws that follow an impact: this share of the draws that they would get

class Draft {
 public:
  explicit Draft(std::uint64_t seed) : random_(seed) { impact_.seed = seed; }

  RandomImpact make() {
    impact_.masses = chance(0.5) ? Masses::ordinary : Masses::broad;
    choose_law();
    shape();
    for (Contact& contact : impact_.problem.contacts) fill(contact);
    degenerate();
    surround();
    keep_one_closing();
    return std::move(impact_);
  }

 private:
  using Vector3 = Eigen::Vector3d;

  bool chance(double share) { return random_.uniform() < share; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  Index pick(Index least, Index most) {
    return least + static_cast<Index>(random_.uniform() * static_cast<double>(most - least + 1));
  }
  double power(double decades) { return std::pow(10, between(-decades, decades)); }
  Matrix matrix(Index rows, Index cols) {
    Matrix result(rows, cols);
    for (double& value : result.reshaped()) value = random_.normal();
    return result;
  }

  double mass() { return std::pow(10, spread_ * between(-1, 1) + centre_); }

  template <class L>
  static constexpr bool kOne = std::is_same_v<L, Brach> || std::is_same_v<L, Smith> || std::is_same_v<L, Whittaker> ||
                               std::is_same_v<L, KaneLevinson>;

  void choose_law() {
    std::vector<ImpactLaw> all;
    for_each_law([&](auto law) { all.push_back(law); });
    do {
      impact_.law = all[pick(0, static_cast<Index>(all.size()) - 1)];
    } while (has_path(impact_.law) && !chance(kOfFollowed));
    one_contact_ = std::visit([]<class L>(const L&) { return kOne<L>; }, impact_.law);
    const double decades = impact_.masses == Masses::ordinary ? 6 : 9;
    spread_ = chance(0.5) ? between(0, 0.5) : between(0, decades);
    centre_ = between(-(decades - spread_), decades - spread_);
  }

  Index count() {
    const Index most = has_path(impact_.law) ? kMostFollowed : kMostContacts;
    return std::min(most, static_cast<Index>(std::exp(between(0, std::log(static_cast<double>(most) + 1)))));
  }

  void shape() {
    switch (pick(0, 5)) {
      case 0:
        return chain();
      case 1:
        return dense();
      case 2:
        return redundant();
      case 3:
        return planar();
      case 4:
        return spatial();
      default:
        return block();
    }
  }

  void add_contacts(Index m, int tangents) {
    for (Index j = 0; j < m; ++j)
      impact_.problem.contacts.push_back({.name = fmt::format("{}", j + 1), .tangents = tangents});
  }

  void set(const char* kind, MassMatrix M, const Matrix& W, Index m, int tangents) {
    impact_.kind = kind;
    impact_.problem.u_minus = matrix(M.size(), 1);
    impact_.problem.M = std::move(M);
    impact_.problem.W = W.sparseView();
    add_contacts(m, tangents);
  }

  Vector masses(Index n) {
    Vector result(n);
    for (double& one : result) one = mass();
    return result;
  }

  void chain() {
    const Index m = count();
    Matrix W = Matrix::Zero(m + 1, m);
    for (Index i = 0; i < m; ++i) {
      W(i, i) = -1;
      W(i + 1, i) = 1;
    }
    set("chain", MassMatrix::diagonal(masses(m + 1)), W, m, 0);
    if (!chance(0.3)) return;
    impact_.problem.u_minus.setZero();
    impact_.problem.u_minus[0] = 1;
  }

  void dense() {
    const Index m = count(), n = m + pick(0, 4);
    const Matrix A = matrix(n, n);
    const Vector root = masses(n).cwiseSqrt();
    const Matrix M = root.asDiagonal() * (A * A.transpose() + Matrix::Identity(n, n)) * root.asDiagonal();
    set("dense", MassMatrix::dense(0.5 * (M + M.transpose())), matrix(n, m), m, 0);
  }

  void redundant() {
    const Index m = count(), n = std::max<Index>(1, m / 2);
    Matrix W = matrix(n, m);
    if (chance(0.7)) W.row(0) = W.row(0).cwiseAbs();  // something opens them all
    set("redundant", MassMatrix::diagonal(masses(n)), W, m, 0);
  }

  void planar() {
    const Index bodies = pick(1, 4), m = count();
    Matrix W = Matrix::Zero(3 * bodies, 2 * m);
    for (Index j = 0; j < m; ++j) {
      const double angle =
          chance(0.3) ? std::numbers::pi / 2 * static_cast<double>(pick(0, 3)) : between(0, 2 * std::numbers::pi);
      const double c = std::cos(angle), s = std::sin(angle);
      for_pair(bodies, [&](Index body, double sign) {
        const double x = random_.normal(), y = random_.normal();
        W.col(2 * j).segment(3 * body, 3) += sign * Vector3(c, s, x * s - y * c);
        W.col(2 * j + 1).segment(3 * body, 3) += sign * Vector3(-s, c, x * c + y * s);
      });
    }
    set("bodies in the plane", MassMatrix::diagonal(masses(3 * bodies)), W, m, 1);
  }

  void spatial() {
    const Index bodies = pick(1, 3), m = count();
    Matrix W = Matrix::Zero(6 * bodies, 3 * m);
    for (Index j = 0; j < m; ++j) {
      const Eigen::Matrix3d axes = Eigen::Matrix3d(matrix(3, 3)).householderQr().householderQ();
      for_pair(bodies, [&](Index body, double sign) {
        const Vector3 point = matrix(3, 1);
        for (Index t = 0; t < 3; ++t) {
          W.col(3 * j + t).segment(6 * body, 3) += sign * axes.col(t);
          W.col(3 * j + t).segment(6 * body + 3, 3) += sign * point.cross(Vector3(axes.col(t)));
        }
      });
    }
    set("bodies in space", MassMatrix::diagonal(masses(6 * bodies)), W, m, 2);
  }

  /// A body that lies or falls on feet at one height, or on two walls.
  void block() {
    const Index feet = std::max<Index>(2, std::min<Index>(count(), 8));
    const double m = mass();
    const Vector3 I(between(0.2, 2), between(0.2, 2), between(0.2, 2));
    Vector masses(6);
    masses << m, m, m, m * I;
    const bool corner = chance(0.3);
    Matrix W = Matrix::Zero(6, 3 * feet);
    for (Index j = 0; j < feet; ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(feet);
      const Vector3 point(std::cos(angle), std::sin(angle), -0.7);
      Eigen::Matrix3d axes;
      axes << Vector3::UnitZ(), Vector3::UnitX(), Vector3::UnitY();
      if (corner && j % 2 == 1) axes << Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ();
      for (Index t = 0; t < 3; ++t) W.col(3 * j + t) << Vector3(axes.col(t)), point.cross(Vector3(axes.col(t)));
    }
    set("block on feet", MassMatrix::diagonal(masses), W, feet, 2);
    if (chance(0.4)) impact_.problem.u_minus.tail(3).setZero();  // falls flat
    if (chance(0.3)) impact_.problem.u_minus << 0, 0, -1, 0, 0, 0;
  }

  template <class Use>
  void for_pair(Index bodies, Use&& use) {
    const Index a = pick(0, bodies - 1), b = pick(-1, bodies - 1);
    use(a, 1);
    if (b >= 0 && b != a) use(b, -1);
  }

  void fill(Contact& contact) {
    contact.e = common_e_ >= 0 ? common_e_ : chance(0.2) ? 0 : chance(0.2) ? 1 : random_.uniform();
    const bool one_e = std::holds_alternative<Moreau>(impact_.law);  // for the whole impact
    if (common_e_ < 0 && (chance(0.5) || one_e)) common_e_ = contact.e;
    const bool has_friction = reads(impact_.law, "mu");
    contact.mu = contact.tangents == 0 || !has_friction || chance(0.2) ? 0
                 : chance(0.2)                                         ? between(0, 10)
                                                                       : between(0, 1.5);
    contact.e_t = between(-1, 1);
    if (!has_path(impact_.law)) return;
    contact.k = chance(0.5) ? 1 : power(chance(0.5) ? 1 : 4);
    contact.eta = common_eta_;
    if (chance(0.1)) contact.E0 = random_.uniform() * mass();
  }

  /// Contacts that say the same, that rest, that are nearly parallel.
  void degenerate() {
    ImpactProblem& problem = impact_.problem;
    const Index m = static_cast<Index>(problem.contacts.size());
    Matrix W = problem.W;
    const Index wide = W.cols() / m;
    if (m > 1 && chance(0.1)) W.middleCols(wide * pick(1, m - 1), wide) = W.leftCols(wide);
    if (m > 1 && chance(0.05)) {
      const Index one = wide * pick(1, m - 1);
      W.middleCols(one, wide) = W.leftCols(wide) + 1e-9 * W.middleCols(one, wide);
    }
    problem.W = W.sparseView();
    const double choice = random_.uniform();
    if (choice < 0.05) problem.u_minus.setZero();
    if (choice > 0.95) problem.u_minus *= power(12);
  }

  void surround() {
    ImpactProblem& problem = impact_.problem;
    const Index n = problem.M.size(), rows = problem.W.cols();
    if (chance(0.15)) problem.drift = matrix(rows, 1) * problem.u_minus.norm();
    if (chance(0.1)) problem.p = problem.M * Vector(matrix(n, 1));
    if (!chance(0.2)) return;
    Matrix J = matrix(n, pick(1, std::min<Index>(3, n)));
    if (chance(0.3)) J.col(0) = Matrix(problem.W).col(pick(0, rows - 1));  // holds a direction of a contact
    problem.J = J.sparseView();
  }

  /// What laws of one contact can be asked.
  void keep_one_closing() {
    ImpactProblem& problem = impact_.problem;
    const double e = problem.contacts[0].e;
    if (auto* law = std::get_if<GeneralizedKinematic>(&impact_.law))
      law->E_n =
          Matrix::Identity(static_cast<Index>(problem.contacts.size()), static_cast<Index>(problem.contacts.size())) *
          e;
    if (!one_contact_) return;
    const Index wide = problem.W.cols() / static_cast<Index>(problem.contacts.size());
    problem.W = Matrix(Matrix(problem.W).leftCols(wide)).sparseView();
    problem.contacts.resize(1);
    if (problem.drift.size() > 0) problem.drift.conservativeResize(wide);
  }

  Random random_;
  RandomImpact impact_;
  bool one_contact_ = false;
  double spread_ = 0, centre_ = 0, common_e_ = -1;
  const double common_eta_ = std::array<double, 4>{1, 1.5, 1.5, 2}[pick(0, 3)];
};

}  // namespace

RandomImpact random_impact(std::uint64_t seed) {
  return Draft(seed).make();
}

}  // namespace carom::soak
