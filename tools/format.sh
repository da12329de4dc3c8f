#!/usr/bin/env bash
# Formats every C++ source of the tree by .clang-format; options go to clang-format (--dry-run -Werror only looks).
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
(($# > 0)) || set -- -i
git ls-files -z --cached --others --exclude-standard -- '*.h' '*.cpp' |
  while IFS= read -r -d '' file; do [[ ! -f $file ]] || printf '%s\0' "$file"; done |
  xargs -0 clang-format "$@"
