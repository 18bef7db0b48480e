#include "engine/http/head_look.h"

#include <utility>

#include "base/host.h"
#include "engine/http/existing.h"
#include "io/file/filename.h"
#include "io/web/http_date.h"

namespace haul::http {
namespace {

constexpr int kHopsMax = 10;

}  // namespace

void HeadLook::look(std::size_t position, Time now, Then then) {
  const std::string& address = request_.urls.at(position);
  at_ = address;
  key_ = request_.key_at(position);
  now_ = now;
  origin_ = Origin::given;
  reach_ = settings_.reach;
  if (request_.own(key_).is_public) reach_.private_too = false;
  hops_ = 0;
  then_ = std::move(then);
  auto url = parse_url(address);
  if (!url) return end({.name = {}, .fault = url.error()});
  url_ = *std::move(url);
  at_ = url_.text;
  engine::log_in(url_, request_);
  ask();
}

void HeadLook::ask() {
  io::HttpRequest asked = make_request(request_, settings_, url_, origin_, request_.own(key_));
  asked.method = "HEAD";
  asked.reach = reach_;
  fetcher_.fetch(asked, {}, [this](const Result<io::HttpWhole>& answer) { see(answer); });
}

void HeadLook::end(HeadSeenOf seen) { std::exchange(then_, {})(std::move(seen)); }

std::string HeadLook::name_for(const Reply& reply) const {
  const std::string& own = request_.own(key_).name;
  const std::string given =
      own.empty() && request_.urls.size() == 1 ? request_.name : std::string{own};
  std::string name = given.substr(given.rfind('/') + 1);
  if (name.empty()) name = reply.name;
  if (name.empty()) name = io::url_name(url_.text);
  if (name.empty()) name = host_of(url_.text);
  return io::safe_path(given.substr(0, given.rfind('/') + 1) + io::safe_name(name));
}

void HeadLook::hop(const std::string& location, bool came_from_public) {
  auto to = join_url(url_, location);
  if (!to || ++hops_ > kHopsMax)
    return end({.name = {}, .fault = Fault{FaultKind::permanent, "bad_redirect", location}});
  if (url_.scheme == "https" && to->scheme == "http")
    return end({.name = {}, .fault = Fault{FaultKind::permanent, "insecure_redirect", ""}});
  if (came_from_public) reach_.private_too = false;
  if (to->origin() != url_.origin()) origin_ = Origin::other;
  url_ = *std::move(to);
  ask();
}

void HeadLook::see(const Result<io::HttpWhole>& answer) {
  // A server that answers no HEAD may still answer a GET.
  if (!answer && is_dropped(answer.error())) return end({.name = name_for({})});
  if (!answer) return end({.name = {}, .fault = answer.error()});
  const io::HttpHead& head = answer->head;
  const Reply reply = judge_reply({.url = at_, .now = now_}, head, Coding::decoded);
  if (reply.meaning == Meaning::moved) return hop(reply.location, answer->was_public);
  HeadSeenOf seen{.name = name_for(reply)};
  const bool is_refused = head.status == 405 || head.status == 501;
  if (reply.meaning == Meaning::whole) {
    seen.size = reply.version.size;
    if (const auto modified = io::read_http_date(head.find("last-modified")))
      seen.date = to_iso(*modified).substr(0, 10);
  } else if (!is_refused) {
    seen.fault = reply.fault;
  }
  end(std::move(seen));
}

}  // namespace haul::http
