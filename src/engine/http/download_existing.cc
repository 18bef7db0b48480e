// A download whose file may be here already, from an earlier run (Z-24).

#include <utility>

#include "base/host.h"
#include "base/json.h"
#include "base/redact.h"
#include "engine/http/download.h"
#include "io/file/filename.h"

namespace haul::http {

using engine::IfExists;

// A list of checksums names files, so each receipt has its own.
std::optional<engine::HereFile> Download::find_earlier() const {
  for (const Receipt& receipt : order_.receipts) {
    const std::string name = receipt.path.substr(receipt.path.rfind('/') + 1);
    if (auto here = engine::find_here(*job_->landing.folder, {&receipt, 1},
                                      {.name = given_name(), .checksum = sum_for(name)}))
      return here;
  }
  return std::nullopt;
}

// Asks the server about the file of an earlier run. False if there is none, or the request wants
// the file fetched anyway.
bool Download::look_first() {
  const IfExists existing = job_->request.existing;
  if (existing != IfExists::normal && existing != IfExists::update) return false;
  auto earlier = find_earlier();
  if (!earlier) return false;
  look_.about = std::move(earlier);
  ask_look();
  return true;
}

void Download::ask_look() {
  io::HttpRequest request = asking_for({});
  request.method = "HEAD";
  look_.reply = {};
  look_.call = env_.loop.begin(std::move(request), *this);
}

io::Go Download::see_look(const io::HttpHead& head) {
  look_.reply = judge_reply({.url = order_.url, .now = env_.clock.now()}, head, Coding::plain);
  return look_.reply.meaning == Meaning::moved ? io::Go::stop : io::Go::on;
}

void Download::end_look(const io::HttpEnd& end) {
  look_.call = 0;
  if (end.fault) return fail(*end.fault);
  const Reply reply = std::move(look_.reply);
  const Receipt& earlier = look_.about->receipt;
  switch (judge_look(earlier, reply, job_->request.existing)) {
    case LookStep::here:
      return this->end(Finished{.path = earlier.path,
                                .size = earlier.size,
                                .in_place = true,
                                .evidence = evidence_of_earlier(earlier.evidence)});
    case LookStep::hop:
      return hop(reply.location, end.was_public);
    case LookStep::fail:
      if (reply.wait_ms > 0) env_.gate.block(host_of(url_.text), reply.wait_ms);
      return fail(reply.fault, reply.wait_ms);
    case LookStep::fetch:
      break;
  }
  look_.newer_than = earlier.path;
  look_.about.reset();
  // From the given address: it may lead elsewhere if it is asked for the file.
  if (auto reset = set_address(); !reset) return fail(reset.error());
  ask_again();
}

Result<void> Download::set_address() {
  auto url = parse_url(order_.url);
  if (!url) return std::unexpected{url.error()};
  url_ = *std::move(url);
  engine::log_in(url_, job_->request);
  origin_ = Origin::given;
  reach_ = env_.settings.reach;
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
  const Given& given = served_.given;
  const bool has_etag = evidence.starts_with(R"({"kind":"etag")");
  if (!has_etag) io::append_member(evidence, "etag", given.etag);
  io::append_member(evidence, "last_modified", given.last_modified);
  io::append_member(evidence, "mtime", mtime);
  if (url_.text != order_.url) io::append_member(evidence, "url", redacted(url_.text));
  io::append_member(evidence, "name", given_name());
  if (taken_ && !taken_->hex.empty() && wanted_sum().algorithm != taken_->algorithm)
    io::append_member(evidence, taken_->algorithm, taken_->hex);
  if (served_.decoded) evidence += R"(,"decoded":true)";
  if (connections_most_ > 1) evidence += ",\"segments\":" + std::to_string(connections_most_);
  if (landing_.path() != look_.newer_than) io::append_member(evidence, "beside", look_.newer_than);
}

}  // namespace haul::http
