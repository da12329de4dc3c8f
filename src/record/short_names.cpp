#include "carom/record/short_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "carom/record/table.h"

namespace carom::record {
namespace {

/// `count` characters of UTF-8 text from character `first` on.
std::string characters_of(const std::string& text, std::size_t first, std::size_t count) {
  std::string result;
  std::size_t seen = 0;
  for (const char c : text) {
    if ((c & 0xc0) != 0x80) ++seen;
    if (seen > first && seen <= first + count) result += c;
  }
  return result;
}

/// With `head` characters before what is left out.
std::string cut_after(const std::string& name, std::size_t characters, std::size_t head) {
  const std::size_t all = width(name);
  if (all <= characters) return name;
  const std::size_t tail = characters - 1 - head;
  return characters_of(name, 0, head) + "…" + characters_of(name, all - tail, tail);
}

/// Without what all long names begin with.
std::string cut_before(const std::string& name, std::size_t characters, std::size_t common) {
  if (width(name) <= characters) return name;
  const std::string rest = characters_of(name, common, width(name));
  return "…" + cut_after(rest, characters - 1, characters - 2);
}

/// Characters with which all long names begin, as whole words.
std::size_t common_beginning(const std::vector<std::string>& names, std::size_t characters) {
  std::string common;
  bool is_first = true;
  for (const std::string& name : names) {
    if (width(name) <= characters) continue;
    if (std::exchange(is_first, false)) common = name;
    common.erase(std::mismatch(common.begin(), common.end(), name.begin(), name.end()).first, common.end());
  }
  return width(common.substr(0, common.rfind(' ') + 1));
}

}  // namespace

std::string short_name(const std::string& name, std::size_t characters) {
  return cut_after(name, characters, characters / 2);
}

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t characters) {
  const auto all = [&](const auto& cut) {
    std::vector<std::string> result;
    for (const std::string& name : names) result.push_back(cut(name));
    return result;
  };
  const std::vector<std::string> halves = all([&](const std::string& name) { return short_name(name, characters); });
  if (halves == names) return halves;
  const std::size_t different = std::set(names.begin(), names.end()).size();
  const auto are_told_apart = [&](const std::vector<std::string>& cut) {
    return std::set(cut.begin(), cut.end()).size() == different;
  };
  if (are_told_apart(halves)) return halves;
  for (const std::size_t head : {3 * characters / 4, characters / 4, characters - 1, std::size_t{0}}) {
    std::vector<std::string> cut = all([&](const std::string& name) { return cut_after(name, characters, head); });
    if (are_told_apart(cut)) return cut;
  }
  const std::size_t common = common_beginning(names, characters);
  std::vector<std::string> cut = all([&](const std::string& name) { return cut_before(name, characters, common); });
  return are_told_apart(cut) ? cut : halves;
}

std::string beginning_of(const std::string& text, std::size_t characters) {
  return cut_after(text, characters, characters - 1);
}

}  // namespace carom::record
