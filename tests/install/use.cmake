# Builds and runs the consumer project in this folder: WAY=find_package against a fresh install of
# BUILD, WAY=add_subdirectory against SOURCE. WAY=programs: installs where the programs alone were
# built. Run by `cmake -P`.
cmake_minimum_required(VERSION 3.25)
set(work ${BUILD}/tests/install-${WAY})
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}\nexit status ${status}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

set(made share/man/man1/playproof-solve.1 share/man/man1/playproof-cluster.1
  share/bash-completion/completions/playproof-check
  share/zsh/site-functions/_playproof share/fish/vendor_completions.d/playproof.fish)
function(check_laid_down)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS ${work}/prefix/${file})
      message(FATAL_ERROR "cmake --install did not lay down ${file}")
    endif()
  endforeach()
endfunction()

# Whatever the installed README.md leads to is there.
function(check_links)
  set(folder ${work}/prefix/share/doc/playproof)
  file(READ ${folder}/README.md text)
  # Brackets and semicolons would join and part the items of a list.
  string(REPLACE "](" "@(" text "${text}")
  string(REGEX REPLACE "[][;]" "" text "${text}")
  string(REGEX MATCHALL "@\\([A-Za-z][^):#]*" links "${text}")
  list(LENGTH links count)
  if(count LESS 25)
    message(FATAL_ERROR "README.md has ${count} links")
  endif()
  foreach(link IN LISTS links)
    string(SUBSTRING "${link}" 2 -1 page)
    if(NOT EXISTS ${folder}/${page})
      message(FATAL_ERROR "cmake --install did not lay down ${page}, to which README.md leads")
    endif()
  endforeach()
endfunction()

if(WAY STREQUAL "programs")
  # A build folder that has the two programs and nothing else.
  run(${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
    -DPLAYPROOF_CUDA=off -DPLAYPROOF_TESTS=OFF -S ${SOURCE} -B ${work}/build)
  file(COPY ${BUILD}/playproof ${BUILD}/playproof-check DESTINATION ${work}/build)
  run(${CMAKE_COMMAND} --install ${work}/build --component programs --prefix ${work}/prefix)
  check_laid_down(bin/playproof bin/playproof-check share/playproof/python/playproof_report
    share/playproof/tests/data/hex-openings.txt share/doc/playproof/LICENSE share/doc/playproof/docs/formats.md
    ${made})
  check_links()
  foreach(folder IN ITEMS lib include)
    if(EXISTS ${work}/prefix/${folder})
      message(FATAL_ERROR "the component programs has ${folder}")
    endif()
  endforeach()
  # Programs that are newer than their manual pages: these are made again.
  file(WRITE ${work}/build/share/man/man1/playproof-gone.1 "of a command that is gone")
  run(${CMAKE_COMMAND} -E sleep 0.1)
  file(TOUCH ${work}/build/playproof)
  file(REMOVE_RECURSE ${work}/prefix)
  run(${CMAKE_COMMAND} --install ${work}/build --component programs --prefix ${work}/prefix)
  check_laid_down(${made})
  if(EXISTS ${work}/prefix/share/man/man1/playproof-gone.1)
    message(FATAL_ERROR "the manual pages are older than the programs")
  endif()
  return()
endif()

# By day what is compiled is not optimised, and may come from a cache.
set(quick "")
if(NOT DEFINED ENV{PLAYPROOF_NIGHTLY})
  find_program(ccache ccache)
  list(APPEND quick -DCMAKE_CXX_FLAGS_RELEASE=-O0)
  if(ccache)
    list(APPEND quick -DCMAKE_CXX_COMPILER_LAUNCHER=${ccache})
  endif()
endif()

set(arguments ${quick} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  "-DCMAKE_CXX_FLAGS=${FLAGS}" -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build)
if(WAY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
  check_laid_down(bin/playproof bin/playproof-check include/playproof/host/solve/solver.h
    share/playproof/python/playproof_report share/playproof/bench/papers.toml share/doc/playproof/LICENSE
    ${made})
  run(${CMAKE_COMMAND} -E chdir / ${work}/prefix/bin/playproof version)
  run(${work}/prefix/bin/playproof solve hex:size=3 --algorithm pn --certificate ${work}/proof.cert)
  run(${work}/prefix/bin/playproof-check ${work}/proof.cert --game hex:size=3 --verdict proved)
  run(${work}/prefix/bin/playproof experiment --dry-run --store ${work}/none.db
    ${work}/prefix/share/playproof/bench/plans/table.toml)
  # Nothing of CUDA is asked for, also where the programs were built with it.
  list(APPEND arguments -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
  run(${CMAKE_COMMAND} ${arguments} -DCMAKE_PREFIX_PATH=${work}/prefix)
  run(${CMAKE_COMMAND} --build ${work}/build)
  run(${work}/build/solve_hex)
  if(NOT output MATCHES "hex:size=3: proved")
    message(FATAL_ERROR "solve_hex printed: ${output}")
  endif()
  # A game that is not in the list; who wins: Breuker, Uiterwijk & van den Herik 2000.
  run(${CMAKE_COMMAND} ${quick} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
    "-DCMAKE_CXX_FLAGS=${FLAGS}" -S ${SOURCE}/examples/game -B ${work}/game
    -DCMAKE_PREFIX_PATH=${work}/prefix)
  run(${CMAKE_COMMAND} --build ${work}/game)
  foreach(winner IN ITEMS "4;begins" "5;comes second")
    list(GET winner 0 size)
    list(GET winner 1 who)
    run(${work}/game/domineering ${size})
    if(NOT output MATCHES "${size}x${size}: who ${who} wins.*proof-number search agrees")
      message(FATAL_ERROR "domineering printed: ${output}")
    endif()
  endforeach()
else()
  # Only the lowest floor is compiled, and by day not even that: the point is that the project configures inside
  # another one.
  run(${CMAKE_COMMAND} ${arguments} -DPLAYPROOF_SOURCE=${SOURCE} -DPLAYPROOF_CUDA=off)
  if(quick AND GENERATOR STREQUAL "Ninja")  # with the library that there is
    set(object CMakeFiles/play_hex.dir/play_hex.cpp.o)
    run(${CMAKE_COMMAND} --build ${work}/build --target ${object})
    run(${COMPILER} ${work}/build/${object} ${BUILD}/games/libplayproof_games.a -o ${work}/build/play_hex)
  else()
    run(${CMAKE_COMMAND} --build ${work}/build --target play_hex)
  endif()
  if(EXISTS ${work}/build/playproof/tests OR EXISTS ${work}/build/playproof/src/playproof)
    message(FATAL_ERROR "add_subdirectory() must not bring the tests and programs along")
  endif()
endif()
run(${work}/build/play_hex)
if(NOT output MATCHES "9 first moves")
  message(FATAL_ERROR "play_hex printed: ${output}")
endif()
