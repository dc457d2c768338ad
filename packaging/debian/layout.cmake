# Run by cpack before it packs: the files of the installation where Debian's policy has them.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB roots ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr)
foreach(root IN LISTS roots)
  set(documents ${root}/share/doc/${CPACK_PACKAGE_NAME})
  file(RENAME ${documents}/LICENSE ${documents}/copyright)
  file(APPEND ${documents}/copyright
    "\nThe program playproof contains parts of Nettle (LGPL-3+ or GPL-2+; "
    "https://www.lysator.liu.se/~nisse/nettle/)\nand libevent (3-clause BSD; https://libevent.org/), "
    "as Debian builds them: their sources and licences are those\nof the Debian packages "
    "nettle-dev and libevent-dev. Debian systems have the texts of\nLGPL-3 and GPL-2 in "
    "/usr/share/common-licenses/LGPL-3 and /usr/share/common-licenses/GPL-2.\n")
  # The changelog that dpkg's tools read; what changed is in the other one.
  file(READ ${documents}/CHANGELOG.md changes)
  if(NOT changes MATCHES "\n## \\[${CPACK_PACKAGE_VERSION}\\] - ([0-9-]+)\n")
    message(FATAL_ERROR "CHANGELOG.md has no heading for ${CPACK_PACKAGE_VERSION}")
  endif()
  execute_process(COMMAND date -u -R -d ${CMAKE_MATCH_1} OUTPUT_VARIABLE day
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${documents}/changelog
    "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
    "  * See CHANGELOG.md.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${day}\n")
  file(GLOB pages ${root}/share/man/man1/*.1)
  if(NOT pages)
    message(FATAL_ERROR "no manual pages: build the target playproof_share first")
  endif()
  run(gzip -9n ${documents}/changelog ${documents}/CHANGELOG.md ${pages})
  file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
endforeach()
