#include "carom/app/lab_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "carom/record/fields_json.h"
#include "carom/scene/key_meanings.h"
#include "carom/scene/quantities.h"

namespace carom::app {
namespace {

using record::Json;
using scene::Node;

constexpr std::size_t kMostKeys = 4000;
constexpr std::size_t kLongestList = 6, kLongestWord = 80;

/// A key as it stands in a path.
std::string path_step(const std::string& key) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !key.empty() && std::all_of(key.begin(), key.end(), is_plain) ? key : '"' + key + '"';
}

/// The value of a form's field; nothing if it is none for a form.
std::optional<Json> form_value(const Node& node) {
  if (const bool* boolean = node.boolean()) return Json(*boolean);
  if (const double* number = node.number()) return Json(*number);
  if (const std::string* text = node.text())
    return text->size() <= kLongestWord ? std::optional<Json>(*text) : std::nullopt;
  const Node::Array* list = node.array();
  if (!list || list->empty() || list->size() > kLongestList) return std::nullopt;
  Json numbers = Json::array();
  for (const Node& one : *list) {
    if (!one.number()) return std::nullopt;
    numbers.push_back(*one.number());
  }
  return numbers;
}

/// One parameter of the law or the scheme.
struct Parameter {
  Json value, words;
  std::string_view meaning, type;
};
using Parameters = std::map<std::string, Parameter>;  // by path

template <class T>
void add_parameters(const T& value, const std::string& table, Parameters& all) {
  T::fields(value, [&]<class F>(std::string_view key, const F& parameter, std::string_view meaning) {
    Parameter& one = all[fmt::format("{}.{}", table, key)];
    one = {record::parameter_json(parameter), nullptr, meaning, record::type_of_parameter(parameter)};
    if constexpr (Word<F>) one.words = words_of(parameter);
  });
}

void say_meaning(std::string_view meaning, Json& key) {
  if (meaning.empty()) return;
  key["meaning"] = meaning;
  if (const std::string_view unit = record::unit_in(meaning); !unit.empty()) key["unit"] = unit;
}

void describe(const Parameter& parameter, Json& key) {
  say_meaning(parameter.meaning, key);
  key["type"] = parameter.type;
  if (!(parameter.words == Json())) key["words"] = parameter.words;
}

/// The type that a table states, or that of the table around it: what its keys mean depends on it.
std::string_view type_in(const Node& table, std::string_view around) {
  const scene::Member* type = table.find("type");
  return type && type->value.text() ? std::string_view(*type->value.text()) : around;
}

/// Goes through a document and lists what a form may offer; parameters that it meets are taken off their list.
class KeyList {
 public:
  explicit KeyList(Parameters& parameters) : parameters_(parameters) {}

  /// `type` is that of the table around it.
  void take(const Node& node, const std::string& path, std::string_view type = {}) {
    if (count_ >= kMostKeys) return;
    if (std::optional<Json> value = form_value(node)) {
      add(node, path, type, *std::move(value));
    } else if (const Node::Array* list = node.array()) {
      for (std::size_t i = 0; i < list->size(); ++i) take((*list)[i], fmt::format("{}[{}]", path, i), type);
    } else if (const Node::Object* members = node.object()) {
      const std::string_view own = type_in(node, type);
      for (const scene::Member& one : *members)
        take(one.value, path.empty() ? path_step(one.key) : path + '.' + path_step(one.key), own);
    }
  }

  Json keys = Json::array();

 private:
  void add(const Node& node, const std::string& path, std::string_view type, Json value) {
    Json key = {{"path", path}, {"value", std::move(value)}, {"line", node.at.line}, {"column", node.at.column}};
    if (const auto known = parameters_.find(path); known != parameters_.end()) {
      describe(known->second, key);
      parameters_.erase(known);
    } else {
      say_meaning(scene::meaning_of_key(path, type), key);
    }
    keys.push_back(std::move(key));
    ++count_;
  }

  Parameters& parameters_;
  std::size_t count_ = 0;
};

bool is_own_table(const std::string& origin) {
  return origin.starts_with("body[") || origin.starts_with("wall[");
}

}  // namespace

Json keys_of(const scene::Scene& scene) {
  Parameters left;
  std::visit([&](const auto& law) { add_parameters(law, "law", left); }, scene.law);
  std::visit([&](const auto& scheme) { add_parameters(scheme, "scheme", left); }, scene.scheme);
  KeyList list(left);
  list.take(scene.document.root, "");
  if (!scene.document.root.find("scheme"))
    list.keys.push_back({{"path", "scheme"}, {"value", name_of(scene.scheme)}, {"type", "text"}});
  for (const auto& [path, parameter] : left) {
    Json key = {{"path", path}, {"value", parameter.value}};
    describe(parameter, key);
    list.keys.push_back(std::move(key));
  }
  return list.keys;
}

Json body_paths(const scene::Scene& scene) {
  Json paths = Json::array();
  for (const std::string& origin : scene.origins.bodies) paths.push_back(is_own_table(origin) ? Json(origin) : nullptr);
  return paths;
}

Json body_positions(const scene::Scene& scene) {
  const Dimension dimension = scene.description.dimension;
  Json positions = Json::array();
  for (const std::string& origin : scene.origins.bodies) {
    if (!is_own_table(origin)) {
      positions.push_back(nullptr);
      continue;
    }
    const scene::Field table{&scene.document, &scene::find(scene.document, origin), origin};
    const Vector3 position = scene::read_vector(scene::Given{{table}}, "position", dimension);
    Json numbers = Json::array();
    for (int axis = 0; axis < static_cast<int>(dimension); ++axis) numbers.push_back(position[axis]);
    positions.push_back(std::move(numbers));
  }
  return positions;
}

}  // namespace carom::app
