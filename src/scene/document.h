#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "carom/model/formula.h"

namespace carom::scene {

/// A place in the input: line and column count from 1, columns in characters. Lines from first_option_line on are not
/// in the file: line first_option_line + i is the i-th option of the command line that changed the document.
struct Position {
  std::uint32_t line = 1, column = 1;
};
inline constexpr std::uint32_t first_option_line = std::uint32_t{1} << 31;

struct Member;

/// A value of a document and where it stands. 24 bytes, so that lists of millions of numbers stay affordable.
class Node {
 public:
  using Array = std::vector<Node>;
  using Object = std::vector<Member>;  // in the order of the file, no key twice

  Node() = default;  // null
  Node(Position position, std::monostate) : at(position) {}
  Node(Position position, bool value) : at(position), value_(value) {}
  Node(Position position, double value) : at(position), value_(value) {}
  Node(Position position, std::string value);
  Node(Position position, Array values);
  Node(Position position, Object members);
  Node(Node&&) noexcept;
  Node& operator=(Node&&) noexcept;
  ~Node();

  /// The value, if it is of that kind; otherwise nullptr.
  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const double* number() const { return std::get_if<double>(&value_); }
  const std::string* text() const { return held<std::string>(); }
  const Array* array() const { return held<Array>(); }
  const Object* object() const { return held<Object>(); }
  Array* array() { return held<Array>(); }
  Object* object() { return held<Object>(); }

  /// The member of that key; nullptr if this is no object or has none.
  const Member* find(std::string_view key) const;
  Member* find(std::string_view key);

  Position at;

 private:
  template <class T>
  T* held() const {
    const auto* box = std::get_if<std::unique_ptr<T>>(&value_);
    return box ? box->get() : nullptr;
  }

  std::variant<std::monostate, bool, double, std::unique_ptr<std::string>, std::unique_ptr<Array>,
               std::unique_ptr<Object>>
      value_;
};

struct Member {
  std::string key;
  Position key_at;
  Node value;
};

/// Which files of the machine a document may name.
struct FilesBeside {
  enum class Allowed { all, below, none };
  Allowed allowed = Allowed::all;
  std::string folder = {};  // below: those below this folder, from where their names start
};

/// What was read: a tree with positions, whatever the format of the file.
struct Document {
  enum class Subject { problem, scene };
  std::string file;  // as the user would write it
  Node root;
  std::vector<std::string> options;  // options that changed the tree, such as "--set e=0.5"

  Subject subject = Subject::problem;
  Constants constants = {};  // of a scene: where a number is expected, a string may be a formula of these
  FilesBeside files = {};
};

/// "the problem" or "the scene", for messages about the whole.
std::string_view subject_of(const Document& document);

/// "cradle.json:5:31", or "--set e=1.2:1:3" for what an option brought.
std::string place_of(const Document& document, Position at);

/// What a path such as contacts[2].normal, M[0][1] or law.E_n leads to, or, where that does not exist, its deepest
/// existing ancestor: for a missing key the object it is missing from. An index into an object is a key of digits, as
/// in sparse directions.
const Node& find(const Document& document, std::string_view path);

}  // namespace carom::scene
