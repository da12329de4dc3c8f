#include "carom/scene/restitution_reader.h"

#include <array>

#include "carom/scene/error.h"
#include "carom/scene/keys.h"
#include "carom/scene/quantities.h"

namespace carom::scene {
namespace {

using Function = RestitutionFunction;

std::vector<double> values_in(const Field& table, std::string_view key, std::string_view meaning) {
  const Vector values = value_of<Vector>(required_member(table, key, meaning));
  return {values.begin(), values.end()};
}

Function::Data read_data(const Field& table, Function::Data::Of of) {
  const bool work = of == Function::Data::Of::work;
  const std::string_view places = work ? "works" : "speeds";
  require_known_keys(table, std::array{places, std::string_view("values")});
  return {of, values_in(table, places, work ? "works of compression [J]" : "closing speeds [m/s]"),
          values_in(table, "values", "the e that belong to them")};
}

Function::Form read_form(const Field& table) {
  if (member(table, "speeds")) return read_data(table, Function::Data::Of::speed);
  if (member(table, "works")) return read_data(table, Function::Data::Of::work);
  if (const std::optional<Field> speed = member(table, "yield_speed")) {
    require_known_keys(table, std::array{std::string_view("yield_speed")});
    return Function::Yield{value_of<double>(*speed)};
  }
  require_known_keys(table, std::array<std::string_view, 6>{"alpha", "m", "speeds", "works", "values", "yield_speed"});
  return Function::SpeedPower{value_of<double>(required_member(table, "alpha", "of e = 1 - alpha v^m [(s/m)^m]")),
                              value_of<double>(required_member(table, "m", "the exponent of e = 1 - alpha v^m"))};
}

bool is_function(const Field& field) {
  return field.node->object() || field.node->array();
}

void add_forms(const Field& field, Function& function) {
  if (field.node->object())
    function.forms.push_back(read_form(field));
  else
    function.forms.push_back(constant_restitution(read_unit_interval(field)));
}

}  // namespace

GivenRestitution read_restitution(const Field& field) {
  if (!is_function(field)) return {value_of<double>(field)};
  Function function;
  if (field.node->array()) {
    const std::size_t count = entries_of(field, "a list of functions and numbers").size();
    if (count == 0) fail(field, "is an empty list; it needs at least one entry");
    for (std::size_t i = 0; i < count; ++i) add_forms(entry(field, i), function);
  } else {
    add_forms(field, function);
  }
  if (const std::string fault = fault_of(function); !fault.empty()) fail(field, fault);
  const double largest = function.largest();
  return {largest, std::make_shared<const Function>(std::move(function))};
}

GivenRestitution read_unit_restitution(const Field& field) {
  if (!is_function(field)) return {read_unit_interval(field)};
  return read_restitution(field);
}

}  // namespace carom::scene
