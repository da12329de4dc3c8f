#pragma once

#ifdef CAROM_WITH_HDF5

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::record::hdf5 {

/// Throws OutputError. Once a file could not be written, the library is left alone: what it still holds it would try to
/// write again, and it does not survive that.
[[noreturn]] void refuse(const std::string& file);
bool has_failed();
void require(herr_t result, const std::string& file);

/// A handle of the library that closes itself.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close, const std::string& file) : id_(id), close_(close) {
    if (id < 0) refuse(file);
  }
  ~Handle() {
    if (id_ >= 0 && !has_failed()) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): the library takes hid_t

 private:
  hid_t id_;
  Close close_;
};

inline hid_t type_of(double) {
  return H5T_NATIVE_DOUBLE;
}
inline hid_t type_of(std::int32_t) {
  return H5T_NATIVE_INT32;
}
inline hid_t type_of(std::int64_t) {
  return H5T_NATIVE_INT64;
}
inline hid_t type_of(std::uint8_t) {
  return H5T_NATIVE_UINT8;
}

void set_attribute(hid_t object, const char* name, std::string_view text, const std::string& file);

/// Writes `count` rows of an array in memory behind the `begin` rows that a growing dataset has.
void append_rows(hid_t dataset, hid_t type, hsize_t begin, std::vector<hsize_t> count, const void* rows,
                 const std::string& file);

/// Properties without the time at which an object was made: the same run gives the same bytes.
Handle timeless(hid_t what, const std::string& file);
Handle make_group(hid_t parent, const char* name, const std::string& file);

/// An empty dataset that grows along its first axis, `chunk` rows and more of it being written at once.
Handle make_growing(hid_t parent, const char* name, hid_t type, std::vector<hsize_t> chunk, const std::string& file);

inline constexpr std::size_t block_bytes = 1 << 16;  // of a chunk, unless one row is more
inline constexpr std::size_t most_rows = 1 << 13;    // of a chunk

/// A dataset that grows by rows along its first axis and is written a chunk at a time.
template <class T>
class Growing {
 public:
  Growing(hid_t parent, const char* name, std::vector<hsize_t> row, std::string_view unit, const std::string& file)
      : file_(file), shape_(std::move(row)), dataset_(make(parent, name)) {
    set_attribute(dataset_, "unit", unit, file_);
    buffer_.reserve(block_ * width());
  }

  void add(T value) { buffer_.push_back(value); }
  template <class List>
  void add_all(const List& values) {
    buffer_.insert(buffer_.end(), values.begin(), values.end());
  }

  void end_row() {
    if (buffer_.size() >= block_ * width()) flush();
  }

  void flush() {
    const hsize_t rows = width() > 0 ? buffer_.size() / width() : 0;
    if (rows == 0) return;
    append_rows(dataset_, type_of(T{}), rows_, extent(rows), buffer_.data(), file_);
    rows_ += rows;
    buffer_.clear();
  }

 private:
  std::size_t width() const {  // numbers of a row
    std::size_t product = 1;
    for (const hsize_t n : shape_) product *= n;
    return product;
  }
  std::vector<hsize_t> extent(hsize_t rows) const {
    std::vector<hsize_t> result = {rows};
    result.insert(result.end(), shape_.begin(), shape_.end());
    return result;
  }
  Handle make(hid_t parent, const char* name) {
    block_ = std::clamp<std::size_t>(block_bytes / (sizeof(T) * std::max<std::size_t>(width(), 1)), 1, most_rows);
    return make_growing(parent, name, type_of(T{}), extent(block_), file_);
  }

  std::string file_;
  std::vector<hsize_t> shape_;  // of a row
  std::size_t block_ = 1;       // rows of a chunk
  Handle dataset_;
  std::vector<T> buffer_;
  hsize_t rows_ = 0;  // written
};

/// A dataset of texts that grows by rows: of any length, in UTF-8.
class GrowingTexts {
 public:
  GrowingTexts(hid_t parent, const char* name, const std::string& file);

  void add(std::string text) {
    buffer_.push_back(std::move(text));
    if (buffer_.size() == block) flush();
  }
  void flush();

 private:
  static constexpr hsize_t block = 1 << 12;  // rows of a chunk

  std::string file_;
  Handle type_, dataset_;
  std::vector<std::string> buffer_;
  hsize_t rows_ = 0;  // written
};

/// Datasets of one text or one number per row, written at once.
void write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts, const std::string& file);
void write_numbers(hid_t parent, const char* name, const std::vector<double>& values, std::string_view unit,
                   const std::string& file);

}  // namespace carom::record::hdf5

#endif
