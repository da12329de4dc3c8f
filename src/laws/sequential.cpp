#include "carom/laws/sequential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "carom/impact/solve.h"
#include "carom/laws/newton.h"
#include "carom/laws/one_contact/closing_contact.h"

namespace carom {
namespace {

constexpr double kClosing = 1e-13;     // of the terms a velocity is summed from: what is less does not close
constexpr double kEquallyFast = 1e-9;  // of closing speeds
constexpr double kEndless = 1e-8;      // of the first closing speed: a chain of impacts that fades below it has no end
constexpr double kSameEnd = 1e-6;      // of the velocities' change, in the kinetic metric
constexpr double kFaded = 1e-6;        // of the first closing speed: what is left below it changes little
constexpr double kNotFelt = 1e-24;     // of the mobilities: the square of a coupling that is none
constexpr long kMostImpacts = 2000, kMostPerContact = 200;
constexpr double kMostToFollow = 1e9;
constexpr Index kMostCompared = 200;  // contacts: beyond, no other order is tried

/// What is left to do and what has been done.
class Sequence {
 public:
  Sequence(const ContactProblem& problem, const Sequential& law, std::vector<Index> listed)
      : problem_(problem),
        law_(law),
        listed_(std::move(listed)),
        gamma_(problem.gamma_free),
        terms_(problem.gamma_terms) {
    answer_.Lambda = Vector::Zero(problem.gamma_free.size());
    answer_.dissipated_normal = answer_.dissipated_friction = Vector::Zero(problem.size());
    for (Index i = 0; i < problem.size(); ++i) queue(i);
    if (!queue_.empty()) first_speed_ = std::prev(queue_.end())->first;
  }

  Impulses answer() {
    const long most = law_.most > 0 ? static_cast<long>(law_.most)
                                    : kMostImpacts + kMostPerContact * static_cast<long>(problem_.size());
    while (!queue_.empty() && answer_.status == Status::solved) {
      const double spent = static_cast<double>(impacts_) / static_cast<double>(most);
      if (impacts_ >= most || !goes_on(problem_.options.watch, spent)) {
        end_at_once();
        break;
      }
      if (const std::optional<Index> listed = next_listed())
        alone(*listed);
      else
        next_by_speed();
    }
    if (answer_.status == Status::no_solution) return std::move(answer_);
    if (impacts_ > 2 && last_speed_ < kEndless * first_speed_)
      answer_.remarks.push_back(fmt::format("{}: the impacts never end, ever weaker; {} were followed, until rounding",
                                            Sequential::name, impacts_));
    answer_.events = impacts_;
    answer_.cost.iterations = impacts_;
    return std::move(answer_);
  }

 private:
  double closing_speed(Index i) const { return -gamma_[problem_.row[i]]; }

  void queue(Index i) {
    const Index row = problem_.row[i];
    if (gamma_[row] < -kClosing * terms_[row]) queue_.emplace(closing_speed(i), i);
  }

  /// Adds an impulse in one row and moves what feels it.
  void push(Index row, double impulse) {
    if (impulse == 0) return;
    answer_.Lambda[row] += impulse;
    for (SparseMatrix::InnerIterator entry(problem_.G, row); entry; ++entry) {
      const double change = entry.value() * impulse;
      const Index other = entry.row();
      gamma_[other] += change;
      terms_[other] = std::max(terms_[other], std::abs(change));
    }
  }

  /// Changes velocities by `act` and keeps the queue right: of contacts that feel impulses in these rows.
  template <class Act>
  void with_queue(const std::vector<Index>& rows, Act&& act) {
    std::vector<Index> touched;
    for (const Index row : rows)
      for (SparseMatrix::InnerIterator entry(problem_.G, row); entry; ++entry)
        touched.push_back(contact_of(entry.row()));
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const Index i : touched) queue_.erase({closing_speed(i), i});
    act();
    for (const Index i : touched) queue(i);
  }

  Index contact_of(Index row) const {
    return std::upper_bound(problem_.row.begin(), problem_.row.end(), row) - problem_.row.begin() - 1;
  }

