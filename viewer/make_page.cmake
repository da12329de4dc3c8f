# cmake -D SOURCE=viewer -D OUT=FOLDER -D NODE=... -D NPM=... -P make_page.cmake
# writes OUT/report_page.cpp and OUT/lab_page.cpp. What cannot be had (no network, an old node) leaves a tool without the
# pages, and says so.
file(MAKE_DIRECTORY ${OUT})
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${OUT})
set(failed 0)
if(NOT EXISTS ${OUT}/packages-are-there OR ${OUT}/package-lock.json IS_NEWER_THAN ${OUT}/packages-are-there)
  execute_process(COMMAND ${NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY ${OUT} TIMEOUT 300
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed EQUAL 0)
    file(TOUCH ${OUT}/packages-are-there)
  endif()
endif()
if(failed EQUAL 0)
  execute_process(COMMAND ${NODE} ${SOURCE}/build.mjs --modules ${OUT}/node_modules --out ${OUT} TIMEOUT 120
                  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
endif()
if(NOT failed EQUAL 0)
  file(WRITE ${OUT}/failure.log "${said}")
  message("The tool is built without reports and the laboratory: the pages could not be made (${OUT}/failure.log). "
          "Touch viewer/build.mjs to try again.")
  foreach(name report_page lab_page)
    configure_file(${SOURCE}/no_page.cpp.in ${OUT}/${name}.cpp @ONLY)
    file(TOUCH ${OUT}/${name}.cpp)
  endforeach()
endif()
