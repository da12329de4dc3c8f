#include "carom/robots/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "carom/scene/error.h"
#include "carom/scene/words.h"

#ifdef CAROM_WITH_XML
#include <tinyxml2.h>
#endif

namespace carom::robots {
namespace {

[[noreturn]] void fail_at(const std::string& file, int line, const std::string& what) {
  throw scene::ReadError(fmt::format("{}:{}:1", scene::printable(file), std::max(line, 1)), scene::printable(what));
}

#ifdef CAROM_WITH_XML
constexpr int kDeepest = 64;
constexpr std::size_t kMostElements = 1'000'000;

/// XML_ERROR_MISMATCHED_ELEMENT: mismatched element.
std::string in_words(std::string name) {
  for (const std::string_view prefix : {"XML_", "ERROR_"})
    if (name.starts_with(prefix)) name.erase(0, prefix.size());
  for (char& c : name) c = c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return name;
}

void copy(const tinyxml2::XMLElement& from, int depth, std::size_t& count, Element& to) {
  to.line = from.GetLineNum();
  to.name = from.Name();
  if (depth > kDeepest) fail(to, fmt::format("elements are nested more than {} deep", kDeepest));
  if (++count > kMostElements) fail(to, fmt::format("the file has more than {} elements", kMostElements));
  for (const tinyxml2::XMLAttribute* one = from.FirstAttribute(); one != nullptr; one = one->Next()) {
    if (to.find(one->Name()) != nullptr) fail(to, fmt::format("<{}> has {} twice", to.name, one->Name()));
    to.attributes.emplace_back(one->Name(), one->Value());
  }
  for (const tinyxml2::XMLElement* one = from.FirstChildElement(); one != nullptr; one = one->NextSiblingElement()) {
    to.children.emplace_back();
    to.children.back().file = to.file;
    copy(*one, depth + 1, count, to.children.back());
  }
}
#endif

int line_of(const std::string& text, std::size_t place) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

}  // namespace

const std::string* Element::find(std::string_view attribute) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const auto& one) { return one.first == attribute; });
  return found == attributes.end() ? nullptr : &found->second;
}

const Element* Element::child(std::string_view of_name) const {
  const auto found =
      std::find_if(children.begin(), children.end(), [&](const Element& one) { return one.name == of_name; });
  return found == children.end() ? nullptr : &*found;
}

void fail(const Element& at, const std::string& what) {
  fail_at(at.file, at.line, what);
}

#ifdef CAROM_WITH_XML
bool reads_xml() {
  return true;
}

Element parse_xml(const std::string& text, const std::string& file) {
  for (const char* refused : {"<!DOCTYPE", "<!ENTITY"})
    if (const std::size_t place = text.find(refused); place != std::string::npos)
      fail_at(file, line_of(text, place), fmt::format("{} is refused: robots need no document types", refused));
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    fail_at(file, document.ErrorLineNum(), fmt::format("is no XML: {}", in_words(document.ErrorName())));
  const tinyxml2::XMLElement* root = document.RootElement();
  if (root == nullptr) fail_at(file, 1, "has no element; a robot is <robot> (URDF) or <mujoco> (MJCF)");
  Element result;
  result.file = file;
  std::size_t count = 0;
  copy(*root, 0, count, result);
  return result;
}
#else
bool reads_xml() {
  return false;
}

Element parse_xml(const std::string& text, const std::string& file) {
  fail_at(file, line_of(text, 0), "is XML, which this build does not read: it was made without tinyxml2");
}
#endif

std::vector<double> numbers_of(const Element& element, std::string_view attribute, std::size_t least,
                               std::size_t most) {
  const std::string& text = required(element, attribute);
  std::vector<double> numbers;
  const char* next = text.c_str();
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (is_blank(*next)) ++next;
  while (*next != '\0') {
    char* end = nullptr;
    const double value = std::strtod(next, &end);
    if (end == next || !std::isfinite(value) || !(*end == '\0' || is_blank(*end)))
      fail(element, fmt::format("<{}> {} = \"{}\" is not made of finite numbers", element.name, attribute, text));
    numbers.push_back(value);
    next = end;
    while (is_blank(*next)) ++next;
  }
  if (numbers.size() < least || numbers.size() > most)
    fail(element,
         fmt::format("<{}> {} = \"{}\" has {} numbers; expected {}", element.name, attribute, text, numbers.size(),
                     least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
  return numbers;
}

double number_of(const Element& element, std::string_view attribute, double otherwise) {
  return element.find(attribute) != nullptr ? numbers_of(element, attribute, 1, 1)[0] : otherwise;
}

const std::string& required(const Element& element, std::string_view attribute) {
  const std::string* found = element.find(attribute);
  if (found == nullptr) fail(element, fmt::format("<{}> has no {}", element.name, attribute));
  return *found;
}

const Element& required_child(const Element& element, std::string_view name) {
  const Element* found = element.child(name);
  if (found == nullptr) fail(element, fmt::format("<{}> has no <{}>", element.name, name));
  return *found;
}

}  // namespace carom::robots
