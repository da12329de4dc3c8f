#include "carom/scene/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "carom/scene/contact_reader.h"
#include "carom/scene/error.h"
#include "carom/scene/field.h"
#include "carom/scene/json.h"
#include "carom/scene/law_choice.h"
#include "carom/scene/path.h"
#include "carom/scene/toml.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::size_t kMostEntriesListed = 20;

/// Notes an option in the document; returns the position of its first character.
Position add_option(Document& document, std::string option) {
  document.options.push_back(std::move(option));
  return {first_option_line + static_cast<std::uint32_t>(document.options.size() - 1), 1};
}

/// "law": "name" becomes "law": {"name": "name"}, so that its parameters can be set; likewise a scene's scheme.
void write_as_object(Node& root, std::string_view key) {
  Member* member = root.find(key);
  if (!member || !member->value.text()) return;
  const Position at = member->value.at;
  Node::Object members;
  members.push_back({"name", at, std::move(member->value)});
  member->value = Node(at, std::move(members));
}

void set_member(Node& object, Member member) {
  if (Member* there = object.find(member.key))
    *there = std::move(member);
  else
    object.object()->push_back(std::move(member));
}

/// One --set: changes the value, or the values, at the end of a path.
class Setting {
 public:
  Setting(Document& document, const std::string& text)
      : document_(document), start_(add_option(document, "--set " + text)) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail(0, fmt::format("no '=' in {}; write key=value", in_quotes(text)));
    path_ = text.substr(0, equals);
    value_ = text.substr(equals + 1);
    Steps parsed = parse_path(path_);
    if (parsed.broken_at || parsed.steps.empty())
      fail(parsed.broken_at.value_or(0),
           fmt::format("{} is not a path; paths are as in {}", in_quotes(path_), examples()));
    if (parsed.steps.size() > deepest_nesting) fail(0, fmt::format("a path of more than {} steps", deepest_nesting));
    steps_ = std::move(parsed.steps);
    if (steps_.size() == 1) complete_path();
  }

  void apply() { assign(document_.root, steps_); }

 private:
  /// A name alone: a key of the document, a parameter of the scene, or a parameter of all contacts.
  void complete_path() {
    const std::string key = steps_[0].key;
    const Member* parameters = document_.root.find("parameters");
    const bool scene = document_.subject == Document::Subject::scene;
    if (scene && !document_.root.find(key) && parameters && parameters->value.find(key))
      steps_.insert(steps_.begin(), {"parameters", {}, false, 0});
    else if (scene && is_contact_parameter(key))
      steps_.insert(steps_.begin(), {"contact", {}, false, 0});
    else if (is_contact_parameter(key) && !document_.root.find(key))
      steps_.insert(steps_.begin(), {{"contacts", {}, false, 0}, {"*", {}, true, 0}});
  }

  void assign(Node& node, std::span<const Step> steps) {
    if (steps.empty()) {
      node = new_value();
      return;
    }
    const Step& step = steps.front();
    if (node.object() && !step.every)
      assign(member_at(*node.object(), step, steps.size() == 1), steps.subspan(1));
    else if (node.array() && step.every)
      for (Node& each : *node.array()) assign(each, steps.subspan(1));
    else if (node.array())
      assign(entry_at(*node.array(), step), steps.subspan(1));
    else
      fail(step.begin,
           fmt::format("{} is {}; it has no {}", owner(step), described(node, document_.subject), in_quotes(step.key)));
  }

  Node& member_at(Node::Object& members, const Step& step, bool last) {
    const auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == step.key; });
    if (found != members.end()) return found->value;
    const Position at = position(step.begin);
    members.push_back({step.key, at, last ? Node() : Node(at, Node::Object{})});
    return members.back().value;
  }

  Node& entry_at(Node::Array& entries, const Step& step) {
    if (step.index) {
      if (*step.index < entries.size()) return entries[*step.index];
      fail(step.begin,
           fmt::format("{} has {} entries, counted from 0; there is no [{}]", owner(step), entries.size(), step.key));
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Member* name = entries[i].find("name");
      names.push_back(name && name->value.text() ? *name->value.text() : fmt::format("{}", i + 1));
      if (names.back() == step.key) return entries[i];
    }
    names.resize(std::min(names.size(), kMostEntriesListed));
    const std::vector<std::string_view> known(names.begin(), names.end());
    fail(step.begin, fmt::format("{} has no entry named {}; {}", owner(step), in_quotes(step.key),
                                 suggestion(step.key, known, "its names are")));
  }

  /// JSON; in scenes also a table or a list of TOML; else a text.
  Node new_value() const {
    const Position at = position(path_.size() + 1);
    Node value = option_value(value_, document_, at);
    const bool table = !value_.empty() && (value_[0] == '{' || value_[0] == '[');
    if (!value.text() || !table || document_.subject != Document::Subject::scene) return value;
    try {
      Document read = parse_toml("value = " + value_, "");
      value = std::move(read.root.find("value")->value);
    } catch (const ReadError& error) {
      const std::string what = error.what();
      fail(path_.size() + 1,
           fmt::format("{} is no table or list of TOML: {}", in_quotes(value_), what.substr(what.find(' ') + 1)));
    }
    place(value, at);
    return value;
  }

  /// All of it is where the option gives it.
  static void place(Node& node, Position at) {
    node.at = at;
    if (Node::Array* entries = node.array())
      for (Node& one : *entries) place(one, at);
    if (Node::Object* members = node.object())
      for (Member& one : *members) {
        one.key_at = at;
        place(one.value, at);
      }
  }

  std::string_view examples() const {
    return document_.subject == Document::Subject::scene
               ? "e, law.tolerance, parameters.R, body[0].mass, chain[*].count"
               : "e, law.e, contacts[0].e, contacts[*].e, u[0]";
  }

  /// The part of the path before a step, for messages.
  std::string owner(const Step& step) const {
    return step.begin == 0 ? std::string(subject_of(document_))
                           : shortened(std::string_view(path_).substr(0, step.begin - (path_[step.begin - 1] == '.')));
  }

  Position position(std::size_t offset) const {
    return {start_.line, start_.column + static_cast<std::uint32_t>(offset)};
  }
  [[noreturn]] void fail(std::size_t offset, std::string_view text) const {
    scene::fail(document_, position(offset), text);
  }

  Document& document_;
  Position start_;
  std::string path_, value_;
  std::vector<Step> steps_;
};

}  // namespace

void replace_law(Document& document, std::string_view word) {
  write_as_object(document.root, "law");
  Member* law = document.root.find("law");
  const Member* file_name = law ? law->value.find("name") : nullptr;
  const bool same = file_name && file_name->value.text() && *file_name->value.text() == word.substr(0, word.find('{'));
  if (same && word.find('{') == std::string_view::npos) return;
  const Position at = add_option(document, fmt::format("--law {}", word));
  Node::Object members = law_members(word, document, at);
  if (same) {
    for (std::size_t i = 1; i < members.size(); ++i) set_member(law->value, std::move(members[i]));
    return;
  }
  Node replacement(at, std::move(members));
  if (law)
    law->value = std::move(replacement);
  else
    document.root.object()->push_back({"law", at, std::move(replacement)});
}

void apply(const Overrides& overrides, Document& document) {
  if (overrides.law) replace_law(document, *overrides.law);
  if (overrides.settings.empty()) return;
  for (const std::string_view key : {"law", "scheme"}) write_as_object(document.root, key);
  for (const std::string& setting : overrides.settings) Setting(document, setting).apply();
}

}  // namespace carom::scene
