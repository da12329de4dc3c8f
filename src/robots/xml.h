#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::robots {

/// An element of an XML file as plain values, with the line where it starts.
struct Element {
  std::string file;  // for messages
  int line = 0;
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<Element> children;

  const std::string* find(std::string_view attribute) const;  // nullptr: there is none
  const Element* child(std::string_view of_name) const;       // the first; nullptr: there is none
};

/// Whether this build reads XML.
bool reads_xml();

/// The root of an XML text. Entities other than those of the language are refused, as are document types, more than
/// 64 levels and more than a million elements. Throws scene::ReadError with file and line.
Element parse_xml(const std::string& text, const std::string& file);

/// One line `file:line:1: what is wrong, the value, the rule`.
[[noreturn]] void fail(const Element& at, const std::string& what);

/// Numbers of an attribute; `least` to `most` of them. Throws where they are not finite numbers, or not so many.
std::vector<double> numbers_of(const Element& element, std::string_view attribute, std::size_t least, std::size_t most);
double number_of(const Element& element, std::string_view attribute, double otherwise);

/// What the attribute says; throws if there is none.
const std::string& required(const Element& element, std::string_view attribute);
const Element& required_child(const Element& element, std::string_view name);

}  // namespace carom::robots
