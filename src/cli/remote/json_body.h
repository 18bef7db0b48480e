#pragma once
// Builds the JSON body of a request; leaves out fields without a value.

#include <string>
#include <string_view>

namespace haul::cli {

class JsonBody {
 public:
  JsonBody& text(std::string_view name, const std::string& value);
  JsonBody& json(std::string_view name, const std::string& value);
  std::string str() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

}  // namespace haul::cli
