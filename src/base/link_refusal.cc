#include "base/link_refusal.h"

namespace haul {

bool refuses_link(const Fault& fault) {
  return fault.code.starts_with("http_4") || fault.code == "page_instead" ||
         fault.code == "private_address" || fault.code == "proxy_refused" ||
         fault.code == "proxy_login" || fault.code == "bad_proxy";
}

}  // namespace haul
