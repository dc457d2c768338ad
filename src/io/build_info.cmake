# Writes build_info.cpp (OUTPUT), only if it changes: the revision is that of the sources being
# built, not of the last configuration. Run by `cmake -P` with the variables named below.
set(REVISION unknown)
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=12
    OUTPUT_VARIABLE described RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(REVISION ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "src/io/build_info.h"

namespace playproof {

const char* const kVersion = "@VERSION@";
const char* const kGitRevision = "@REVISION@";
const char* const kSourceFolder = R"(@SOURCE@)";
const char* const kCompiler = "@COMPILER@";
const char* const kBuildType = "@BUILD_TYPE@";
const bool kCuda = @CUDA@;
const char* const kCudaArchitectures = "@CUDA_ARCHITECTURES@";

}  // namespace playproof
]])
