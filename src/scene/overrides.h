#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/document.h"

namespace carom::scene {

/// What the command line changes in a document before it is read, so that every check and message is the same for both.
/// Positions of what came from an option name the option: "--set e=1.2:1:3".
struct Overrides {
  std::optional<std::string>
      law;  // --law NAME or NAME{key=value,...}: the file's law if it has that name, else its defaults
  std::vector<std::string> settings;  // --set key=value, applied in order after --law
};

/// A setting is path=value. Paths: law.e, contacts[0].e, contacts.12.e (the contact named 12), contacts[*].e (all),
/// u[0]; a parameter of contacts alone, e=0.9, means all contacts (in a scene its table contact), and the name of a
/// scene's parameter alone that parameter. A missing key is made; whether it is known, the
/// reader says. The value is JSON, or, where it is none, a string. Throws ReadError. The root must be an object.
void apply(const Overrides& overrides, Document& document);

/// --law alone: NAME, or NAME{key=value,...} with parameters of the law.
void replace_law(Document& document, std::string_view word);

}  // namespace carom::scene
