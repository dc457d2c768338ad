# A build folder writes down the libraries that the Python module is linked from
# (playproof-libraries.cmake); with PLAYPROOF_LIBRARIES=FOLDER the module takes them from there and
# compiles nothing but itself. They must be of these sources and options, and up to date, which
# `make python` sees to.
set(PLAYPROOF_LIBRARIES "" CACHE PATH
  "Build folder of the same sources, whose libraries the Python module is linked from (empty: compile them)")

if(NOT PLAYPROOF_LIBRARIES)
  if(TARGET playproof_tasks)
    foreach(library IN ITEMS check_core tasks)
      set_target_properties(playproof_${library} PROPERTIES EXPORT_NAME ${library})
    endforeach()
    export(TARGETS playproof_options playproof_reference playproof_games playproof_kernels
      playproof_host playproof_check_core playproof_tasks
      NAMESPACE playproof_built_ FILE ${PROJECT_BINARY_DIR}/playproof-libraries.cmake)
  endif()
  return()
endif()

if(PLAYPROOF_PROGRAMS OR PLAYPROOF_TESTS OR PLAYPROOF_INSTALL)
  message(FATAL_ERROR "PLAYPROOF_LIBRARIES is for the Python module alone: not with PLAYPROOF_PROGRAMS, "
    "PLAYPROOF_TESTS or PLAYPROOF_INSTALL")
endif()
if(NOT EXISTS ${PLAYPROOF_LIBRARIES}/playproof-libraries.cmake)
  message(FATAL_ERROR "PLAYPROOF_LIBRARIES=${PLAYPROOF_LIBRARIES}: there is no "
    "playproof-libraries.cmake; configure that folder with PLAYPROOF_PROGRAMS=ON, and build playproof in it")
endif()
load_cache(${PLAYPROOF_LIBRARIES} READ_WITH_PREFIX built_
  CMAKE_HOME_DIRECTORY CMAKE_BUILD_TYPE CMAKE_CXX_FLAGS PLAYPROOF_ARCH PLAYPROOF_CUDA)
set(built_here_CMAKE_HOME_DIRECTORY ${PROJECT_SOURCE_DIR})
foreach(name IN ITEMS CMAKE_BUILD_TYPE CMAKE_CXX_FLAGS PLAYPROOF_ARCH PLAYPROOF_CUDA)
  set(built_here_${name} "${${name}}")
endforeach()
foreach(name IN ITEMS CMAKE_HOME_DIRECTORY CMAKE_BUILD_TYPE CMAKE_CXX_FLAGS PLAYPROOF_ARCH PLAYPROOF_CUDA)
  if(NOT "${built_${name}}" STREQUAL "${built_here_${name}}")
    message(FATAL_ERROR "PLAYPROOF_LIBRARIES=${PLAYPROOF_LIBRARIES}: ${name} is '${built_${name}}' there and "
      "'${built_here_${name}}' here: make them the same, or leave PLAYPROOF_LIBRARIES empty")
  endif()
endforeach()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(tomlplusplus REQUIRED)
if(PLAYPROOF_HAVE_CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
include(${PLAYPROOF_LIBRARIES}/playproof-libraries.cmake)
add_library(playproof_tasks ALIAS playproof_built_tasks)
