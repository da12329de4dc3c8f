#!/usr/bin/env bash
# The piles of balls of carom_bench_bullet (piles.h) in LAMMPS (Debian package lammps): the same box, balls, friction and
# duration, Hertzian contacts with damping and tangential history, one core. Prints processor time, what is left of the
# energy and the deepest overlap at the end.
#   rival_lammps.sh [SIDE ...]     4 SIDE^2 balls; 16 makes 1024, 50 makes 10 000
set -euo pipefail
command -v lmp >/dev/null || { echo "rival_lammps: lmp is not installed (apt-get install lammps); left out" >&2; exit 0; }
[ $# -gt 0 ] || set -- 8 16
modulus=${MODULUS:-5e7}  # [Pa]
step=${STEP:-5e-5}       # [s] a tenth of the time of a Rayleigh wave at 5e7
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for side in "$@"; do
  [[ $side =~ ^[1-9][0-9]*$ ]] || { echo "rival_lammps: side $side; sides of piles are whole numbers from 1 on" >&2; exit 2; }
  calculate() { awk "BEGIN {printf \"%.10g\", $1}"; }
  width=$(calculate "0.041 * $side + 0.02")
  last=$(calculate "0.03 + 0.041 * ($side - 1) + 0.001")
  cat >"$folder/in" <<INPUT
units si
atom_style sphere
atom_modify map array
boundary f f f
newton off
comm_modify vel yes
region box block -0.001 $(calculate "$width + 0.001") -0.001 $(calculate "$width + 0.001") -0.001 0.4
create_box 1 box
lattice custom 0.041 basis 0 0 0 origin $(calculate "0.03 / 0.041") $(calculate "0.03 / 0.041") $(calculate "0.04 / 0.041")
region fill block 0.029 $last 0.029 $last 0.039 0.164 units box
create_atoms 1 region fill
set group all diameter 0.04
set group all density 1000
displace_atoms all random 0.0004 0.0004 0.0004 3 units box
pair_style granular
pair_coeff * * hertz/material $modulus 0.01 0.3 tangential mindlin NULL 1.0 0.3 damping tsuji
neighbor 0.004 bin
neigh_modify delay 0
fix move all nve/sphere
fix fall all gravity 9.81 vector 0 0 -1
fix z all wall/gran granular hertz/material $modulus 0.01 0.3 tangential mindlin NULL 1.0 0.3 damping tsuji zplane 0 NULL
fix x all wall/gran granular hertz/material $modulus 0.01 0.3 tangential mindlin NULL 1.0 0.3 damping tsuji xplane 0 $width
fix y all wall/gran granular hertz/material $modulus 0.01 0.3 tangential mindlin NULL 1.0 0.3 damping tsuji yplane 0 $width
compute turning all erotate/sphere
compute apart all pair/local dist
compute nearest all reduce min c_apart
compute height all reduce sum z
variable start equal mass(all)*9.81*(0.04+1.5*0.041)
variable left equal (ke+c_turning)/v_start
variable moving equal ke/v_start
variable overlap equal 1e3*(0.04-c_nearest)
thermo_style custom step atoms ke c_turning c_nearest v_left v_moving v_overlap
thermo_modify lost error
thermo 1000000
timestep $step
run $(calculate "int(2 / $step + 0.5)")
print "RESULT \$(v_left:%.1e) \$(v_moving:%.1e) \$(v_overlap:%.4f) \$(atoms)"
INPUT
  TIMEFORMAT='%U'
  seconds=$( { time (cd "$folder" && OMP_NUM_THREADS=1 lmp -in in >out 2>&1); } 2>&1 ) || { tail -n 5 "$folder/out" >&2; exit 1; }
  sed -n 's/^RESULT //p' "$folder/out" | tail -n 1 | while read -r left moving overlap balls; do
    printf '%d balls, 2 s\n  %-26s %9.2f s   %s of the energy left, %s without spin   overlap %s mm\n' \
      "$balls" "LAMMPS, E = $modulus Pa" "$seconds" "$left" "$moving" "$overlap"
  done
done
