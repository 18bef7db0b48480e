#pragma once
// URLs that a user might ask haul to fetch, list U of the hostile inputs, and the result.

#include <string>
#include <vector>

namespace haul::testing {

struct HostileUrl {
  const char* id;
  std::string url;
  std::string code;
};

// clang-format off
// Refused as written, with this code.
inline const std::vector<HostileUrl> kRefusedUrls = {
    {"U1",  "file:///etc/passwd",                    "bad_url_scheme"},
    {"U2",  "FILE:/etc/passwd",                      "bad_url_scheme"},
    {"U4",  "gopher://127.0.0.1:6379/_FLUSHALL",     "bad_url_scheme"},
    {"U6",  "data:text/html,x",                      "bad_url_scheme"},
    {"U7",  "javascript:alert(1)",                   "bad_url_scheme"},
    {"U7",  "JaVaScRiPt://h/%0aalert(1)",            "bad_url_scheme"},
    {"U7",  "ftp://h/x",                             "bad_url_scheme"},
    {"U7",  "https+x://h/",                          "bad_url_scheme"},
    {"U38", "http://a@b@host/",                      "bad_url_user"},
    {"U38", "http://a%00b@host/",                    "bad_url_user"},
    {"U38", "http://u:p%0d%0aX@host/",               "bad_url_user"},
    {"U40", "http://127.0.0.1\\@good.example/",      "bad_url_character"},
    {"U40", "http://good.example\\.evil.example/",   "bad_url_character"},
    {"U40", "http://good.example/a\\b",              "bad_url_character"},
    {"U42", "http://①②⑦.⓪.⓪.①/",                     "bad_url_host"},
    {"U42", "http://127。0。0。1/",                  "bad_url_host"},
    {"U42", "http://１２７.0.0.1/",                  "bad_url_host"},
    {"U43", "http://ⓛocalhost/",                     "bad_url_host"},
    {"U43", "http://%6cocalhost/",                   "bad_url_host"},
    {"U43", "http://\xff\xfe/",                      "bad_url_host"},
    {"U45", "http://host:0/",                        "bad_url_port"},
    {"U45", "http://host:65536/",                    "bad_url_port"},
    {"U45", "http://host:-1/",                       "bad_url_port"},
    {"U45", "http://host:+80/",                      "bad_url_port"},
    {"U45", "http://host:80a/",                      "bad_url_port"},
    {"U45", "http://host:80:80/",                    "bad_url_port"},
    {"U45", "http://host:99999999999999999999/",     "bad_url_port"},
    {"U45", "http://host:22/",                       "bad_url_port"},
    {"U45", "http://host:6379/",                     "bad_url_port"},
    {"U47", "http://h/" + std::string(64 << 10, 'a'), "url_too_long"},
    {"U47", "http://h/" + std::string(1 << 20, 'a'), "url_too_long"},
    {"U47", "http://" + std::string(300, 'a') + "/", "bad_url_host"},
    {"U48", "",                                      "bad_url_scheme"},
    {"U48", "http:///x",                             "bad_url_host"},
    {"U48", "http://",                               "bad_url_host"},
    {"U48", "http://:80/",                           "bad_url_host"},
    {"U48", "http://user@/",                         "bad_url_host"},
    {"U48", "http://?x",                             "bad_url_host"},
    {"U48", "http:host",                             "bad_url"},
    {"U48", "http:/host",                            "bad_url"},
    {"U48", "//host/x",                              "bad_url_scheme"},
    {"U48", "host/x",                                "bad_url_scheme"},
    {"U48", "http//host/x",                          "bad_url_scheme"},
    {"U50", "-oProxyCommand=x",                      "bad_url_scheme"},
    {"U50", "--exec=id",                             "bad_url_scheme"},
    {"U50", "@/etc/passwd",                          "bad_url_scheme"},
    {"U50", "http://-oProxyCommand=x/",              "bad_url_host"},
    {"U50", "http://-x/",                            "bad_url_host"},
    {"H12", "http://h/a\r\nX: y",                    "bad_url_character"},
    {"H12", "http://h/a b",                          "bad_url_character"},
    {"H12", " http://h/",                            "bad_url_character"},
    {"H12", "http://h/\x7f",                         "bad_url_character"},
    {"H12", std::string{"http://h/\0x", 11},         "bad_url_character"},
};

// Parsed as this address. haul opens no socket to it.
inline const std::vector<HostileUrl> kPrivateUrls = {
    {"U11", "http://2130706433/",            "127.0.0.1"},
    {"U12", "http://0x7f000001/",            "127.0.0.1"},
    {"U12", "http://0X7F.1/",                "127.0.0.1"},
    {"U12", "http://0177.0.0.01/",           "127.0.0.1"},
    {"U12", "http://127.0.0.1./",            "127.0.0.1"},
    {"U14", "http://0/",                     "0.0.0.0"},
    {"U16", "http://[::1]/",                 "[::1]"},
    {"U16", "http://[0:0:0:0:0:0:0:1]:8080", "[::1]"},
    {"U17", "http://[::]/",                  "[::]"},
    {"U19", "http://[::ffff:7f00:1]/",       "[::ffff:127.0.0.1]"},
    {"U19", "http://[::127.0.0.1]/",         "[::127.0.0.1]"},
    {"U21", "http://[64:ff9b::7f00:1]/",     "[64:ff9b::7f00:1]"},
    {"U22", "http://[2002:7f00:1::]/",       "[2002:7f00:1::]"},
    {"U24", "http://[fc00::1]/",             "[fc00::1]"},
    {"U24", "http://[FE80::1]/",             "[fe80::1]"},
    {"U26", "http://100.64.0.1/",            "100.64.0.1"},
    {"U27", "http://10.0.0.1/",              "10.0.0.1"},
    {"U27", "http://172.31.255.255/",        "172.31.255.255"},
    {"U27", "http://192.168.0.1/",           "192.168.0.1"},
    {"U27", "http://169.254.169.254/latest/meta-data/", "169.254.169.254"},
};
// clang-format on

}  // namespace haul::testing
