#!/bin/sh
# The launcher of nvcc in a build with tests (kernels/CMakeLists.txt): runs the command it is given. What ptxas -v
# says of registers, stack and spills goes into a text beside the object, OBJECT.txt; all else is said as ever.
object=
before=
for word; do
  [ "$before" != -o ] || object=$word
  before=$word
done
[ -n "$object" ] || exec "$@"
said=$object.txt
rm -f "$said"
"$@" 2>"$said.part"
status=$?
grep -Ev '^ptxas info  |^ +[0-9]+ bytes stack frame, ' "$said.part" >&2
if [ $status = 0 ]; then mv "$said.part" "$said"; else rm -f "$said.part"; fi
exit $status
