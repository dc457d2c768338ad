# How searches are optimised: they follow pointers and call small functions, so the inlining of -O3 is what
# they need of it, and loops over a few words are unrolled. That takes a tenth to a quarter less than -O3.
set(playproof_search_flags $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:
  -O1 -finline-functions -finline-small-functions -findirect-inlining -fpartial-inlining
  --param=max-inline-insns-auto=30 --param=max-inline-insns-single=200 --param=early-inlining-insns=14
  --param=inline-min-speedup=15 -fpeel-loops -ftree-vrp -fstrict-aliasing -foptimize-sibling-calls -fschedule-insns2
  -fpeephole2 -fcaller-saves -freorder-functions -falign-functions -falign-loops -falign-jumps
  -Wno-restrict>)  # GCC 12 finds one in `std::string + char` that is none (its bug 105651)

# Most of what a short unit takes is reading headers. With PLAYPROOF_UNITY the units of a folder are read as
# one, in a file that includes them; names in unnamed namespaces are then seen by the whole folder.
# Replaces the .cpp files in the list `result` by one for each folder, and those that are configured here by
# one. ALONE: a regular expression of those that stay as they are: what is hot, or long, or has options of
# its own.
function(playproof_together result)
  cmake_parse_arguments(PARSE_ARGV 1 units "" "ALONE" "")
  if(NOT PLAYPROOF_UNITY)
    return()
  endif()
  set(kept "")
  set(folders "")
  foreach(source IN LISTS ${result})
    cmake_path(GET source PARENT_PATH path)
    if(NOT source MATCHES "[.]cpp$" OR (units_ALONE AND source MATCHES "${units_ALONE}"))
      list(APPEND kept ${source})
      continue()
    elseif(path STREQUAL CMAKE_CURRENT_BINARY_DIR)
      cmake_path(GET source FILENAME name)
      set(folder made)
    else()
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
      cmake_path(GET name PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER ${folder} folder)
    endif()
    list(APPEND folders ${folder})
    string(APPEND text_${folder} "#include \"${name}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${folder}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_${folder}}" @ONLY)
    list(APPEND kept ${file})
  endforeach()
  set(${result} ${kept} PARENT_SCOPE)
endfunction()
