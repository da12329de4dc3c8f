#include "carom/record/problem_json.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>

namespace carom::record {
namespace {

/// A direction, column j: only its entries that are not zero.
Json direction_json(const SparseMatrix& directions, Index j) {
  Json result = Json::object();
  for (SparseMatrix::InnerIterator entry(directions, j); entry; ++entry)
    if (entry.value() != 0) result[std::to_string(entry.row())] = entry.value();
  return result;
}

/// Names as the reader wants them: no two alike.
std::vector<std::string> distinct_names(const std::vector<Contact>& contacts) {
  std::map<std::string, int> count;
  for (const Contact& contact : contacts) ++count[contact.name];
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const Contact& contact : contacts) {
    std::string name = contact.name;
    const bool alone = !name.empty() && count[contact.name] == 1;
    for (int i = 1; !alone && (i == 1 || taken.contains(name) || count.contains(name)); ++i)
      name = contact.name.empty() ? fmt::format("{}", i) : fmt::format("{} {}", contact.name, i);
    taken.insert(name);
    names.push_back(name);
  }
  return names;
}

struct RestitutionJson {
  Json operator()(const RestitutionFunction::SpeedPower& form) const { return {{"alpha", form.alpha}, {"m", form.m}}; }
  Json operator()(const RestitutionFunction::Yield& form) const { return {{"yield_speed", form.speed}}; }
  Json operator()(const RestitutionFunction::Data& form) const {
    if (form.values.size() == 1) return form.values.front();
    const bool work = form.of == RestitutionFunction::Data::Of::work;
    return {{work ? "works" : "speeds", form.at}, {"values", form.values}};
  }
};

Json restitution_json(const RestitutionFunction& function) {
  Json all = Json::array();
  for (const RestitutionFunction::Form& form : function.forms) all.push_back(std::visit(RestitutionJson{}, form));
  return all;
}

Json contact_json(const ImpactProblem& problem, std::size_t i, Index row, const std::string& name) {
  struct ContactNumber {
    const char* key;
    double Contact::*value;
  };
  static constexpr std::array parameters = {ContactNumber{"e", &Contact::e},
                                            ContactNumber{"mu", &Contact::mu},
                                            ContactNumber{"e_t", &Contact::e_t},
                                            ContactNumber{"k", &Contact::k},
                                            ContactNumber{"eta", &Contact::eta},
                                            ContactNumber{"E0", &Contact::E0},
                                            ContactNumber{"gap_rate", &Contact::gap_rate},
                                            ContactNumber{"flexibility", &Contact::flexibility}};
  const Contact& contact = problem.contacts[i];
  const Contact standard;
  Json result = {{"name", name}, {"normal", direction_json(problem.W, row)}};
  if (contact.tangents > 0) result["tangents"] = Json::array();
  for (int t = 1; t <= contact.tangents; ++t) result["tangents"].push_back(direction_json(problem.W, row + t));
  for (const ContactNumber& one : parameters)
    if (contact.*one.value != standard.*one.value) result[one.key] = contact.*one.value;
  if (contact.mu_2) result["mu"] = {contact.mu, *contact.mu_2};
  if (contact.e_t_2) result["e_t"] = {contact.e_t, *contact.e_t_2};
  if (contact.e_of) result["e"] = restitution_json(*contact.e_of);
  if (contact.c) result["c"] = *contact.c;
  if (contact.mu_s) result["mu_s"] = *contact.mu_s;
  if (contact.k_t) result["k_t"] = *contact.k_t;
  if (problem.drift.size() == 0) return result;
  const Vector drift = problem.drift.segment(row, 1 + contact.tangents);
  if (drift.cwiseAbs().maxCoeff() > 0) result["drift"] = to_json(drift);
  return result;
}

Json turns_json(const ContactTurns& order) {
  Json list = Json::array();
  for (const auto& turn : order.turns) std::visit([&](const auto& given) { list.push_back(given); }, turn);
  return list;
}

template <class T>
Json parameter_json(const T& value) {
  if constexpr (std::is_same_v<T, Matrix> || std::is_same_v<T, Vector>)
    return to_json(value);
  else if constexpr (std::is_same_v<T, ContactTurns>)
    return turns_json(value);
  else if constexpr (Word<T>)
    return carom::word(value);
  else if constexpr (requires { value.has_value(); })
    return value ? parameter_json(*value) : Json(nullptr);
  else
    return value;
}

template <class L>
std::map<std::string, Json> parameters_json(const L& law) {
  std::map<std::string, Json> all;
  L::fields(
      law, [&](std::string_view key, const auto& value, std::string_view) { all.emplace(key, parameter_json(value)); });
  return all;
}

}  // namespace

Json law_json(const ImpactLaw& law) {
  Json result = {{"name", name_of(law)}};
  std::visit(
      [&]<class L>(const L& value) {
        const std::map<std::string, Json> standard = parameters_json(L{});
        for (const auto& [key, given] : parameters_json(value))
          if (given != standard.at(key)) result[key] = given;
      },
      law);
  return result;
}

Json problem_json(const ImpactProblem& problem, const ImpactLaw& law, const std::string& about) {
  Json result = {{"format", "carom-problem/1"}};
  if (!about.empty()) result["about"] = about;
  if (problem.M.is_diagonal())
    result["mass"] = to_json(problem.M.masses());
  else
    result["M"] = to_json(problem.M.to_dense());
  result["u"] = to_json(problem.u_minus);
  if (problem.p.size() > 0) result["p"] = to_json(problem.p);
  result["contacts"] = Json::array();
  const std::vector<std::string> names = distinct_names(problem.contacts);
  Index row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    result["contacts"].push_back(contact_json(problem, i, row, names[i]));
    row += 1 + problem.contacts[i].tangents;
  }
  if (problem.J.cols() > 0) result["joints"] = Json::array();
  for (Index j = 0; j < problem.J.cols(); ++j) result["joints"].push_back(direction_json(problem.J, j));
  result["law"] = law_json(law);
  return result;
}

}  // namespace carom::record
