// A download whose file may be here already, from an earlier run (Z-24).

#include <utility>

#include "base/ensured.h"
#include "base/host.h"
#include "base/json.h"
#include "base/posting.h"
#include "base/redact.h"
#include "engine/http/download.h"
#include "io/file/content.h"
#include "io/file/filename.h"

namespace haul::http {

using engine::IfExists;

// A list of checksums names files, so each receipt has its own.
std::optional<engine::HereFile> Download::find_earlier() const {
  for (const Receipt& receipt : order_.receipts) {
    const std::string name = receipt.path.substr(receipt.path.rfind('/') + 1);
    if (auto here = engine::find_here(
            *job_->landing.folder, {&receipt, 1},
            {.name = given_name(), .checksum = sum_for(name), .proven = look_.proven}))
      return here;
  }
  return std::nullopt;
}

std::optional<engine::HereFile> Download::find_touched() const {
  for (const Receipt& receipt : order_.receipts) {
    const std::string name = receipt.path.substr(receipt.path.rfind('/') + 1);
    if (auto touched =
            engine::find_touched(*job_->landing.folder, {&receipt, 1},
                                 {.name = given_name(), .checksum = sum_for(name)}, look_.tried))
      return touched;
  }
  return std::nullopt;
}

// Asks the server about the file of an earlier run. False if there is none, or the request wants
// the file fetched anyway.
bool Download::look_first() {
  const IfExists existing = job_->request.existing;
  if (existing != IfExists::normal && existing != IfExists::update) return false;
  auto earlier = find_earlier();
  if (!earlier) {
    const auto touched = find_touched();
    if (touched) prove(*touched);
    return touched.has_value();
  }
  // Any server may have sent the bytes of an unchecked one, so they are compared.
  const bool is_unchecked = read_receipt(earlier->receipt.evidence).unchecked;
  if (is_unchecked && !job_->request.insecure) {
    look_.old = std::move(earlier);
    return false;
  }
  const std::string path = earlier->receipt.path;
  look_.about = std::move(earlier);
  // Each mirror has tags of its own. If the file has the wanted hash, they say nothing.
  if (sources_.size() > 1 && !sum_for(path.substr(path.rfind('/') + 1)).hex.empty())
    already_here();
  else
    ask_first();
  return true;
}

// A task that only reads the file, on the lander's thread.
io::LandTask Download::check_of(std::shared_ptr<const io::File> file, Checksum wanted) const {
  return {.folder = job_->landing.folder,
          .file = std::move(file),
          .named = io::NamedAs::in_place,
          .part = {},
          .target = "checked",
          .wanted = std::move(wanted),
          .from = {},
          .stop = check_.get_token()};
}

// Hashes a file again that has its size, but another time.
void Download::prove(const engine::HereFile& touched) {
  look_.tried.insert(touched.receipt.path);
  auto file = engine::open_below(*job_->landing.folder, touched.name);
  const auto go_on = [this] {
    if (is_filling() && !look_first()) ask_first();
  };
  if (!file || file->seen() != touched.seen) return posting<>(&env_.loop, alive_, go_on)();
  env_.lander.land(check_of(std::move(file), read_receipt(touched.receipt.evidence).hash),
                   on_loop([this, go_on, seen = touched.seen](const Result<void>& same) {
                     if (same) look_.proven.push_back(seen);
                     go_on();
                   }));
}

const engine::HereFile& Download::looked_at() const {
  return ensured(look_.about, "a look is about a file that is here");
}

void Download::already_here() {
  const engine::HereFile& here = looked_at();
  end(Finished{.path = here.receipt.path,
               .size = here.receipt.size,
               .in_place = true,
               .evidence = evidence_of_earlier(here.receipt.evidence, here.seen.mtime)});
}

void Download::ask_look() {
  io::HttpRequest request = asking_for({.source = main_});
  request.method = "HEAD";
  look_.reply = {};
  look_.call = env_.loop.begin(request, *this);
}

io::Go Download::see_look(const io::HttpHead& head) {
  look_.reply = judge_reply({.url = order_.url, .now = env_.clock.now()}, head, Coding::plain);
  return look_.reply.meaning == Meaning::moved ? io::Go::stop : io::Go::on;
}

void Download::end_look(const io::HttpEnd& end) {
  look_.call = 0;
  if (end.fault && !is_dropped(*end.fault)) return fail(*end.fault);
  if (end.fault && look_.reply.meaning == Meaning::fault)
    look_.reply.fault = {FaultKind::permanent, "no_head", end.fault->detail};
  const Reply reply = std::move(look_.reply);
  const Receipt& earlier = looked_at().receipt;
  switch (judge_look(earlier, reply, job_->request.existing)) {
    case LookStep::here:
      return already_here();
    case LookStep::hop:
      return hop(reply.location, end.was_public);
    case LookStep::fail:
      if (reply.wait_ms > 0) env_.gate.block(host_of(url_.text), reply.wait_ms);
      return fail(reply.fault, reply.wait_ms);
    case LookStep::fetch:
      break;
  }
  if (reply.meaning != Meaning::fault) look_.given = reply.given;
  look_.old = std::exchange(look_.about, std::nullopt);
  // From the given address: it may lead elsewhere if it is asked for the file.
  if (auto reset = set_address(); !reset) return fail(reset.error());
  ask_again();
}

Result<void> Download::set_address() {
  auto url = parse_url(sources_[main_]);
  if (!url) return std::unexpected{url.error()};
  url_ = *std::move(url);
  engine::log_in(url_, job_->request);
  origin_ = Origin::given;
  reach_ = env_.settings.reach;
  if (own().is_public) reach_.private_too = false;
  hops_ = 0;
  return {};
}

// Only in the folder where the new file lands.
std::optional<io::LandingFile::Replaced> Download::replaced_by_update() const {
  auto earlier = find_earlier();
  const std::string inside = given_folders();
  if (!earlier || !earlier->name.starts_with(inside)) return std::nullopt;
  std::string name = earlier->name.substr(inside.size());
  if (name.find('/') != std::string::npos) return std::nullopt;
  return io::LandingFile::Replaced{.name = std::move(name),
                                   .how = {.only = std::move(earlier->seen)}};
}

// Which file the new one replaces. Asked again whenever a place is chosen: the old one may have
// been changed meanwhile, and then it stays.
void Download::choose_replaced() {
  switch (job_->request.existing) {
    case IfExists::overwrite:
      if (env_.settings.replaces_any)
        return landing_.set_replaced({{.name = landing_.name(), .how = {}}});
      [[fallthrough]];
    case IfExists::update:
      return landing_.set_replaced(replaced_by_update());
    case IfExists::normal:
    case IfExists::skip:
    case IfExists::keep_both:
      return;
  }
}

std::optional<Fault> Download::name_exists() const {
  if (job_->request.existing != IfExists::skip || !landing_.is_name_taken()) return std::nullopt;
  return Fault{FaultKind::permanent, "exists", landing_.path() + " is here and stays as it is"};
}

// What the receipt has besides the proof: all that tells later whether the file has changed.
void Download::add_receipt(std::string& evidence, const std::string& mtime) const {
  const Given given = given_validators();
  const bool has_etag = evidence.starts_with(R"({"kind":"etag")");
  if (!has_etag) io::append_member(evidence, "etag", given.etag);
  io::append_member(evidence, "last_modified", given.last_modified);
  io::append_member(evidence, "mtime", mtime);
  if (url_.text != order_.url) io::append_member(evidence, "url", redacted(url_.text));
  io::append_member(evidence, "name", given_name());
  io::append_member(evidence, "former_url", redacted(replaced_.former));
  io::append_member(evidence, "started_over", replaced_.over);
  if (const std::string from = senders(); from.find(' ') != std::string::npos)
    io::append_member(evidence, "sources", redacted(from));
  if (taken_ && !taken_->hex.empty() && wanted_sum().algorithm != taken_->algorithm)
    io::append_member(evidence, taken_->algorithm, taken_->hex);
  if (served_.decoded) evidence += R"(,"decoded":true)";
  if (arrivals_.are_several()) evidence += ",\"ranges\":" + arrivals_.to_json();
  if (connections_most_ > 1) evidence += ",\"segments\":" + std::to_string(connections_most_);
  if (unchecked_ && !has_hash(landing_.name())) evidence += R"(,"unchecked":true)";
  if (look_.bytes == Look::Bytes::same || !look_.old) return;
  const std::string& old = look_.old->receipt.path;
  if (landing_.path() != old) io::append_member(evidence, "beside", old);
}

// Without those that the server makes up for each answer.
Given Download::given_validators() const {
  return look_.given ? agreed(*look_.given, served_.given) : served_.given;
}

// The server says that the file has changed, or cannot say that it has not. If its bytes are the
// same, the old file stays and the new one is dropped. False if there is nothing to compare.
bool Download::compare_first() {
  if (!look_.old || look_.bytes != Look::Bytes::unknown) return false;
  look_.bytes = Look::Bytes::compared;
  const engine::HereFile& old = *look_.old;
  if (served_.version.size.value_or(done_.total()) != old.receipt.size) return false;
  auto file = engine::open_below(*job_->landing.folder, old.name);
  if (!file || file->seen() != old.seen) return false;
  if (const Checksum known = read_receipt(old.receipt.evidence).hash; !known.hex.empty()) {
    compare_with(known);
    return true;
  }
  auto taken = std::make_shared<Checksum>(Checksum{"sha256", {}});
  io::LandTask task = check_of(std::move(file), {});
  task.taken = taken;
  env_.lander.land(std::move(task), on_loop([this, taken](const Result<void>& read) {
                     if (!is_filling()) return;
                     if (!read) return choose_place();
                     compare_with(*taken);
                   }));
  return true;
}

void Download::compare_with(const Checksum& sum) {
  env_.lander.land(check_of(landing_.file(), sum), on_loop([this, sum](const Result<void>& same) {
                     if (!is_filling()) return;
                     if (!same) return choose_place();
                     end_same(sum);
                   }));
}

void Download::end_same(const Checksum& sum) {
  const engine::HereFile& old = ensured(look_.old, "bytes are compared with a file that is here");
  look_.bytes = Look::Bytes::same;
  taken_ = std::make_shared<Checksum>(sum);
  if (served_.digest != sum) served_.digest = {};  // Nothing has checked the server's own.
  served_.version.size = old.receipt.size;
  room_.release();
  landing_.remove();
  end(Finished{.path = old.receipt.path,
               .size = old.receipt.size,
               .in_place = true,
               .evidence = evidence_of_compared(evidence(old.seen.mtime), old.seen.mtime)});
}

// F34: a login page has no known type if the file's name has none, but the file that is here has.
Result<void> Download::check_still_kind() const {
  if (!look_.old || !io::is_web_page(*landing_.file())) return {};
  const auto old = engine::open_below(*job_->landing.folder, look_.old->name);
  if (!old || io::is_web_page(*old)) return {};
  return std::unexpected{
      Fault{FaultKind::permanent, "unexpected_content",
            "the server sent a web page, and the existing file is none; a login may be needed"}};
}

}  // namespace haul::http
