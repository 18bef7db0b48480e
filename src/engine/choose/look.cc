#include "engine/choose/look.h"

#include <utility>

#include "base/host.h"
#include "engine/http/make_request.h"

namespace haul::choose {
namespace {

constexpr int kHopsMax = 10;
constexpr Millis kAskGateEvery{50};

}  // namespace

Look::Look(io::HttpLoop& loop, Gate& gate, const http::HttpSettings& settings,
           engine::GetRequest request, std::int64_t start, Tell tell)
    : loop_{loop},
      gate_{gate},
      settings_{settings},
      request_{std::move(request)},
      start_{start},
      tell_{std::move(tell)},
      reach_{settings.reach} {}

Look::~Look() {
  loop_.end(call_);
  leave();
}

void Look::leave() {
  if (const auto door = std::exchange(door_, {})) gate_.leave(*door);
}

void Look::done(std::string type) {
  leave();
  if (tell_) std::exchange(tell_, {})(std::move(type));
}

void Look::begin(const std::string& url) {
  auto parsed = parse_url(url);
  if (!parsed) return done({});
  url_ = *std::move(parsed);
  engine::log_in(url_, request_);
  ask();
}

void Look::ask() {
  door_ = gate_.enter(start_, host_of(url_.text));
  if (!door_)
    return loop_.after(kAskGateEvery, [this, alive = std::weak_ptr{alive_}] {
      if (alive.lock()) ask();
    });
  type_.clear();
  location_.clear();
  io::HttpRequest request = http::make_request(
      request_, settings_, url_, other_origin_ ? http::Origin::other : http::Origin::given);
  request.reach = reach_;
  call_ = loop_.begin(request, *this);
}

io::Go Look::on_head(int, const io::HttpHead& head) {
  if (head.status >= 300 && head.status < 400)
    location_ = head.find("location");
  else if (head.status == 200)
    type_ = head.find("content-type");
  return io::Go::stop;
}

io::Go Look::on_body(int, std::span<const std::byte>) { return io::Go::stop; }

// Follows redirects by the http engine's rules. If they refuse one, the type stays unknown, and the
// http engine reports the refusal later.
void Look::on_end(int, const io::HttpEnd& end) {
  call_ = 0;
  leave();
  if (end.fault || location_.empty()) return done(end.fault ? "" : type_);
  auto to = join_url(url_, location_);
  const bool downgrades = to && url_.scheme == "https" && to->scheme == "http";
  if (!to || downgrades || ++hops_ > kHopsMax) return done({});
  if (end.was_public) reach_.private_too = false;
  other_origin_ = other_origin_ || to->origin() != url_.origin();
  url_ = *std::move(to);
  ask();
}

}  // namespace haul::choose