  std::vector<Index> rows_of(const std::vector<Index>& contacts) const {
    std::vector<Index> rows;
    for (const Index i : contacts)
      for (Index t = 0; t <= problem_.contacts()[i].tangents; ++t) rows.push_back(problem_.row[i] + t);
    return rows;
  }

  /// The next contact of the list that closes; nothing if none does.
  std::optional<Index> next_listed() {
    for (std::size_t looked = 0; looked < listed_.size(); ++looked, ++turn_) {
      const Index i = listed_[turn_ % listed_.size()];
      if (queue_.count({closing_speed(i), i}) > 0) return i;
    }
    return std::nullopt;
  }

  void next_by_speed() {
    const bool fastest = law_.first == Sequential::First::fastest;
    const double speed = fastest ? std::prev(queue_.end())->first : queue_.begin()->first;
    std::vector<Index> together;
    const auto joins = [&](const std::pair<double, Index>& one) {
      return std::abs(one.first - speed) <= kEquallyFast * speed;
    };
    if (fastest)
      for (auto one = queue_.rbegin(); one != queue_.rend() && joins(*one); ++one) together.push_back(one->second);
    else
      for (auto one = queue_.begin(); one != queue_.end() && joins(*one); ++one) together.push_back(one->second);
    std::sort(together.begin(), together.end());
    for (const std::vector<Index>& group : connected(together)) {
      if (answer_.status != Status::solved) return;
      if (group.size() == 1)
        alone(group.front());
      else
        at_once(group);
    }
  }

  /// Groups of contacts that move each other.
  std::vector<std::vector<Index>> connected(const std::vector<Index>& contacts) const {
    std::vector<std::vector<Index>> groups;
    std::vector<char> waits(static_cast<std::size_t>(problem_.size()), 0);
    for (const Index i : contacts) waits[i] = 1;
    for (const Index seed : contacts) {
      if (!waits[seed]) continue;
      waits[seed] = 0;
      std::vector<Index> group = {seed};
      for (std::size_t k = 0; k < group.size(); ++k)
        for (const Index row : rows_of({group[k]}))
          for (SparseMatrix::InnerIterator entry(problem_.G, row); entry; ++entry)
            if (const Index other = contact_of(entry.row()); waits[other] && moves(row, entry)) {
              waits[other] = 0;
              group.push_back(other);
            }
      std::sort(group.begin(), group.end());
      groups.push_back(std::move(group));
    }
    return groups;
  }

  /// Whether an impulse in a row is felt in another one, beyond rounding.
  bool moves(Index row, const SparseMatrix::InnerIterator& entry) const {
    return entry.value() * entry.value() >
           kNotFelt * problem_.G.coeff(row, row) * problem_.G.coeff(entry.row(), entry.row());
  }

  /// The impact of one contact.
  void alone(Index i) {
    ++impacts_;
    last_speed_ = closing_speed(i);
    one_contact::ClosingContact contact = one_contact::seen_alone(problem_, i);
    for (Index t = 0; t <= contact.tangents; ++t) {
      const Index row = contact.row + t;
      contact.c[t] = std::abs(gamma_[row]) <= kClosing * terms_[row] ? 0 : gamma_[row];
      contact.c_minus[t] += gamma_[row] - problem_.gamma_free[row];
    }
    if (const SharedRestitution& e_of = problem_.contacts()[i].e_of)
      contact.e = e_of->at(last_speed_, 0.5 * last_speed_ * last_speed_ / contact.B_nn());
    const one_contact::OneContactImpact impact =
        one_contact::integrate_impact(contact, {.restitution = law_.restitution,
                                                .wave_loss = 0,
                                                .tolerance = law_.tolerance,
                                                .speed = contact.c.norm() / std::sqrt(contact.B.trace()),
                                                .record = false});
    if (impact.wedged) {
      answer_ = one_contact::held_fast(problem_, contact, Sequential::name);
      return;
    }
    if (impact.curved) answer_.accuracy = std::max({answer_.accuracy, law_.tolerance, impact.change});
    answer_.dissipated_normal[i] -= impact.end.work;
    answer_.dissipated_friction[i] -= impact.end.friction_work;
    answer_.cost.evaluations += impact.evaluations;
    with_queue(rows_of({i}), [&] {
      for (Index t = 0; t <= contact.tangents; ++t) push(contact.row + t, impact.end.P[t]);
      // What a straight piece reaches is exact: rounding must not make it close again.
      if (impact.end.c[0] == 0) gamma_[contact.row] = std::max(0.0, gamma_[contact.row]);
    });
  }

