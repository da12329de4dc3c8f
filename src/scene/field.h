#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "carom/base/error.h"
#include "carom/base/word.h"
#include "carom/impact/contact_turns.h"
#include "carom/numerics/linear_algebra.h"
#include "carom/scene/document.h"

namespace carom::scene {

/// A value on its way from a document into the program, with the path that names it in messages.
struct Field {
  const Document* document = nullptr;
  const Node* node = nullptr;
  std::string path;  // empty: the document itself
};

Field root_of(const Document& document);
Field entry(const Field& list, std::size_t i);
Field member(const Field& object, const Member& member);
std::optional<Field> member(const Field& object, std::string_view key);
Field required_member(const Field& object, std::string_view key, std::string_view what);

/// Throws ReadError: "contacts[1].normal" and the text.
[[noreturn]] void fail(const Field& field, std::string_view text);
/// `contacts[1].e is the string "high"; expected a number`.
[[noreturn]] void fail_expected(const Field& field, std::string_view expected);

/// `body[0].mass = "2*Q": unknown name "Q"` at its place inside the string, from an error of a formula.
[[noreturn]] void fail_formula(const Field& field, const InputError& error);

/// What a node is, with its value: `the string "high"`, `a list of 3`.
std::string described(const Node& node, Document::Subject subject = Document::Subject::problem);

const Node::Object& members_of(const Field& object);  // throws if it is no object
const Node::Array& entries_of(const Field& list, std::string_view expected);

/// Every key of the object must be known; the error names the key and the nearest one that is.
void require_known_keys(const Field& object, std::span<const std::string_view> known);

/// The value in the type that the program has for it. In scenes numbers may be formulas of the parameters. A matrix is
/// a list of rows, or one number: 1 x 1.
void read(const Field& field, double& value);
void read(const Field& field, bool& value);
void read(const Field& field, std::string& value);
void read(const Field& field, Vector& value);
void read(const Field& field, Matrix& value);
void read(const Field& field, ContactTurns& value);  // a list of names and numbers, or "fastest": none
template <class T>
void read(const Field& field, std::optional<T>& value) {
  read(field, value.emplace());
}

/// One of the words; the error lists them.
std::size_t read_word(const Field& field, std::span<const std::string_view> words);
template <Word E>
void read(const Field& field, E& value) {
  const auto words = words_of(value);
  value = static_cast<E>(read_word(field, words));
}

template <class T>
T value_of(const Field& field) {
  T value;
  read(field, value);
  return value;
}

/// A text for people, on one line.
std::string line_of_text(const Field& field);

}  // namespace carom::scene
