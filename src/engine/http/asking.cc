#include "engine/http/asking.h"

namespace haul::http {

io::HttpRequest asking(const engine::GetRequest& request, const HttpSettings& settings,
                       const Url& url, Origin origin) {
  io::HttpRequest ask{
      .url = url.text,
      .user = url.user,
      .password = url.password,
      .user_agent = request.user_agent.empty() ? settings.user_agent : request.user_agent,
      .proxy = request.proxy,
      .cookie_file = request.cookies,
      .ca_file = settings.ca_file,
      .stall_timeout = settings.stall_timeout};
  if (origin == Origin::other) return ask;
  ask.netrc_file = request.netrc;
  ask.headers = request.headers;
  return ask;
}

}  // namespace haul::http
