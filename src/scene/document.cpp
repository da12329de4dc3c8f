#include "carom/scene/document.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "carom/scene/path.h"
#include "carom/scene/words.h"

namespace carom::scene {

Node::Node(Position position, std::string value)
    : at(position), value_(std::make_unique<std::string>(std::move(value))) {}
Node::Node(Position position, Array values) : at(position), value_(std::make_unique<Array>(std::move(values))) {}
Node::Node(Position position, Object members) : at(position), value_(std::make_unique<Object>(std::move(members))) {}
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

const Member* Node::find(std::string_view key) const {
  const Object* members = object();
  if (!members) return nullptr;
  const auto found = std::find_if(members->begin(), members->end(), [&](const Member& m) { return m.key == key; });
  return found == members->end() ? nullptr : &*found;
}

Member* Node::find(std::string_view key) {
  return const_cast<Member*>(std::as_const(*this).find(key));
}

std::string_view subject_of(const Document& document) {
  return document.subject == Document::Subject::scene ? "the scene" : "the problem";
}

std::string place_of(const Document& document, Position at) {
  if (at.line < first_option_line) return fmt::format("{}:{}:{}", printable(document.file), at.line, at.column);
  const std::size_t option = at.line - first_option_line;
  return fmt::format("{}:1:{}", shortened(document.options.at(option)), at.column);
}

const Node& find(const Document& document, std::string_view path) {
  const Node* node = &document.root;
  const std::vector<Step> steps = parse_path(path).steps;
  for (const Step& step : steps) {
    const Node* next = nullptr;
    if (const Node::Array* values = node->array(); values && step.index && *step.index < values->size())
      next = &(*values)[*step.index];
    else if (const Member* member = node->find(step.key))
      next = &member->value;
    if (!next) break;
    node = next;
  }
  return *node;
}

}  // namespace carom::scene
