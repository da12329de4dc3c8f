#include "carom/impact/restitution_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Function = RestitutionFunction;

double interpolated(const Function::Data& data, double x) {
  const auto next = std::upper_bound(data.at.begin(), data.at.end(), x);
  const auto i = next - data.at.begin();
  if (i == 0) return data.values.front();
  if (next == data.at.end()) return data.values.back();
  const double share = (x - data.at[i - 1]) / (data.at[i] - data.at[i - 1]);
  return data.values[i - 1] + share * (data.values[i] - data.values[i - 1]);
}

double value_of(const Function::SpeedPower& form, double speed, double /*work*/) {
  return 1 - form.alpha * std::pow(speed, form.m);
}

double value_of(const Function::Yield& form, double speed, double /*work*/) {
  return speed > form.speed ? std::sqrt(std::sqrt(form.speed / speed)) : 1;
}

double value_of(const Function::Data& form, double speed, double work) {
  return interpolated(form, form.of == Function::Data::Of::work ? work : speed);
}

bool is_of_work(const Function::Form& form) {
  const auto* data = std::get_if<Function::Data>(&form);
  return data != nullptr && data->of == Function::Data::Of::work;
}

std::string text_of(const Function::SpeedPower& form) {
  return fmt::format("1 - {} v^{}", form.alpha, form.m);
}

std::string text_of(const Function::Yield& form) {
  return fmt::format("(v / {})^(-1/4)", form.speed);
}

std::string text_of(const Function::Data& form) {
  if (form.values.size() == 1) return fmt::format("{}", form.values.front());
  return fmt::format("{} values over {}", form.values.size(), form.of == Function::Data::Of::work ? "work" : "speed");
}

std::string fault_in(const Function::SpeedPower& form) {
  if (!(form.alpha >= 0 && std::isfinite(form.alpha)))
    return fmt::format("alpha = {} is not a finite number >= 0; e = 1 - alpha v^m is at most 1", form.alpha);
  if (!(form.m > 0 && std::isfinite(form.m)))
    return fmt::format("m = {} is not a finite number > 0; e = 1 - alpha v^m falls with the speed", form.m);
  return {};
}

std::string fault_in(const Function::Yield& form) {
  if (form.speed > 0 && std::isfinite(form.speed)) return {};
  return fmt::format("yield_speed = {} is not a finite number > 0", form.speed);
}

std::string fault_in(const Function::Data& form) {
  const std::string_view places = form.of == Function::Data::Of::work ? "works" : "speeds";
  if (form.at.empty() || form.at.size() != form.values.size())
    return fmt::format("has {} {} and {} values; they belong together, at least one of each", form.at.size(), places,
                       form.values.size());
  for (std::size_t i = 0; i < form.at.size(); ++i) {
    if (!(form.at[i] >= 0 && std::isfinite(form.at[i])) || (i > 0 && !(form.at[i] > form.at[i - 1])))
      return fmt::format("{}[{}] = {} is out of order; {} are >= 0 and each is larger than the one before", places, i,
                         form.at[i], places);
    if (!(form.values[i] >= 0 && form.values[i] <= 1))
      return fmt::format("values[{}] = {} is outside [0, 1]", i, form.values[i]);
  }
  return {};
}

}  // namespace

double RestitutionFunction::at(double speed, double work) const {
  double e = 1;
  for (const Form& form : forms)
    e = std::min(e, std::visit([&](const auto& own) { return value_of(own, speed, work); }, form));
  return std::clamp(factor * e, 0.0, 1.0);
}

bool RestitutionFunction::reads_work() const {
  return std::any_of(forms.begin(), forms.end(), is_of_work);
}

bool RestitutionFunction::reads_speed() const {
  return !std::all_of(forms.begin(), forms.end(), is_of_work);
}

double RestitutionFunction::largest() const {
  double e = 1;
  for (const Form& form : forms)
    if (const auto* data = std::get_if<Data>(&form))
      e = std::min(e, *std::max_element(data->values.begin(), data->values.end()));
  return std::min(factor * e, 1.0);
}

std::string RestitutionFunction::text() const {
  std::string all;
  for (const Form& form : forms)
    all += (all.empty() ? "" : ", ") + std::visit([](const auto& own) { return text_of(own); }, form);
  if (forms.size() > 1) all = "min(" + all + ")";
  return factor == 1 ? all : fmt::format("{} ({})", factor, all);
}

RestitutionFunction::Form constant_restitution(double e) {
  return Function::Data{Function::Data::Of::speed, {0}, {e}};
}

std::string fault_of(const RestitutionFunction& function) {
  if (function.forms.empty()) return "has no form";
  if (!(function.factor >= 0 && std::isfinite(function.factor)))
    return fmt::format("factor = {} is not a finite number >= 0", function.factor);
  for (const Function::Form& form : function.forms)
    if (std::string fault = std::visit([](const auto& own) { return fault_in(own); }, form); !fault.empty())
      return fault;
  return {};
}

}  // namespace carom
