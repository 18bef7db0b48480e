#pragma once
// A ComfyUI workflow in API format, with placeholders. {{prompt}} stands for the prompt, {{name}}
// for the parameter of that name, and {{name=7}} has a default. A text that is only a placeholder
// becomes the parameter's own value, so that "{{seed}}" can become a number. Pure.

#include <string>
#include <string_view>

#include "base/fault.h"
#include "engine/imageapi/image_request.h"

namespace haul::imageapi {

// Fault `bad_workflow` (environment) if the text is no workflow in API format, or it has no
// {{prompt}}. The detail completes a sentence about the file: "is no JSON object".
[[nodiscard]] Result<void> check_graph(std::string_view workflow);

// The graph of one call. A seed that the parameters do not give is made of the call's id: ComfyUI
// does nothing for a graph that it has drawn before. Refuses a parameter that has no placeholder,
// and a placeholder that has neither a parameter nor a default.
ParamResult<std::string> fill_graph(std::string_view workflow, const ImageRequest& wanted);

}  // namespace haul::imageapi
