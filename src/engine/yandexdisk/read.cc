#include "engine/yandexdisk/read.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/ensure.h"
#include "base/ensured.h"
#include "base/json.h"
#include "base/request_value.h"
#include "base/size.h"
#include "base/url.h"
#include "engine/yandexdisk/disk_path.h"

namespace haul::yandexdisk {
namespace {

constexpr int kRedirectsMax = 5;
constexpr Millis kTellEvery{250};
constexpr Millis kKeepEvery{10'000};  // It shows that a read into the spool goes on.
constexpr std::int64_t kReadMax = std::int64_t{64} * 1'024;  // Many reads go on at once.
constexpr int kPiecesMax = 16;         // Of a spooled file, in one turn of the loop.
constexpr std::int64_t kHeldBack = 1;  // Bytes that wait until the file is verified.

// The file's path in the job's request. Empty if there is none.
std::string file_id_in(std::string_view request) {
  const auto fields = read_object(request);
  if (!fields) return {};
  const auto found = std::ranges::find(*fields, "file_id", &JsonField::name);
  return found == fields->end() ? std::string{} : found->text;
}

// Why the file cannot be relayed. Nothing if it can.
std::optional<Fault> problem_of(const DiskMeta& meta, std::int64_t max_size) {
  if (!meta.is_file) return Fault{FaultKind::permanent, "not_a_file", "the path is a folder"};
  if (meta.size == 0) return Fault{FaultKind::permanent, "empty_file", "the file is empty"};
  if (meta.size <= max_size) return std::nullopt;
  return Fault{FaultKind::permanent, "too_large",
               fmt::format("the file has {} bytes; the limit is {} ({} bytes)", meta.size,
                           size_text(max_size), max_size)};
}

// What the flow keeps of the file: what it is, and what identifies its content.
std::string facts_of(const DiskMeta& meta) {
  return fmt::format(R"({{"md5":{},"mime":{},"name":{},"resource_id":{},"revision":{},)"
                     R"("sha256":{},"size":{}}})",
                     json_quoted(meta.md5), json_quoted(meta.mime), json_quoted(meta.name),
                     json_quoted(meta.resource_id), meta.revision, json_quoted(meta.sha256),
                     meta.size);
}

bool is_redirect(int status) {
  constexpr int kRedirects[] = {301, 302, 303, 307, 308};
  return std::ranges::find(kRedirects, status) != std::end(kRedirects);
}

}  // namespace

DiskRead::DiskRead(DiskEnv& env, Order order, Inbox& inbox, std::function<void()> over)
    : env_{env}, order_{std::move(order)}, inbox_{inbox}, over_{std::move(over)} {}

DiskRead::~DiskRead() { drop({FaultKind::cancelled, "stopped", "the engine stops"}); }

void DiskRead::begin() {
  const auto path = disk_path(file_id_in(order_.request.text()));
  if (!path) return fail({.fault = path.error()});
  path_ = *path;
  ask_meta();
}

void DiskRead::drop(const Fault& why) {
  is_over_ = true;
  end_call();
  spooled_.reset();
  if (!stream_) return;
  env_.streams.withdraw(order_.job, order_.fence, why);
  std::exchange(stream_, nullptr)->pipe.fail(why);
}

Moving DiskRead::progress() const {
  Moving moving{.have = written_, .size = {}, .path = {}, .checkpoint = {}};
  if (meta_.size > 0) moving.size = meta_.size;
  return moving;
}

void DiskRead::ask_meta() {
  env_.api.ask(meta_target(path_), [self = shared_from_this()](const DiskApi::Answer& answer) {
    if (!self->is_over_) self->see_meta(answer);
  });
}

void DiskRead::see_meta(const DiskApi::Answer& answer) {
  if (!answer) return fail(answer.error());
  may_be_private_ = !answer->was_public;
  auto meta = read_meta(answer->body);
  if (!meta) return fail({.fault = meta.error()});
  if (const auto problem = problem_of(*meta, env_.settings.max_size))
    return fail({.fault = *problem});
  meta_ = *std::move(meta);
  // A fresh link per read: one lives a few minutes only.
  env_.api.ask(link_target(path_), [self = shared_from_this()](const DiskApi::Answer& link) {
    if (!self->is_over_) self->see_link(link);
  });
}

void DiskRead::see_link(const DiskApi::Answer& answer) {
  if (!answer) return fail(answer.error());
  const auto link = read_link(answer->body);
  if (!link) return fail({.fault = link.error()});
  redirects_ = 0;
  open(*link);
}

// Without the token: the address is signed, and its host is not the API's.
void DiskRead::open(const std::string& url) {
  if (env_.settings.url.starts_with("https:") && !url.starts_with("https:"))
    return fail({.fault = disk_garbage("a link that is not encrypted")});
  url_ = url;
  const io::HttpRequest request{.url = url,
                                .headers = {"Accept-Encoding: identity"},
                                .user_agent = env_.settings.user_agent,
                                .ca_file = env_.settings.ca_file,
                                .connect_timeout = env_.settings.connect_timeout,
                                .head_timeout = env_.settings.read_timeout,
                                .stall_timeout = env_.settings.read_timeout,
                                .read_max = kReadMax,
                                .reach = {.private_too = may_be_private_, .allowed = {}}};
  call_ = env_.loop.begin(request, *this);
}

io::Go DiskRead::on_head(int, const io::HttpHead& head) {
  const auto self = shared_from_this();
  if (is_redirect(head.status)) {
    next_url_ = head.find("location");
    if (next_url_.empty())
      refused_ = DiskRefusal{.fault = disk_garbage("a redirect without an address")};
    return io::Go::stop;
  }
  if (head.status != 200) {
    refused_ = head.status < 300
                   ? DiskRefusal{.fault = disk_garbage(fmt::format("status {}", head.status))}
                   : refusal_of_link(head, env_.clock.now());
    return io::Go::stop;
  }
  const std::string_view coding = head.find("content-encoding");
  const std::string_view length = head.find("content-length");
  if (!coding.empty() && coding != "identity") {
    refused_ = DiskRefusal{.fault = disk_garbage("compressed bytes, which haul did not ask for")};
    return io::Go::stop;
  }
  if (!length.empty() && read_whole(length) != meta_.size) {
    fail(FaultKind::permanent, "source_changed",
         fmt::format("the disk lists {} bytes and sends {}", meta_.size, length));
    return io::Go::stop;
  }
  begin_bytes();
  return io::Go::on;
}

void DiskRead::begin_bytes() {
  env_.api.see_link_host(nullptr);
  // Some machines allow no MD5. Then the revision says whether the file is still the same.
  const bool by_md5 = meta_.sha256.empty() && !meta_.md5.empty() && Hasher::of("md5");
  digest_name_ = by_md5 ? "md5" : "sha256";
  hasher_ = Hasher::of(digest_name_);
  came_ = 0;
  rest_.reserve(static_cast<std::size_t>(kReadMax + kHeldBack));  // It never holds more.
  const bool may_spool = env_.spool && !spool_failed_ && order_.checkpoint == kWholeFirst;
  if (may_spool) spooled_ = env_.spool->make(io::owner_of(order_), meta_.size);
  if (!spooled_) make_stream();
}

Hasher& DiskRead::hasher() { return ensured(hasher_, "a body is hashed from its head on"); }

void DiskRead::make_stream() {
  const std::string name = meta_.name.empty() ? name_in(path_) : meta_.name;
  stream_ = std::make_shared<FileStream>(
      FileStream::About{.name = name, .size = meta_.size, .type = meta_.mime},
      env_.settings.pipe_size);
  // Called on the chat's thread, or from within fail().
  stream_->pipe.on_room([loop = &env_.loop, weak = weak_from_this()] {
    loop->post([weak] {
      if (const auto self = weak.lock()) self->go_on();
    });
  });
  env_.streams.offer(order_.job, order_.fence, stream_);
}

io::Go DiskRead::on_body(int, std::span<const std::byte> bytes) {
  const auto self = shared_from_this();
  came_ += std::ssize(bytes);
  if (came_ > meta_.size) {
    fail(FaultKind::permanent, "source_changed",
         fmt::format("the disk lists {} bytes and sends more", meta_.size));
    return io::Go::stop;
  }
  hasher().add(bytes);
  if (spooled_) return keep(bytes);
  ensure(rest_begin_ == rest_.size() || std::ssize(rest_) - std::ssize(bytes) <= kHeldBack,
         "no bytes come while earlier ones wait for room");
  rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(rest_begin_));
  rest_begin_ = 0;
  rest_.insert(rest_.end(), bytes.begin(), bytes.end());
  if (write_out()) return io::Go::on;
  is_paused_ = true;
  return io::Go::pause;
}

// If the spool cannot take them, the file is read anew and streamed.
io::Go DiskRead::keep(std::span<const std::byte> bytes) {
  if (!spooled_->append(bytes)) {
    spooled_.reset();
    spool_failed_ = true;
    reads_anew_ = true;
    return io::Go::stop;
  }
  const Steady now = env_.clock.steady();
  if (now - kept_at_ >= kKeepEvery) {
    kept_at_ = now;
    push(Waiting{.detail = "reads the whole file first", .code = "spooling"});
  }
  return io::Go::on;
}

bool DiskRead::refill() {
  if (rest_begin_ < rest_.size() || written_ == meta_.size) return true;
  rest_.resize(static_cast<std::size_t>(std::min(kReadMax, meta_.size - written_)));
  rest_begin_ = 0;
  const auto read = spooled_->read_at(rest_, written_);
  if (read == rest_.size()) return true;
  fail(FaultKind::retryable, "spool_failed", "the file cannot be read from the spool");
  return false;
}

// A spooled file in pieces, and not too many: other reads wait meanwhile.
bool DiskRead::write_out() {
  if (!spooled_) return write_rest();
  for (int pieces = 0; pieces < kPiecesMax; ++pieces) {
    if (!refill() || !write_rest()) return false;
    if (written_ == meta_.size) return true;
  }
  env_.loop.post([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->go_on();
  });
  return false;
}

bool DiskRead::write_rest() {
  const std::int64_t may_go = (is_verified_ ? meta_.size : meta_.size - kHeldBack) - written_;
  const auto wanted = static_cast<std::size_t>(
      std::min(may_go, static_cast<std::int64_t>(rest_.size() - rest_begin_)));
  const std::size_t taken =
      wanted == 0 ? 0 : stream_->pipe.write(std::span{rest_}.subspan(rest_begin_, wanted));
  rest_begin_ += taken;
  written_ += static_cast<std::int64_t>(taken);
  if (taken > 0) tell_moving();
  return taken == wanted;
}

// If the chat has broken the pipe, it reports why itself.
void DiskRead::go_on() {
  if (is_over_) return;
  if (!stream_) make_stream();  // The whole file is in the spool.
  if (stream_->pipe.is() == Pipe::Is::broken) {
    drop({FaultKind::cancelled, "stopped", "the chat stopped receiving the file"});
    push(Stopped{});
    return std::exchange(over_, nullptr)();
  }
  if (!write_out()) return;
  if (is_verified_) return finish();
  if (std::exchange(is_paused_, false)) env_.loop.resume(call_, io::Direction::down);
}

void DiskRead::on_end(int, const io::HttpEnd& end) {
  const auto self = shared_from_this();
  call_ = 0;
  if (is_over_) return;
  if (const auto refused = std::exchange(refused_, std::nullopt)) return refuse_link(*refused);
  if (std::exchange(reads_anew_, false)) return ask_meta();
  if (!next_url_.empty()) {
    if (end.was_public) may_be_private_ = false;
    return follow(std::exchange(next_url_, {}));
  }
  if (end.fault) return fail_to_read(*end.fault);
  check_whole();
}

// A host that cannot be reached is out for every file, as the API's host is: this file loses no
// attempt. A connection that breaks later is a fault of this try.
void DiskRead::fail_to_read(Fault fault) {
  if (!is_outage(fault)) return fail({.fault = std::move(fault)});
  fault.kind = FaultKind::environment;
  fault.detail = "the disk's download host: " + fault.detail;
  env_.api.see_link_host(&fault);
  fail({.fault = std::move(fault)});
}

// An expired link is answered with 403, 410 or even 500, so a fresh one is tried once.
void DiskRead::refuse_link(const DiskRefusal& refusal) {
  if (std::exchange(had_fresh_link_, true)) return fail(refusal);
  ask_meta();
}

void DiskRead::follow(const std::string& location) {
  if (++redirects_ > kRedirectsMax)
    return fail({.fault = disk_garbage("more than five redirects")});
  const auto from = parse_url(url_);
  const auto to = from ? join_url(*from, location) : from;
  if (!to) return fail({.fault = disk_garbage("a redirect that is no address")});
  open(to->text);
}

void DiskRead::check_whole() {
  if (came_ < meta_.size)  // Of an answer without a length: it may have been cut short.
    return fail(FaultKind::retryable, "truncated",
                fmt::format("the disk lists {} bytes and sends {}", meta_.size, came_));
  const std::string& listed = digest_name_ == "md5" ? meta_.md5 : meta_.sha256;
  const std::string found = hasher().hex();
  evidence_ = fmt::format(R"({{"{}":"{}","size":{}}})", digest_name_, found, meta_.size);
  if (listed == found) {
    is_verified_ = true;
    return go_on();
  }
  if (!listed.empty())
    return fail(FaultKind::permanent, "checksum_mismatch",
                fmt::format("the bytes do not have the {} that the disk lists: the file was "
                            "replaced while it was read, or is damaged",
                            digest_name_));
  // The disk computes checksums some time after an upload. The revision says whether it is still
  // the same file.
  env_.api.ask(meta_target(path_),
               [self = shared_from_this(), found](const DiskApi::Answer& answer) {
                 if (!self->is_over_) self->see_meta_again(answer, found);
               });
}

void DiskRead::see_meta_again(const DiskApi::Answer& answer, const std::string& sha256) {
  if (!answer) return fail(answer.error());
  const auto meta = read_meta(answer->body);
  if (!meta) return fail({.fault = meta.error()});
  const bool is_same = meta->is_file && meta->size == meta_.size &&
                       meta->revision == meta_.revision &&
                       (meta->sha256.empty() || meta->sha256 == sha256);
  if (!is_same)
    return fail(FaultKind::permanent, "source_changed", "the file was replaced while it was read");
  is_verified_ = true;
  go_on();
}

void DiskRead::finish() {
  is_over_ = true;
  stream_->pipe.end();
  stream_.reset();
  spooled_.reset();
  push(Finished{.path = meta_.path, .size = meta_.size, .in_place = true, .evidence = evidence_});
  std::exchange(over_, nullptr)();
}

void DiskRead::tell_moving() {
  const Steady now = env_.clock.steady();
  if (told_at_ && now - *told_at_ < kTellEvery) return;
  Moving moving = progress();
  if (!told_at_) moving.checkpoint = facts_of(meta_);
  told_at_ = now;
  push(std::move(moving));
}

void DiskRead::fail(FaultKind kind, std::string code, std::string detail) {
  fail({.fault = {kind, std::move(code), std::move(detail)}});
}

void DiskRead::fail(const DiskRefusal& refusal) {
  drop(refusal.fault);
  push(Failed{.fault = refusal.fault, .wait_ms = refusal.wait_ms, .checkpoint = {}});
  std::exchange(over_, nullptr)();
}

void DiskRead::end_call() {
  if (call_ != 0) env_.loop.end(std::exchange(call_, 0));
}

void DiskRead::push(What what) {
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

}  // namespace haul::yandexdisk