  /// Contacts that have no order among them.
  void at_once(const std::vector<Index>& contacts) {
    ++impacts_;
    last_speed_ = closing_speed(contacts.front());
    answer_.unique.u_plus = answer_.unique.impulse = Claim::unknown();
    if (!tied_) {
      std::vector<Index> named = contacts;
      named.resize(std::min<std::size_t>(named.size(), 4));
      std::string names;
      for (const Index i : named)
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", problem_.contacts()[i].name);
      answer_.remarks.push_back(
          fmt::format("{}: {}{} close equally fast and have no order; Newton's law takes them "
                      "together",
                      Sequential::name, names, contacts.size() > 4 ? ", ..." : ""));
      tied_ = true;
    }
    const ImpactProblem part = part_of(contacts, [](const Contact& contact) { return contact.e; });
    add(contacts, Newton{}.impulses(reduce(part)));
  }

  /// What is left without restitution, all contacts together.
  void end_at_once() {
    std::vector<Index> all(static_cast<std::size_t>(problem_.size()));
    for (Index i = 0; i < problem_.size(); ++i) all[i] = i;
    const double left = std::prev(queue_.end())->first;
    const ImpactProblem part = part_of(all, [](const Contact&) { return 0.0; });
    add(all, Newton{}.impulses(reduce(part)));
    if (answer_.status == Status::no_solution) return;
    const double speed = last_speed_ = first_speed_;
    if (left <= kFaded * speed) {
      answer_.accuracy = std::max(answer_.accuracy, left / speed);
      answer_.remarks.push_back(fmt::format(
          "{}: the impacts never end, ever weaker; after {} of them what was left, {:.1g} of the speed they "
          "began with, was taken at once",
          Sequential::name, impacts_, left / speed));
      return;
    }
    answer_.status = Status::iteration_limit;
    answer_.message = fmt::format(
        "{}: does not end: after {} impacts contacts still close at {:.2g} of the speed they began with; what was left "
        "was taken at once, without restitution",
        Sequential::name, impacts_, left / speed);
  }

