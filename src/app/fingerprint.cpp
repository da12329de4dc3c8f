#include "carom/app/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "carom/base/checksum.h"
#include "carom/record/fields_json.h"

namespace carom::app {
namespace {

constexpr std::array<std::string_view, 5> kNoMotion = {"title", "about", "duration", "start", "record"};
constexpr std::string_view kLayout = "1";  // raised where checkpoints change, or what they lead to

/// The sum of a document and of the files that its texts name.
class Sum {
 public:
  explicit Sum(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(std::string_view text) { sum_ = checksum(text, sum_); }
  void add(double number) { add(std::string_view(reinterpret_cast<const char*>(&number), sizeof number)); }

  void add(const scene::Node& node) {
    if (const bool* truth = node.boolean()) {
      add(*truth ? "true" : "false");
    } else if (const double* number = node.number()) {
      add(*number);
    } else if (const std::string* text = node.text()) {
      add(*text);
      add_file(*text);
    } else if (const scene::Node::Array* list = node.array()) {
      add("[");
      for (const scene::Node& one : *list) add(one);
    } else if (const scene::Node::Object* members = node.object()) {
      add("{");
      for (const scene::Member& one : *members) {
        add(one.key);
        add(one.value);
      }
    }
    add(";");
  }

  std::string text() const { return fmt::format("{:016x}", sum_); }

 private:
  void add_file(const std::string& name) {
    constexpr std::size_t longest_name = 1000;
    if (name.empty() || name.size() > longest_name || name.find_first_of("./") == std::string::npos) return;
    std::error_code ignored;
    const std::filesystem::path path = folder_ / name;
    if (!std::filesystem::is_regular_file(path, ignored)) return;
    std::ifstream stream(path, std::ios::binary);
    add(std::string(std::istreambuf_iterator<char>(stream), {}));
  }

  std::filesystem::path folder_;
  std::uint64_t sum_ = checksum(kLayout);
};

template <class Variant>
void add_fields(Sum& sum, const Variant& value) {
  std::visit(
      [&](const auto& held) {
        sum.add(held.name);
        sum.add(record::fields_json(held).dump());
      },
      value);
}

}  // namespace

std::string fingerprint(const ReadyScene& ready, const Scheme& scheme, const ImpactLaw& law) {
  Sum sum(std::filesystem::path(ready.file).parent_path());
  const scene::Document& document = ready.scene.document;
  if (const scene::Node::Object* root = document.root.object())
    for (const scene::Member& one : *root) {
      if (std::find(kNoMotion.begin(), kNoMotion.end(), one.key) != kNoMotion.end()) continue;
      sum.add(one.key);
      const bool named = (one.key == "law" || one.key == "scheme") && one.value.text();  // short for {name = ...}
      if (named) {
        sum.add("{");
        sum.add("name");
      }
      sum.add(one.value);
      if (named) sum.add(";");
    }
  add_fields(sum, scheme);
  add_fields(sum, law);
  const auto* forced = std::get_if<ForcedMotion>(&scheme);
  if (forced && forced->steps != ForcedMotion::Steps::fixed && forced->step <= 0) sum.add(options_of(ready).interval);
  return sum.text();
}

}  // namespace carom::app
