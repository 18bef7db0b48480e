#pragma once
// What every route takes and answers, in the notation of schema.h. The OpenAPI document and the
// API's page come from it; a test compares it with the routes and with what haul really answers.

#include <span>
#include <string_view>

namespace haul::api {

struct Operation {
  std::string_view route{};  // "GET /api/v1/jobs"
  std::string_view id{};     // The name of the function in a generated client.
  std::string_view tag{};
  std::string_view query{};    // Members.
  std::string_view headers{};  // Members.
  std::string_view body{};     // A type, with ? if it may be left out; empty: no body but {}.
  // "200:Job 202:Job". After the colon: types or media types between commas, or nothing.
  std::string_view answers;
  std::string_view errors{};  // "409 422", besides those that follow from the rest.
};

std::span<const Operation> operations();
const Operation* find_operation(std::string_view method, std::string_view pattern);

struct OperationTag {
  std::string_view name;
  std::string_view about;
};
std::span<const OperationTag> operation_tags();

}  // namespace haul::api
