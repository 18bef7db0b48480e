// Decodes with zlib: a chain of stages, one per coding.

#include "io/web/decode.h"

#include <fmt/core.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/ascii.h"
#include "base/ensure.h"

namespace haul::io {
namespace {

constexpr std::size_t kPiece = std::size_t{16} << 10U;
constexpr int kWindow = 15;             // zlib's largest: 32 KiB.
constexpr int kGzip = 16;               // Added to the window: accepts the gzip form only.
constexpr std::byte kGzipMagic{0x1F};   // The first byte of a gzip member.
constexpr std::byte kZlibMethod{0x08};  // Low half of the first byte of the zlib form.
constexpr std::byte kLowHalf{0x0F};
constexpr std::byte kHighBit{0x80};  // A zlib window is at most 32 KiB, so this bit is clear.

enum class Compression : std::uint8_t { gzip, deflate };

Fault bad(std::string detail) { return {FaultKind::permanent, "bad_answer", std::move(detail)}; }

// Bytes that wait to be read by a coding.
class Pending {
 public:
  bool empty() const { return begin_ == bytes_.size(); }
  std::span<const std::byte> all() const { return std::span{bytes_}.subspan(begin_); }
  void drop(std::size_t count) {
    ensure(count <= bytes_.size() - begin_, "a coding reads no more bytes than are here");
    begin_ += count;
    if (!empty()) return;
    bytes_.clear();
    begin_ = 0;
  }
  void add(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t begin_ = 0;
};

// Undoes one coding. Several can be chained.
class Inflate {
 public:
  explicit Inflate(Compression coding) : coding_{coding} {}
  ~Inflate() {
    if (begun_) inflateEnd(&stream_);
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;

  struct DecodeStep {
    std::size_t read = 0;
    std::span<const std::byte> made;
  };
  // Decodes at most one piece. `made` is valid until the next step.
  Result<DecodeStep> step(std::span<const std::byte> in) {
    if (ended_ && !begin_member(in)) return DecodeStep{.read = in.size(), .made = {}};
    if (!begun_ && !begin(in)) return DecodeStep{};
    in = in.first(std::min(in.size(), kPiece));
    // zlib takes a non-const pointer, but does not write through it.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
    stream_.avail_out = static_cast<uInt>(out_.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      return std::unexpected{bad(fmt::format("the body is not what its coding says: {}",
                                             stream_.msg != nullptr ? stream_.msg : "zlib"))};
    ended_ = code == Z_STREAM_END;
    is_full_ = stream_.avail_out == 0 && !ended_;
    const std::size_t made = out_.size() - stream_.avail_out;
    total_ += static_cast<std::int64_t>(made);
    return DecodeStep{.read = in.size() - stream_.avail_in, .made = std::span{out_}.first(made)};
  }

  // The last step filled its output, so there may be more.
  bool is_full() const { return is_full_; }
  bool is_whole() const { return ended_ || !begun_; }
  bool has_begun() const { return begun_; }
  std::int64_t total() const { return total_; }

 private:
  // "deflate" should be in the zlib form; some servers send it bare.
  bool begin(std::span<const std::byte> in) {
    if (in.empty()) return false;
    int window = kWindow + kGzip;
    if (coding_ == Compression::deflate) {
      const bool zlib =
          (in.front() & kLowHalf) == kZlibMethod && (in.front() & kHighBit) == std::byte{0};
      window = zlib ? kWindow : -kWindow;
    }
    if (inflateInit2(&stream_, window) != Z_OK) throw std::runtime_error{"zlib does not start"};
    begun_ = true;
    return true;
  }
  // A gzip body may have several members, one after the other. Drops anything else that follows.
  bool begin_member(std::span<const std::byte> in) {
    if (coding_ != Compression::gzip || in.empty() || in.front() != kGzipMagic) return false;
    ended_ = false;
    return inflateReset(&stream_) == Z_OK;
  }

  const Compression coding_;
  z_stream stream_{};
  std::array<std::byte, kPiece> out_{};
  std::int64_t total_ = 0;
  bool begun_ = false;
  bool ended_ = false;
  bool is_full_ = false;
};

class Chain final : public Decoder {
 public:
  // The coding that was applied last is undone first.
  explicit Chain(const std::vector<Compression>& codings) {
    for (auto coding = codings.rbegin(); coding != codings.rend(); ++coding)
      stages_.push_back(std::make_unique<Stage>(*coding));
  }

  void add(std::span<const std::byte> coded) override {
    came_ += std::ssize(coded);
    stages_.front()->in.add(coded);
  }

  // Each step runs the last coding that can go on, so that little data waits between two codings.
  Result<void> decode(std::size_t work_max, const Take& take) override {
    std::size_t work = 0;
    for (auto at = ready(); at != stages_.rend() && work < work_max; at = ready()) {
      Stage& stage = **at;
      const auto step = stage.inflate.step(stage.in.all());
      if (!step) return std::unexpected{step.error()};
      work += std::max<std::size_t>(step->read + step->made.size(), 1);
      if (auto checked = check(stage.inflate); !checked) return checked;
      const bool is_last = at == stages_.rbegin();
      if (!is_last) (*std::prev(at))->in.add(step->made);
      stage.in.drop(step->read);  // Before the return: the caller may go on later.
      if (is_last && !step->made.empty() && !take(step->made)) return {};
    }
    return {};
  }

  bool has_more() const override {
    return std::ranges::any_of(stages_, [](const auto& each) { return each->can_go_on(); });
  }
  bool is_whole() const override {
    return std::ranges::all_of(stages_, [](const auto& each) { return each->inflate.is_whole(); });
  }

 private:
  struct Stage {
    explicit Stage(Compression coding) : inflate{coding} {}
    bool can_go_on() const { return inflate.is_full() || !in.empty(); }

    Inflate inflate;
    Pending in;
  };
  using Stages = std::vector<std::unique_ptr<Stage>>;

  Stages::reverse_iterator ready() {
    return std::find_if(stages_.rbegin(), stages_.rend(),
                        [](const auto& each) { return each->can_go_on(); });
  }

  Result<void> check(const Inflate& inflate) const {
    if (inflate.total() <= kFreeBytes || inflate.total() <= kRatioMax * came_) return {};
    return std::unexpected{
        Fault{FaultKind::permanent, "expands_too_much",
              fmt::format("{} bytes of a compressed body expand to more than {} times their size, "
                          "beyond the first {} MiB",
                          came_, kRatioMax, kFreeBytes >> 20U)}};
  }

  Stages stages_;
  std::int64_t came_ = 0;
};

}  // namespace

Result<std::unique_ptr<Decoder>> Decoder::open(std::string_view codings) {
  std::vector<Compression> all;
  while (!codings.empty()) {
    const std::string name = lower(trimmed(codings.substr(0, codings.find(','))));
    codings.remove_prefix(std::min(codings.find(','), codings.size() - 1) + 1);
    if (name.empty() || name == "identity") continue;
    if (name == "gzip" || name == "x-gzip")
      all.push_back(Compression::gzip);
    else if (name == "deflate")
      all.push_back(Compression::deflate);
    else
      return std::unexpected{bad("a coding that was not offered: only gzip and deflate were")};
    if (all.size() > kCodingsMax)
      return std::unexpected{bad(fmt::format("more than {} codings", kCodingsMax))};
  }
  if (all.empty()) return nullptr;
  return std::make_unique<Chain>(all);
}

}  // namespace haul::io
