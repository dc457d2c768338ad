# The libraries under their public names (the same for add_subdirectory and find_package users), and
# what `cmake --install` lays down:
#   bin/                      programs
#   lib/                      static libraries, with CUDA its runtime too; lib/cmake/playproof the
#                             package files
#   include/playproof/        the public headers
#   share/playproof/          python/ (reports), bench/plans/ (experiments), bench/papers.toml (what
#                             papers report), tests/data/ (positions; plans name them by their
#                             place relative to the plan)
#   share/doc/playproof/      README.md and what it leads to: docs/ and the pages beside other things,
#                             each in its place, so that links lead there
#   share/man, bash-completion, zsh, fish    what packaging/ makes of the programs' help (its own rules)
# The component `development` is for those who link the libraries, `programs` all the rest.

set(playproof_libraries options)
foreach(library IN ITEMS games reference kernels host)
  if(TARGET playproof_${library})
    list(APPEND playproof_libraries ${library})
  endif()
endforeach()
foreach(library IN LISTS playproof_libraries)
  add_library(playproof::${library} ALIAS playproof_${library})
  set_target_properties(playproof_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
if(NOT PLAYPROOF_INSTALL)
  return()
endif()

# Installed headers are included as "host/solve/solver.h" or as <playproof/host/solve/solver.h>.
target_include_directories(playproof_options INTERFACE $<INSTALL_INTERFACE:include>)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(playproof_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/playproof)

# A static library hands its own dependencies on to whoever links it: find them in the package file.
set(playproof_packages "")
foreach(library IN LISTS playproof_libraries)
  install(TARGETS playproof_${library} EXPORT playproof-targets COMPONENT development)
  get_target_property(links playproof_${library} LINK_LIBRARIES)
  foreach(link IN LISTS links)
    if(link MATCHES "^\\$<BUILD_INTERFACE:")
      continue()
    endif()
    if(link MATCHES "^(\\$<[A-Z_]+:)?([A-Za-z0-9_]+)::" AND NOT CMAKE_MATCH_2 STREQUAL "playproof")
      list(APPEND playproof_packages ${CMAKE_MATCH_2})
    endif()
  endforeach()
endforeach()
# With CUDA its static runtime is laid down beside the libraries, as playproof::cudart.
set(PLAYPROOF_CUDART ${CMAKE_INSTALL_LIBDIR}/libplayproof_cudart.a)
if(PLAYPROOF_HAVE_CUDA)
  find_package(CUDAToolkit REQUIRED)
  get_target_property(cudart CUDA::cudart_static IMPORTED_LOCATION)
  file(REAL_PATH ${cudart} cudart)
  install(FILES ${cudart} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME libplayproof_cudart.a
    COMPONENT development)
  list(APPEND playproof_packages Threads)
endif()
list(REMOVE_DUPLICATES playproof_packages)
list(TRANSFORM playproof_packages REPLACE "(.+)" "find_dependency(\\1)")
list(JOIN playproof_packages "\n" PLAYPROOF_FIND_DEPENDENCIES)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/playproof-config.cmake.in
  ${PROJECT_BINARY_DIR}/playproof-config.cmake INSTALL_DESTINATION ${playproof_package_dir}
  PATH_VARS PLAYPROOF_CUDART)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/playproof-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/playproof-config.cmake
  ${PROJECT_BINARY_DIR}/playproof-config-version.cmake DESTINATION ${playproof_package_dir}
  COMPONENT development)
install(EXPORT playproof-targets NAMESPACE playproof:: DESTINATION ${playproof_package_dir}
  COMPONENT development)

foreach(folder IN ITEMS games kernels host)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/playproof
    COMPONENT development FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
endforeach()
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME programs)
foreach(program IN ITEMS playproof playproof-check)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
  endif()
endforeach()
install(DIRECTORY python DESTINATION ${CMAKE_INSTALL_DATADIR}/playproof
  PATTERN "python/playproof" EXCLUDE PATTERN "__pycache__" EXCLUDE PATTERN "*.pyc" EXCLUDE)
install(DIRECTORY bench/plans DESTINATION ${CMAKE_INSTALL_DATADIR}/playproof/bench)
install(FILES bench/papers.toml DESTINATION ${CMAKE_INSTALL_DATADIR}/playproof/bench)
install(DIRECTORY tests/data DESTINATION ${CMAKE_INSTALL_DATADIR}/playproof/tests)
set(playproof_doc_dir ${CMAKE_INSTALL_DATADIR}/doc/playproof)
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${playproof_doc_dir})
install(DIRECTORY docs DESTINATION ${playproof_doc_dir} FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
install(DIRECTORY examples DESTINATION ${playproof_doc_dir} PATTERN "__pycache__" EXCLUDE)
foreach(page IN ITEMS games/PLAYOUTS.md bench/README.md bench/plans/README.md bench/results/README.md
    tests/data/connect6-vcdt-win.txt)
  cmake_path(GET page PARENT_PATH folder)
  install(FILES ${page} DESTINATION ${playproof_doc_dir}/${folder})
endforeach()
