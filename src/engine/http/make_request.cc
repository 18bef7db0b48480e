#include "engine/http/make_request.h"

namespace haul::http {

io::HttpRequest make_request(const engine::GetRequest& request, const HttpSettings& settings,
                             const Url& url, Origin origin) {
  io::HttpRequest made{
      .url = url.text,
      .user = url.user,
      .password = url.password,
      .user_agent = request.user_agent.empty() ? settings.user_agent : request.user_agent,
      .proxy = request.proxy,
      .cookie_file = request.cookies,
      .ca_file = settings.ca_file,
      .stall_timeout = settings.stall_timeout};
  if (origin == Origin::other) return made;
  made.netrc_file = request.netrc;
  made.headers = request.headers;
  return made;
}

}  // namespace haul::http
