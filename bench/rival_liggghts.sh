#!/usr/bin/env bash
# The grains of carom_bench (forces_bench.cpp) in LIGGGHTS (Debian package liggghts): the same places, step and number
# of steps, its Hertzian force with tangential history, one core. Prints ns per grain and step.
set -euo pipefail
command -v liggghts >/dev/null || { echo "rival_liggghts: liggghts is not installed (apt-get install liggghts)" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
steps=2000
for size in "10 10" "22 21" "47 46"; do
  read -r side layers <<<"$size"
  width=$(awk "BEGIN {print 0.0205 * $side + 0.009}")
  fill=$(awk "BEGIN {print 0.0205 * $side + 0.0006}")
  top=$(awk "BEGIN {print 0.0205 * $layers + 0.0002}")
  cat >"$folder/in" <<END
units si
atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
lattice sc 0.0205 origin 0.5 0.5 0.5
region box block -0.001 $(awk "BEGIN {print $width + 0.001}") -0.001 $(awk "BEGIN {print $width + 0.001}") -0.001 $(awk "BEGIN {print $top + 0.1}") units box
create_box 1 box
region fill block 0.0005 $fill 0.0005 $fill 0 $top units box
create_atoms 1 region fill
set group all diameter 0.02 density 2500
velocity all set 0 0 -0.2 units box
neighbor 0.0025 bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype 5e7
fix m2 all property/global poissonsRatio peratomtype 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 1 0.6
fix m4 all property/global coefficientFriction peratomtypepair 1 0.3
pair_style gran model hertz tangential history
pair_coeff * *
fix integ all nve/sphere
fix grav all gravity 9.81 vector 0.0 0.0 -1.0
fix z1 all wall/gran model hertz tangential history primitive type 1 zplane 0.0
fix x1 all wall/gran model hertz tangential history primitive type 1 xplane 0.0
fix x2 all wall/gran model hertz tangential history primitive type 1 xplane $width
fix y1 all wall/gran model hertz tangential history primitive type 1 yplane 0.0
fix y2 all wall/gran model hertz tangential history primitive type 1 yplane $width
timestep 1e-5
thermo 10000
run $steps
END
  (cd "$folder" && liggghts -in in >out 2>&1) || { tail -n 5 "$folder/out" >&2; exit 1; }
  sed -n 's/^Loop time of \([0-9.]*\) on .* with \([0-9]*\) atoms.*/\1 \2/p' "$folder/out" |
    awk -v steps=$steps '{printf "%d grains: %.0f ns per grain and step\n", $2, 1e9 * $1 / $2 / steps}'
done
