#include "carom/record/hdf5_file.h"

#ifdef CAROM_WITH_HDF5

#include "carom/base/error.h"

namespace carom::record::hdf5 {
namespace {

bool failed = false;

Handle text_type(std::size_t size, const std::string& file) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, file);
  require(H5Tset_size(type, std::max<std::size_t>(size, 1)), file);
  require(H5Tset_cset(type, H5T_CSET_UTF8), file);
  require(H5Tset_strpad(type, H5T_STR_NULLPAD), file);
  return type;
}

Handle long_text_type(const std::string& file) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, file);
  require(H5Tset_size(type, H5T_VARIABLE), file);
  require(H5Tset_cset(type, H5T_CSET_UTF8), file);
  return type;
}

}  // namespace

bool has_failed() {
  return failed;
}

void refuse(const std::string& file) {
  failed = true;
  throw OutputError(file, "cannot be written as HDF5; is the disk full?");
}

void require(herr_t result, const std::string& file) {
  if (result < 0) refuse(file);
}

void set_attribute(hid_t object, const char* name, std::string_view text, const std::string& file) {
  const Handle type = text_type(text.size(), file), space(H5Screate(H5S_SCALAR), H5Sclose, file);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, file);
  const std::string padded(text.empty() ? std::string_view("\0", 1) : text);
  require(H5Awrite(attribute, type, padded.data()), file);
}

Handle timeless(hid_t what, const std::string& file) {
  Handle properties(H5Pcreate(what), H5Pclose, file);
  require(H5Pset_obj_track_times(properties, false), file);
  return properties;
}

Handle make_group(hid_t parent, const char* name, const std::string& file) {
  return {H5Gcreate2(parent, name, H5P_DEFAULT, timeless(H5P_GROUP_CREATE, file), H5P_DEFAULT), H5Gclose, file};
}

Handle make_growing(hid_t parent, const char* name, hid_t type, std::vector<hsize_t> chunk, const std::string& file) {
  std::vector<hsize_t> none = chunk, most = chunk;
  none[0] = 0;
  most[0] = H5S_UNLIMITED;
  const int rank = static_cast<int>(chunk.size());
  const Handle space(H5Screate_simple(rank, none.data(), most.data()), H5Sclose, file);
  const Handle properties = timeless(H5P_DATASET_CREATE, file);
  for (hsize_t& n : chunk) n = std::max<hsize_t>(n, 1);  // rows may be empty, chunks not
  require(H5Pset_chunk(properties, rank, chunk.data()), file);
  return {H5Dcreate2(parent, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, file};
}

void append_rows(hid_t dataset, hid_t type, hsize_t begin, std::vector<hsize_t> count, const void* rows,
                 const std::string& file) {
  std::vector<hsize_t> first(count.size(), 0), extent = count;
  first[0] = begin;
  extent[0] += begin;
  require(H5Dset_extent(dataset, extent.data()), file);
  const Handle all(H5Dget_space(dataset), H5Sclose, file);
  require(H5Sselect_hyperslab(all, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr), file);
  const Handle block(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose, file);
  require(H5Dwrite(dataset, type, block, all, H5P_DEFAULT, rows), file);
}

GrowingTexts::GrowingTexts(hid_t parent, const char* name, const std::string& file)
    : file_(file), type_(long_text_type(file)), dataset_(make_growing(parent, name, type_, {block}, file)) {}

void GrowingTexts::flush() {
  if (buffer_.empty()) return;
  std::vector<const char*> texts;
  for (const std::string& text : buffer_) texts.push_back(text.c_str());
  append_rows(dataset_, type_, rows_, {texts.size()}, texts.data(), file_);
  rows_ += texts.size();
  buffer_.clear();
}

void write_texts(hid_t parent, const char* name, const std::vector<std::string>& texts, const std::string& file) {
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  std::string all;
  for (const std::string& text : texts) {
    all += text;
    all.resize(all.size() + longest - text.size(), '\0');
  }
  const hsize_t count = texts.size();
  const Handle type = text_type(longest, file), space(H5Screate_simple(1, &count, nullptr), H5Sclose, file);
  const Handle names(
      H5Dcreate2(parent, name, type, space, H5P_DEFAULT, timeless(H5P_DATASET_CREATE, file), H5P_DEFAULT), H5Dclose,
      file);
  if (count > 0) require(H5Dwrite(names, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), file);
}

void write_numbers(hid_t parent, const char* name, const std::vector<double>& values, std::string_view unit,
                   const std::string& file) {
  const hsize_t count = values.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, file);
  const Handle numbers(
      H5Dcreate2(parent, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, timeless(H5P_DATASET_CREATE, file), H5P_DEFAULT),
      H5Dclose, file);
  set_attribute(numbers, "unit", unit, file);
  if (count > 0) require(H5Dwrite(numbers, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), file);
}

}  // namespace carom::record::hdf5

#endif
