#include "carom/simulate/pair_losses.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace carom::simulate {
namespace {

constexpr std::size_t kPairs = 1000, kPairsABody = 16;  // that are told apart
constexpr std::size_t kSmallestTable = 64;              // a power of two, as every table

const PairLoss kGap{-1, -1, -1, -1, 0};

bool is_gap(const PairLoss& loss) {
  return loss.impacts < 0;
}

std::size_t hash_of(const PairLoss& loss) {
  std::uint64_t mixed = static_cast<std::uint32_t>(loss.body_a);
  for (const int next : {loss.body_b, loss.joint}) {
    mixed = (mixed ^ (mixed >> 29)) * 0x9e3779b97f4a7c15ull + static_cast<std::uint32_t>(next);
  }
  mixed *= 0x9e3779b97f4a7c15ull;
  return static_cast<std::size_t>(mixed ^ (mixed >> 32));
}

auto key_of(const PairLoss& loss) {
  return std::tie(loss.body_a, loss.body_b, loss.joint);
}

}  // namespace

PairLosses::PairLosses(std::size_t bodies)
    : most_(kPairs + kPairsABody * bodies), table_(kSmallestTable, Entry{kGap}) {}

std::size_t PairLosses::place(const PairLoss& loss) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(loss) & mask;
  while (!is_gap(table_[at]) && key_of(table_[at]) != key_of(loss)) at = (at + 1) & mask;
  return at;
}

void PairLosses::expect(int body_a, int body_b) const {
  __builtin_prefetch(&table_[hash_of({body_a, body_b, -1, 0, 0}) & (table_.size() - 1)], 1);
}

void PairLosses::grow() {
  std::vector<Entry> old(2 * table_.size(), Entry{kGap});
  old.swap(table_);
  for (const Entry& loss : old)
    if (!is_gap(loss)) table_[place(loss)] = loss;
}

PairLosses::Entry& PairLosses::entry(const PairLoss& loss) {
  if (loss.is_of_others()) return others_;
  std::size_t at = place(loss);
  if (!is_gap(table_[at])) return table_[at];
  if (size_ >= most_) return others_;
  if (2 * ++size_ > table_.size()) {
    grow();
    at = place(loss);
  }
  table_[at] = Entry{{loss.body_a, loss.body_b, loss.joint, 0, 0}};
  return table_[at];
}

void PairLosses::add(const PairLoss& loss, long of) {
  Entry& known = entry(loss);
  known.dissipated += loss.dissipated;
  if (loss.impacts == 0 || (known.last == of && !known.is_of_others())) return;
  known.impacts += loss.impacts;
  known.last = of;
}

void PairLosses::add(const PairLoss& loss) {
  Entry& known = entry(loss);
  known.dissipated += loss.dissipated;
  known.impacts += loss.impacts;
}

std::vector<PairLoss> PairLosses::sorted() const {
  std::vector<PairLoss> all;
  all.reserve(size_ + 1);
  std::copy_if(table_.begin(), table_.end(), std::back_inserter(all), [](const Entry& one) { return !is_gap(one); });
  std::sort(all.begin(), all.end(), [](const PairLoss& x, const PairLoss& y) { return key_of(x) < key_of(y); });
  if (others_.impacts > 0) all.push_back(others_);
  return all;
}

}  // namespace carom::simulate
