#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/laws/all.h"
#include "carom/scene/document.h"
#include "carom/simulate/scheme.h"

namespace carom::scene {

/// A law as the command line names it: NAME, or NAME{key=value, ...} with parameters of the law as in --set
/// law.key=value, and, where a scene moves, `scheme`: how it moves under this law.
struct LawChoice {
  ImpactLaw law;
  std::optional<Scheme> scheme = {};       // none was asked for
  std::vector<std::string> settings = {};  // key=value, as they were written

  std::string label() const;      // NAME or NAME{key=value,...}
  std::string file_name() const;  // NAME or NAME-value-value, of letters that every file system takes
};

/// What stands between commas that no braces, brackets or quotes enclose, without blanks around it.
std::vector<std::string> split_at_commas(std::string_view text);

/// The law that a word names: `own`, with its parameters, if it is the same law, else with its defaults; then what is
/// in braces. `document` is what it is for: a problem, which has no scheme, or a scene, whose constants may be used.
/// Throws ReadError at --laws WORD.
LawChoice choose_law(std::string_view word, const std::optional<ImpactLaw>& own, const Document& document,
                     const std::optional<Scheme>& own_scheme = {});

/// The members of a law's object from such a word, which stands at `start` of the document: "name" first.
Node::Object law_members(std::string_view word, const Document& document, Position start);

}  // namespace carom::scene