  /// These contacts and the velocity of now as an impact of their own.
  template <class Restitution>
  ImpactProblem part_of(const std::vector<Index>& contacts, Restitution&& e) const {
    const ImpactProblem& whole = *problem_.impact;
    ImpactProblem part;
    part.M = whole.M;
    part.J = whole.J;
    Vector impulse = whole.W * answer_.Lambda;
    if (whole.p.size() > 0) impulse += whole.p;
    part.u_minus = whole.u_minus + whole.M.solve(std::move(impulse));
    if (!problem_.joints.empty()) part.u_minus = problem_.joints.project(part.u_minus);
    const std::vector<Index> rows = rows_of(contacts);
    part.W.resize(whole.W.rows(), static_cast<Index>(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) part.W.col(static_cast<Index>(k)) = whole.W.col(rows[k]);
    if (whole.drift.size() > 0) part.drift = whole.drift(rows);
    for (const Index i : contacts) {
      part.contacts.push_back(whole.contacts[i]);
      part.contacts.back().e = e(part.contacts.back());
      if (part.contacts.back().e == 0) part.contacts.back().e_of = nullptr;
    }
    return part;
  }

  void add(const std::vector<Index>& contacts, const Impulses& impulses) {
    if (impulses.status == Status::no_solution) {
      answer_ = impulses;
      return;
    }
    const std::vector<Index> rows = rows_of(contacts);
    with_queue(rows, [&] {
      const Vector before = gamma_(rows);
      for (std::size_t k = 0; k < rows.size(); ++k) push(rows[k], impulses.Lambda[static_cast<Index>(k)]);
      Index row = 0;
      for (const Index i : contacts) {
        for (Index t = 0; t <= problem_.contacts()[i].tangents; ++t, ++row) {
          double& now = gamma_[rows[row]];
          const double lost = -0.5 * (before[row] + now) * impulses.Lambda[row];
          (t == 0 ? answer_.dissipated_normal : answer_.dissipated_friction)[i] += lost;
          if (t == 0 && impulses.Lambda[row] > 0 && problem_.contacts()[i].e == 0) now = std::max(0.0, now);
        }
      }
    });
  }

  const ContactProblem& problem_;
  const Sequential& law_;
  const std::vector<Index> listed_;           // contacts with turns of their own
  Vector gamma_, terms_;                      // (rows) of now; the size of what they are summed from
  std::set<std::pair<double, Index>> queue_;  // closing speeds [m/s] and contacts
  Impulses answer_;
  long impacts_ = 0;
  std::size_t turn_ = 0;
  double first_speed_ = 0, last_speed_ = 0;  // [m/s]
  bool tied_ = false;
};

/// The contacts of a problem in the order that is asked for.
std::vector<Index> listed_contacts(const ContactProblem& problem, const ContactTurns& order) {
  std::vector<Index> listed;
  std::vector<char> seen(static_cast<std::size_t>(problem.size()), 0);
  const auto add = [&](std::size_t turn, Index i) {
    if (std::exchange(seen[static_cast<std::size_t>(i)], 1))
      throw InputError(fmt::format("law.order[{}]", turn),
                       fmt::format("names '{}' again; each contact has one turn", problem.contacts()[i].name));
    listed.push_back(i);
  };
  for (std::size_t turn = 0; turn < order.turns.size(); ++turn) {
    if (const auto* name = std::get_if<std::string>(&order.turns[turn])) {
      for (Index i = 0; i < problem.size(); ++i)
        if (problem.contacts()[i].name == *name) add(turn, i);
      continue;
    }
    const double number = std::get<double>(order.turns[turn]);
    if (!(number >= 0 && number < static_cast<double>(problem.size()) && number == std::floor(number)))
      throw InputError(
          fmt::format("law.order[{}]", turn),
          fmt::format("{} is no contact; expected a name or a number from 0 to {}", number, problem.size() - 1));
    add(turn, static_cast<Index>(number));
  }
  return listed;
}

/// How far two answers are from each other, of how far the first is from doing nothing, in the kinetic metric.
double distance(const ContactProblem& problem, const Vector& a, const Vector& b) {
  const Vector apart = a - b;
  const double size = a.dot(problem.G * a);
  return size > 0 ? std::sqrt(std::max(0.0, apart.dot(problem.G * apart)) / size) : 0;
}

/// Whether the other end of the queue leads to the same velocities.
void compare_orders(const ContactProblem& problem, const Sequential& law, Impulses& answer) {
  if (!law.order.empty() || problem.size() < 2 || problem.size() > kMostCompared) return;
  if (answer.status != Status::solved || answer.events.value_or(0) < 2) return;
  Sequential reversed = law;
  reversed.first = law.first == Sequential::First::fastest ? Sequential::First::slowest : Sequential::First::fastest;
  const Impulses other = Sequence(problem, reversed, {}).answer();
  if (other.status != Status::solved) return;
  const double apart = distance(problem, answer.Lambda, other.Lambda);
  if (apart > std::max(kSameEnd, 10 * answer.accuracy))
    answer.remarks.push_back(fmt::format("{}: the order decides: {} first, u+ differs by {:.2g} of its change",
                                         Sequential::name, word(reversed.first), apart));
}

}  // namespace

Impulses Sequential::impulses(const ContactProblem& problem) const {
  require_restitution_in_unit_interval(problem, name);
  require_tolerance(tolerance, name);
  if (!(most >= 0 && most <= kMostToFollow && most == std::floor(most)))
    throw InputError("law.most", fmt::format("{} is not a whole number from 0 to {:g}", most, kMostToFollow));
  Impulses answer = Sequence(problem, *this, listed_contacts(problem, order)).answer();
  compare_orders(problem, *this, answer);
  return answer;
}

}  // namespace carom
