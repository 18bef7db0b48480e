#include "engine/http/enumerate.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/host.h"
#include "engine/here_file.h"
#include "engine/http/make_request.h"
#include "io/web/html_page.h"
#include "io/web/http_date.h"

namespace haul::http {
namespace {

constexpr std::size_t kPageBytesMax = std::size_t{8} << 20U;
constexpr int kHopsMax = 10;
constexpr Millis kAskGateEvery{50};
constexpr std::size_t kListAtOnce = 250;
constexpr Millis kFeedEvery{50};
constexpr Millis kTellEvery{60'000};

// A text that is no address becomes an item that fails with the reason.
std::string canonical(const std::string& address) {
  const auto url = parse_url(address);
  return url ? url->text : address;
}

FoundItem item_for(const std::string& address, const std::string& key) {
  return {.key = key, .url = canonical(address), .size = {}, .skip = {}};
}

bool is_media(const std::string& link) {
  const io::MediaKind kind = io::kind_of(io::url_name(link));
  return kind != io::MediaKind::page && kind != io::MediaKind::other;
}

}  // namespace

Enumerate::Enumerate(HttpEnv env, std::shared_ptr<GetJob> job, Order order, Inbox& inbox)
    : env_{env},
      job_{std::move(job)},
      order_{std::move(order)},
      inbox_{inbox},
      reach_{env.settings.reach} {}

Enumerate::~Enumerate() { env_.loop.end(call_); }

void Enumerate::tell(What what) {
  inbox_.push({order_.job, order_.item, order_.fence, order_.start, std::move(what)});
}

void Enumerate::begin() {
  const engine::GetRequest& request = job_->request;
  if (request.discover || request.filters.need_a_look()) {
    if (request.discover) pages_.assign(request.urls.begin(), request.urls.end());
    for (std::size_t i = 0; !request.discover && i < request.urls.size(); ++i)
      files_.push_back({request.urls[i], request.key_at(i)});
    return next();
  }
  list_more();
}

// Lists some at a time, so that the first downloads start while the rest is being read.
void Enumerate::list_more() {
  const engine::GetRequest& request = job_->request;
  const std::size_t end = std::min(listed_ + kListAtOnce, request.urls.size());
  const bool filters =
      request.filters != engine::Filters{} || request.existing == engine::IfExists::skip;
  std::vector<FoundItem> items;
  for (; listed_ < end; ++listed_) {
    const std::string& address = request.urls[listed_];
    const std::string url = canonical(address);
    items.push_back({.key = request.keys.empty() ? url : request.keys[listed_],
                     .url = url,
                     .size = {},
                     .skip = {}});
    if (filters)
      items.back().skip =
          skip_reason(items.back().key, {.name = io::url_name(address), .date = {}});
  }
  const bool is_listed = end == request.urls.size();
  gone_ = is_listed && !env_.settings.feed;
  tell(Planned{.items = std::move(items), .complete = gone_});
  if (gone_) return;
  env_.loop.post([this, is_listed, alive = std::weak_ptr{alive_}] {
    if (alive.lock() && !gone_) is_listed ? list_feed() : list_more();
  });
}

// Z-10: downloads go on while the list grows. A listing that says nothing for long would be ended.
void Enumerate::list_feed() {
  const UrlFeed::Part part = env_.settings.feed->read(fed_, kListAtOnce);
  const Steady now = env_.clock.steady();
  fed_ += part.entries.size();
  std::vector<FoundItem> items;
  for (const UrlFeed::Entry& entry : part.entries) {
    engine::add_entry(job_->request, entry);
    items.push_back(item_for(entry.url, entry.key));
    items.back().skip = skip_reason(entry.key, {.name = io::url_name(entry.url), .date = {}});
  }
  gone_ = part.is_last;
  if (gone_ || !items.empty() || now - told_ >= kTellEvery) {
    told_ = now;
    tell(Planned{.items = std::move(items), .complete = gone_});
  }
  if (gone_) return;
  env_.loop.after(part.entries.empty() ? kFeedEvery : Millis{0},
                  [this, alive = std::weak_ptr{alive_}] {
                    if (alive.lock() && !gone_) list_feed();
                  });
}

std::string Enumerate::skip_reason(const std::string& key, const engine::Known& known) const {
  const engine::GetRequest& request = job_->request;
  std::string reason = engine::skip_reason(request.filters, known);
  if (!reason.empty() || request.existing != engine::IfExists::skip) return reason;
  std::string path = request.own(key).name;
  if (path.empty()) path = request.name;
  if (path.empty() || path.ends_with('/')) path += io::safe_name(known.name);
  return engine::look_below(*job_->landing.folder, io::safe_path(path)) ? "exists" : "";
}

void Enumerate::stop() {
  env_.loop.end(call_);
  gone_ = true;
  tell(Stopped{});
}

void Enumerate::fail(Fault fault, std::int64_t wait_ms) {
  gone_ = true;
  tell(Failed{.fault = std::move(fault), .wait_ms = wait_ms, .checkpoint = {}});
}

void Enumerate::found(std::vector<FoundItem> items) {
  const bool is_last = pages_.empty() && files_.empty();
  const bool complete = is_last && !broken_;
  gone_ = is_last;
  if (!items.empty() || complete) tell(Planned{.items = std::move(items), .complete = complete});
  if (!is_last) return next();
  if (broken_) fail(*std::move(broken_));
}

void Enumerate::next() {
  is_page_ = files_.empty();  // Files already found come before further pages.
  if (is_page_) {
    at_ = std::move(pages_.front());
    pages_.pop_front();
    key_ = canonical(at_);
  } else {
    at_ = std::move(files_.front().address);
    key_ = std::move(files_.front().key);
    files_.pop_front();
  }
  auto url = parse_url(at_);
  if (!url) return found({item_for(at_, key_)});
  url_ = *std::move(url);
  engine::log_in(url_, job_->request);
  reach_ = env_.settings.reach;
  other_origin_ = false;
  hops_ = 0;
  ask();
}

void Enumerate::ask() {
  if (!env_.gate.pass(order_.start, host_of(url_.text)))
    return env_.loop.after(kAskGateEvery, [this, alive = std::weak_ptr{alive_}] {
      if (alive.lock() && !gone_) ask();
    });
  reply_ = {};
  date_.clear();
  body_.clear();
  const UrlOptions& own = job_->request.own(key_);
  io::HttpRequest request = make_request(job_->request, env_.settings, url_,
                                         other_origin_ ? Origin::other : Origin::given, own);
  request.method = is_page_ ? "GET" : "HEAD";
  request.decode = is_page_;
  request.reach = reach_;
  request.speed = {env_.settings.throttle, order_.job, job_->request.speed_limit};
  call_ = env_.loop.begin(request, *this);
}

io::Go Enumerate::on_head(int, const io::HttpHead& head) {
  reply_ = judge_reply({.url = is_page_ ? "" : std::string_view{at_}, .now = env_.clock.now()},
                       head, Coding::decoded);
  if (const auto modified = io::read_http_date(head.find("last-modified")))
    date_ = to_iso(*modified).substr(0, 10);
  return reply_.meaning == Meaning::moved ? io::Go::stop : io::Go::on;
}

io::Go Enumerate::on_body(int, std::span<const std::byte> bytes) {
  body_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return body_.size() <= kPageBytesMax ? io::Go::on : io::Go::stop;
}

void Enumerate::on_end(int, const io::HttpEnd& end) {
  call_ = 0;
  if (reply_.meaning == Meaning::moved) return hop(end.was_public);
  // S2-8: after a failed lookup, size and date are unknown and pass the filters.
  if (!is_page_) {
    FoundItem item = item_for(at_, key_);
    const bool known = !end.fault && reply_.meaning == Meaning::whole;
    item.skip = skip_reason(key_, {.name = reply_.name.empty() ? io::url_name(at_) : reply_.name,
                                   .size = known ? reply_.version.size : std::nullopt,
                                   .date = known ? date_ : ""});
    return found({std::move(item)});
  }
  if (end.fault) return fail(*end.fault);
  if (reply_.meaning != Meaning::whole) return fail(reply_.fault, reply_.wait_ms);
  read_links();
}

// A page that cannot be read fails the plan. A file whose lookup fails becomes an item and fails on
// its own later.
void Enumerate::look_failed(const Fault& fault) {
  if (is_page_) return fail(fault);
  found({item_for(at_, key_)});
}

void Enumerate::hop(bool came_from_public) {
  if (++hops_ > kHopsMax)
    return look_failed({FaultKind::permanent, "too_many_redirects", "more than 10 redirects"});
  auto to = join_url(url_, reply_.location);
  if (!to) return look_failed({FaultKind::permanent, "bad_redirect", to.error().detail});
  if (url_.scheme == "https" && to->scheme == "http")
    return look_failed({FaultKind::permanent, "insecure_redirect", "from https to http"});
  if (came_from_public) reach_.private_too = false;
  other_origin_ = other_origin_ || to->origin() != url_.origin();
  url_ = *std::move(to);
  ask();
}

// Goes on with the other pages, and reports at the end that links are missing.
void Enumerate::break_off(const char* why) {
  if (!broken_) broken_ = Fault{FaultKind::permanent, "too_long_a_list", why};
}

void Enumerate::read_links() {
  const io::HtmlPage page = io::read_html_page(body_, url_);
  if (body_.size() > kPageBytesMax)
    break_off("a page has more than 8 MiB");
  else if (!page.is_whole)
    break_off("a page has too many links, or is nested too deep");
  const engine::Filters& filters = job_->request.filters;
  std::vector<FoundItem> items;
  for (const std::string& link : page.links) {
    if (!is_media(link)) continue;
    FoundItem item = item_for(link, canonical(link));
    item.skip = skip_reason(item.key, {.name = io::url_name(link), .date = {}});
    if (item.skip.empty() && filters.need_a_look())
      files_.push_back({link, item.key});
    else
      items.push_back(std::move(item));
  }
  known_.insert(url_.text);
  if (!page.next.empty() && !known_.contains(page.next) && ++pages_read_ < job_->request.pages_max)
    pages_.push_front(page.next);
  found(std::move(items));
}

}  // namespace haul::http
