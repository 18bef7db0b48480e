#include "engine/http/make_request.h"

namespace haul::http {

io::HttpRequest make_request(const engine::GetRequest& request, const HttpSettings& settings,
                             const Url& url, Origin origin, const UrlOptions& own) {
  const std::string& agent = own.user_agent.empty() ? request.user_agent : own.user_agent;
  io::HttpRequest made{.url = url.text,
                       .user = url.user,
                       .password = url.password,
                       .user_agent = agent.empty() ? settings.user_agent : agent,
                       .proxy = request.proxy,
                       .cookie_file = request.cookies,
                       .ca_file = request.ca_file.empty() ? settings.ca_file : request.ca_file,
                       .no_proxy = request.no_proxy,
                       .insecure = request.insecure,
                       .ip = request.ip,
                       .stall_timeout = settings.stall_timeout};
  if (request.connect_timeout > Millis{0}) made.connect_timeout = request.connect_timeout;
  if (origin == Origin::other) return made;
  made.netrc_file = request.netrc;
  made.headers = request.headers;
  made.headers.insert(made.headers.end(), own.headers.begin(), own.headers.end());
  return made;
}

}  // namespace haul::http
