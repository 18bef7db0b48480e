#pragma once
// List Q of the hostile inputs: what a client may answer about a torrent that downloads, and the
// job's state and reason afterwards. In a body %H is the torrent's hash, %T its tag.

#include <string>
#include <vector>

namespace haul::testing {

struct HostileClientAnswer {
  const char* id;
  int status;
  std::string body;
  const char* state;   // The job's state afterwards.
  const char* reason;  // The job's reason afterwards.
};

inline std::string entry(const std::string& rest) {
  return R"([{"hash":"%H","tags":"%T",)" + rest + "}]";
}
// The same for a torrent that has all its bytes.
inline std::string whole_entry(const std::string& rest) {
  return entry(R"("size":1000,"completed":1000,"amount_left":0,"progress":1,)" + rest);
}

// clang-format off
inline const std::vector<HostileClientAnswer> kHostileClientAnswers = {
    {"Q2",  200, "null",                                  "downloading", "client_garbage"},
    {"Q2",  200, "{}",                                    "downloading", "client_garbage"},
    {"Q2",  200, "<!DOCTYPE html><title>Login</title>",   "downloading", "client_garbage"},
    {"Q2",  200, "",                                      "downloading", "client_garbage"},
    {"Q2",  500, "Internal Server Error",                 "downloading", "client_unreachable"},
    {"Q7",  409, "Conflict",                              "downloading", "client_garbage"},
    {"Q7",  415, "Unsupported",                           "downloading", "client_garbage"},
    {"Q11", 200, entry(R"("state":"error")"),             "failed",      "engine_error"},
    {"Q11", 200, entry(R"("state":"missingFiles")"),      "failed",      "missing_files"},
    {"Q11", 200, entry(R"("state":"allocating")"),        "downloading", ""},
    {"Q11", 200, entry(R"("state":"downloading")"),       "downloading", ""},
    {"Q11", 200, entry(R"("state":"forcedDL")"),          "downloading", ""},
    {"Q11", 200, entry(R"("state":"stalledDL")"),         "downloading", "stalled"},
    {"Q11", 200, entry(R"("state":"metaDL")"),            "downloading", "waiting_for_metadata"},
    {"Q11", 200, entry(R"("state":"forcedMetaDL")"),      "downloading", "waiting_for_metadata"},
    {"Q11", 200, entry(R"("state":"pausedDL")"),          "downloading", "stopped_in_client"},
    {"Q11", 200, entry(R"("state":"stoppedDL")"),         "downloading", "stopped_in_client"},
    {"Q11", 200, entry(R"("state":"queuedDL")"),          "downloading", "queued_in_client"},
    {"Q11", 200, entry(R"("state":"checkingDL")"),        "downloading", "checking_in_client"},
    {"Q11", 200, entry(R"("state":"checkingUP")"),        "downloading", "checking_in_client"},
    {"Q11", 200, entry(R"("state":"checkingResumeData")"),"downloading", "client_restarting"},
    {"Q11", 200, whole_entry(R"("state":"moving")"),      "downloading", "moving_in_client"},
    {"Q11", 200, entry(R"("state":"\u001b[2J")"),         "downloading", "unknown_in_client"},
    {"Q14", 200, entry(R"("state":"stalledUP","progress":0.99999,"size":1000,"amount_left":1)"),
                                                          "downloading", ""},
    {"Q16", 200, entry(R"("state":"stalledUP","size":-1,"amount_left":0)"), "downloading", ""},
    {"Q16", 200, entry(R"("state":"stalledUP","size":0,"amount_left":0)"),  "downloading", ""},
    {"Q16", 200, entry(R"("state":"stalledUP","size":9223372036854775808,"amount_left":0)"),
                                                          "downloading", ""},
    {"Q17", 200, entry(R"("state":"checkingUP","size":1000,"amount_left":370,"progress":0.63)"),
                                                          "downloading", "checking_in_client"},
    {"Q21", 200,
     whole_entry(R"("state":"uploading","save_path":"/d","content_path":"/etc/passwd")"),
                                                          "downloading", "path_refused"},
    {"Q21", 200, whole_entry(R"("state":"uploading","save_path":"/d","content_path":"/")"),
                                                          "downloading", "path_refused"},
    {"Q21", 200, whole_entry(R"("state":"uploading","save_path":"/d","content_path":"")"),
                                                          "downloading", "asset_pending"},
    {"Q21", 200,
     whole_entry(R"("state":"uploading","save_path":"/d","content_path":"/d/../etc/passwd")"),
                                                          "downloading", "path_refused"},
    {"Q21", 200, whole_entry(R"("state":"uploading","save_path":"/","content_path":"/etc/passwd")"),
                                                          "downloading", "path_refused"},
    {"Q21", 200, whole_entry(R"("state":"uploading","save_path":"/d","content_path":"/d/none")"),
                                                          "downloading", "asset_pending"},
    {"Q24", 200, R"([{"hash":"%H","state":"upload)",      "downloading", "client_garbage"},
    {"Q27", 200, entry(R"("state":"downloading","eta":8640000)"), "downloading", ""},
    {"S0-24", 200, entry(R"("state":{"deep":[1]},"tags":7,"size":"x")"),
                                                          "downloading", "unknown_in_client"},
    {"S0-24", 200, R"([null,7,{"hash":"%H","state":"downloading"},[]])", "downloading", ""},
};
// clang-format on

}  // namespace haul::testing
