#include "record/observation.hpp"

#include <algorithm>

namespace bloomlab::record {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;

void pack_text(const std::string& text, std::string& bytes) {
  JsonPacker::pack(text.size(), bytes);
  bytes += text;
}

std::string unpack_text(std::string_view& bytes) {
  const std::size_t size = JsonPacker::unpack_number(bytes);
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

}  // namespace

const Observation& Observations::Iterator::operator*() const {
  if (is_made_) return made_;
  const Row& row = all_->rows_[at_];
  if (cell_ != row.cell) all_->read_cell(row.cell, made_);
  cell_ = row.cell;
  all_->read_row(row, made_);
  is_made_ = true;
  return made_;
}

Observations::Observations(const std::vector<Observation>& all) {
  for (const Observation& one : all) push_back(one);
}

void Observations::push_back(const Observation& observation) {
  const bool is_of_last = !cells_.empty() && last_.group == observation.group &&
                          last_.redrawn == observation.redrawn && last_.cell == observation.cell;
  if (!is_of_last) {
    last_.cell = observation.cell;
    last_.group = observation.group;
    last_.redrawn = observation.redrawn;
    std::string bytes;
    packer_.pack(observation.cell, bytes);
    pack_text(observation.group, bytes);
    packer_.pack(Json(observation.redrawn), bytes);
    cells_.push_back(add(bytes));
  }
  std::string bytes;
  JsonPacker::pack(observation.trial, bytes);
  JsonPacker::pack(observation.step.has_value() ? 1 : 0, bytes);
  if (observation.step) JsonPacker::pack(*observation.step, bytes);
  JsonPacker::pack(observation.seed, bytes);
  packer_.pack(observation.measured, bytes);
  packer_.pack(observation.timing, bytes);
  rows_.push_back({add(bytes), static_cast<std::uint32_t>(cells_.size() - 1)});
}

Observations::Place Observations::add(const std::string& bytes) {
  if (pieces_.empty() || pieces_.back().size() + bytes.size() > pieces_.back().capacity()) {
    pieces_.emplace_back().reserve(std::max(piece_bytes, bytes.size()));
  }
  const Place place{static_cast<std::uint32_t>(pieces_.size() - 1),
                    static_cast<std::uint32_t>(pieces_.back().size())};
  pieces_.back() += bytes;
  return place;
}

std::string_view Observations::bytes_at(const Place& place) const {
  return std::string_view(pieces_[place.piece]).substr(place.byte);
}

void Observations::read_cell(std::size_t cell, Observation& into) const {
  std::string_view bytes = bytes_at(cells_[cell]);
  into.cell = packer_.unpack(bytes);
  into.group = unpack_text(bytes);
  into.redrawn = packer_.unpack(bytes).get<std::vector<std::string>>();
}

void Observations::read_row(const Row& row, Observation& into) const {
  std::string_view bytes = bytes_at(row.place);
  into.trial = JsonPacker::unpack_number(bytes);
  into.step.reset();
  if (JsonPacker::unpack_number(bytes) != 0) into.step = JsonPacker::unpack_number(bytes);
  into.seed = JsonPacker::unpack_number(bytes);
  into.measured = packer_.unpack(bytes);
  into.timing = packer_.unpack(bytes);
}

Observation Observations::operator[](std::size_t i) const {
  Observation observation;
  read_cell(rows_[i].cell, observation);
  read_row(rows_[i], observation);
  return observation;
}

void Observations::for_each_cell(
    const std::function<void(const std::vector<Observation>&)>& use) const {
  std::vector<Observation> cell;
  for (const Observation& observation : *this) {
    if (!cell.empty() && cell.front().cell != observation.cell) {
      use(cell);
      cell.clear();
    }
    cell.push_back(observation);
  }
  if (!cell.empty()) use(cell);
}

std::vector<Observation> Observations::unpacked() const { return {begin(), end()}; }

std::size_t Observations::erase_if(const std::function<bool(const Observation&)>& is_out) {
  Observations kept;
  for (const Observation& observation : *this) {
    if (!is_out(observation)) kept.push_back(observation);
  }
  const std::size_t out = size() - kept.size();
  *this = std::move(kept);
  return out;
}

}  // namespace bloomlab::record
