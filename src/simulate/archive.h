#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "carom/base/error.h"
#include "carom/geometry/pose.h"

namespace carom::simulate {

/// Values as bytes and back, exactly: what a run knows between two of its steps. One list of values, `archive & a & b`,
/// serves both ways. A struct joins by a function `archived(Archive&, Struct&)` beside it, a class by a member
/// `archived(Archive&)`. Throws InputError where bytes end too early.
class Archive {
 public:
  Archive() = default;                                                             // writes
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)), reads_(true) {}  // reads

  bool reads() const { return reads_; }
  const std::string& bytes() const { return bytes_; }
  bool at_end() const { return at_ == bytes_.size(); }

  template <class T>
  Archive& operator&(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      char byte = value ? 1 : 0;
      raw(&byte, 1);
      value = byte != 0;
    } else if constexpr (std::is_enum_v<T> || std::is_arithmetic_v<T>) {
      raw(&value, sizeof value);
    } else if constexpr (requires { value.archived(*this); }) {
      value.archived(*this);
    } else {
      archived(*this, value);
    }
    return *this;
  }

  /// So many numbers in a row.
  template <class Number>
  void numbers(Number* first, std::size_t count) {
    static_assert(std::is_arithmetic_v<Number>);
    raw(first, count * sizeof(Number));
  }

  /// The number of values that follow; when it reads, what was written.
  std::size_t count(std::size_t size) {
    *this& size;
    if (reads_ && size > bytes_.size() - at_) refuse();
    return size;
  }

 private:
  [[noreturn]] static void refuse() { throw InputError("", "what a run knew is cut off"); }
  void raw(void* value, std::size_t size) {
    if (size == 0) return;
    if (!reads_) {
      bytes_.append(static_cast<const char*>(value), size);
      return;
    }
    if (size > bytes_.size() - at_) refuse();
    std::memcpy(value, bytes_.data() + at_, size);
    at_ += size;
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool reads_ = false;
};

// ---- What others are made of

inline void archived(Archive& archive, std::string& text) {
  text.resize(archive.count(text.size()));
  archive.numbers(text.data(), text.size());
}

template <class T>
void archived(Archive& archive, std::vector<T>& values) {
  values.resize(archive.count(values.size()));
  if constexpr (std::is_arithmetic_v<T>)
    archive.numbers(values.data(), values.size());
  else
    for (T& one : values) archive& one;
}

template <class T, std::size_t n>
void archived(Archive& archive, std::array<T, n>& values) {
  for (T& one : values) archive& one;
}

template <class T>
void archived(Archive& archive, std::optional<T>& value) {
  bool has = value.has_value();
  archive& has;
  if (has && !value) value.emplace();
  if (!has) value.reset();
  if (value) archive&* value;
}

template <class A, class B>
void archived(Archive& archive, std::pair<A, B>& value) {
  archive& value.first& value.second;
}

template <class T>
void archived(Archive& archive, std::set<T>& values) {
  std::vector<T> all(values.begin(), values.end());
  archive& all;
  values = std::set<T>(all.begin(), all.end());
}

template <class K, class V>
void archived(Archive& archive, std::map<K, V>& values) {
  std::vector<std::pair<K, V>> all(values.begin(), values.end());
  archive& all;
  values = std::map<K, V>(all.begin(), all.end());
}

/// The alternative that it has, by its number; each is made as its default first.
template <class... T>
void archived(Archive& archive, std::variant<T...>& value) {
  std::size_t index = value.index();
  archive& index;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    ((i == index && value.index() != i ? void(value.template emplace<i>()) : void()), ...);
  }
  (std::index_sequence_for<T...>{});
  std::visit([&](auto& held) { archive& held; }, value);
}

template <int rows, int columns, int options, int most_rows, int most_columns>
void archived(Archive& archive, Eigen::Matrix<double, rows, columns, options, most_rows, most_columns>& matrix) {
  if constexpr (rows == Eigen::Dynamic || columns == Eigen::Dynamic) {
    const auto high = static_cast<Eigen::Index>(archive.count(static_cast<std::size_t>(matrix.rows())));
    const auto wide = static_cast<Eigen::Index>(archive.count(static_cast<std::size_t>(matrix.cols())));
    matrix.resize(high, wide);
  }
  archive.numbers(matrix.data(), static_cast<std::size_t>(matrix.size()));
}

inline void archived(Archive& archive, Quaternion& turn) {
  archive.numbers(turn.coeffs().data(), 4);
}

}  // namespace carom::simulate
