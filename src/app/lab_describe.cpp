#include "carom/app/lab_describe.h"

#include "carom/app/version.h"
#include "carom/forces/all.h"
#include "carom/laws/all.h"
#include "carom/record/fields_json.h"
#include "carom/record/run_sinks.h"
#include "carom/simulate/scheme.h"

namespace carom::app {
namespace {

using record::Json;

Json all_laws() {
  Json list = Json::array();
  for_each_law([&]<class L>(const L& law) {
    list.push_back({{"name", L::name},
                    {"about", L::summary},
                    {"limits", L::limits},
                    {"source", L::source},
                    {"reads", L::reads},
                    {"follows_time", has_path(law)},
                    {"fields", record::fields_json(law)}});
  });
  return list;
}

Json all_schemes() {
  Json list = Json::array();
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    const auto add = [&]<class S>(const S& scheme) {
      list.push_back({{"name", S::name}, {"about", S::summary}, {"fields", record::fields_json(scheme)}});
    };
    (add(std::variant_alternative_t<i, Scheme>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Scheme>>{});
  return list;
}

template <class Variant>
Json all_forces() {
  Json list = Json::array();
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    const auto add = [&]<class F>(const F*) {
      list.push_back({{"name", F::name}, {"about", F::summary}, {"source", F::source}});
    };
    (add(static_cast<const std::variant_alternative_t<i, Variant>*>(nullptr)), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
  return list;
}

}  // namespace

Json description_of_all() {
  return {{"version", version()},
          {"laws", all_laws()},
          {"schemes", all_schemes()},
          {"forces", all_forces<forces::Normal>()},
          {"frictions", all_forces<forces::Friction>()},
          {"formats", record::run_formats()}};
}

}  // namespace carom::app
