# How every translation unit is compiled. What must not leak into a project that adds this one with
# add_subdirectory() is behind PROJECT_IS_TOP_LEVEL.

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(PLAYPROOF_CCACHE ccache)
  if(PLAYPROOF_CCACHE)
    foreach(language IN ITEMS CXX CUDA)
      if(NOT CMAKE_${language}_COMPILER_LAUNCHER)
        set(CMAKE_${language}_COMPILER_LAUNCHER ${PLAYPROOF_CCACHE})
      endif()
    endforeach()
  endif()
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# The lowest instruction set that a build still runs on: SSE4.2 and POPCNT, every x86-64 of the last
# fifteen years. Faster code paths are chosen at run time, so one binary serves all machines.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(playproof_default_arch "x86-64-v2")
else()
  set(playproof_default_arch "")
endif()
set(PLAYPROOF_ARCH "${playproof_default_arch}" CACHE STRING
  "Value of -march (empty: the compiler's own default; 'native' ties the build to this machine)")

# One interface target carries what every translation unit needs: include root, warnings, and IEEE
# arithmetic without contraction, so that counts do not depend on the instruction set. Warnings and
# -march stay here: whoever links the installed libraries keeps their own. (g++ does not know the
# device compiler's "#pragma unroll" in headers that both read.)
add_library(playproof_options INTERFACE)
target_include_directories(playproof_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/playproof>)
target_compile_features(playproof_options INTERFACE cxx_std_20)
set(playproof_flags -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wno-unknown-pragmas
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>  # KB; 7 % of the time of large units
  -ffp-contract=off $<$<BOOL:${PLAYPROOF_ARCH}>:-march=${PLAYPROOF_ARCH}>)
target_compile_options(playproof_options INTERFACE
  $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${playproof_flags}>>)

# CUDA is optional. PLAYPROOF_HAVE_CUDA tells the folders whether the language is enabled,
# PLAYPROOF_EMULATED that tests/emulated stands in for CUDA and a device.
string(TOLOWER "${PLAYPROOF_CUDA}" playproof_cuda)
if(NOT playproof_cuda MATCHES "^(auto|on|off|emulated)$")
  message(FATAL_ERROR "PLAYPROOF_CUDA must be auto, on, off or emulated, not '${PLAYPROOF_CUDA}'")
endif()
set(PLAYPROOF_HAVE_CUDA OFF)
set(PLAYPROOF_EMULATED OFF)
if(playproof_cuda STREQUAL "emulated")
  set(PLAYPROOF_EMULATED ON)
elseif(NOT playproof_cuda STREQUAL "off")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # "native" is an error on a machine without a GPU; PTX of the last one serves newer devices.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES "80-real;90" CACHE STRING "CUDA architectures")
    endif()
    enable_language(CUDA)
    set(PLAYPROOF_HAVE_CUDA ON)
  elseif(playproof_cuda STREQUAL "on")
    message(FATAL_ERROR "PLAYPROOF_CUDA=on, but no CUDA compiler was found: put nvcc on PATH, set "
      "CUDACXX, or configure with PLAYPROOF_CUDA=off")
  endif()
endif()
message(STATUS "playproof: CUDA ${PLAYPROOF_HAVE_CUDA} (PLAYPROOF_CUDA=${PLAYPROOF_CUDA})")

# The Python that draws reports and runs the scripted tests: the first one that has the libraries
# (another python3 may stand before the system's on PATH), else any; then it is looked for again when
# the libraries may have come.
if(NOT PLAYPROOF_PYTHON)
  find_program(playproof_path_python python3)
  foreach(candidate IN ITEMS ${playproof_path_python} /usr/bin/python3 /usr/local/bin/python3)
    execute_process(COMMAND ${candidate} -c "import numpy, scipy, pandas, matplotlib, jinja2"
      RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(result EQUAL 0)
      set(PLAYPROOF_PYTHON "${candidate}" CACHE FILEPATH "Python 3 for reports and scripted tests \
(reports need numpy, scipy, pandas, matplotlib, jinja2)")
      break()
    endif()
  endforeach()
  if(NOT PLAYPROOF_PYTHON)
    set(PLAYPROOF_PYTHON ${playproof_path_python})
  endif()
endif()
