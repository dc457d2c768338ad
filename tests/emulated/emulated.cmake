# For kernels/CMakeLists.txt in the preset cuda-emulated: the .cu files are C++ here, with the headers
# of this folder before CUDA's and ours. Changes device_sources.

# For those who build .cu files. Where no sanitizer does, g++ tells memory.h of each access.
function(playproof_emulated_sources)
  set(here ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(options -g1 -iquote${here} -isystem${here}/cuda)
  string(FIND "${CMAKE_CXX_FLAGS}" "-fsanitize=" sanitizer)
  if(sanitizer EQUAL -1)
    list(APPEND options -fsanitize=thread --param=tsan-instrument-func-entry-exit=0)
  endif()
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "${options}")
endfunction()

list(REMOVE_ITEM device_sources ${CMAKE_CURRENT_SOURCE_DIR}/pgame/values.cu)
list(APPEND device_sources ${CMAKE_CURRENT_LIST_DIR}/libraries.cu)
playproof_emulated_sources(${device_sources})
set(playproof_device ${CMAKE_CURRENT_LIST_DIR}/block.cu ${CMAKE_CURRENT_LIST_DIR}/memory.cu
  ${CMAKE_CURRENT_LIST_DIR}/streams.cu)
set_source_files_properties(${playproof_device} PROPERTIES LANGUAGE CXX)
list(APPEND device_sources ${playproof_device})
