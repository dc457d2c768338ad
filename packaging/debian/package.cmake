# The Debian package, made by `make deb` (cpack): the component `programs`, under /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${PLAYPROOF_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "solver for two-player games with checked proofs")
set(CPACK_PACKAGE_DESCRIPTION
"Finds out who wins a position of Hex, Othello, Connect6, Nim or a random game
tree. Random games tell the search where to look; a verdict rests on the rules
alone, and playproof-check accepts its certificate without any code of the
solver. Runs experiments of papers and says whether their claims reproduce.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL programs)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/layout.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What `playproof report` needs.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "python3, python3-numpy, python3-scipy, python3-pandas, python3-matplotlib, python3-jinja2")
include(CPack)
