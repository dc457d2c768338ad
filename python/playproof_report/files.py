"""Files that appear whole or not at all, as those of the program do (src/io/atomic_file.h): written
without a name where the file system can do that, links followed, modes kept. Pipes and devices take
all of it at once."""

import contextlib
import errno
import fcntl
import os
import secrets
import stat

from .errors import OUTPUT, ReportError

LEFT = ".playproof-"  # and some letters: what has to have a name for a time
LETTERS = "0123456789abcdef"
COUNT = 16
LONGEST = 255  # bytes of a name


def cannot_write(path, error):
    return ReportError(OUTPUT, f"{path}: cannot write: {error.strerror or error}")


def check_place(path):
    """Is it known already that the file cannot be written?"""
    try:
        if not is_stream(path):
            folder = os.path.dirname(place_of(path))
            os.stat(os.path.join(folder, ""))
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise cannot_write(path, error) from error


def write_whole(path, content):
    """content: bytes, or a text, which becomes UTF-8."""
    content = content.encode() if isinstance(content, str) else content
    try:
        if is_stream(path):
            write_stream(path, content)
        else:
            write_file(place_of(path), content)
    except OSError as error:
        raise cannot_write(path, error) from error


def is_stream(path):
    """A pipe or a device, where there is nothing to replace? OSError if nothing can be written."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return True
    if not stat.S_ISREG(mode):
        raise OSError("it is not a regular file")
    return False


def place_of(path):
    """Where links lead in the end, also if nothing is there."""
    path = os.path.abspath(path)
    for _ in range(40):  # as the kernel follows
        if not os.path.islink(path):
            return path
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def write_stream(path, content):
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY)
    try:
        write_all(descriptor, content)
    finally:
        os.close(descriptor)


def write_all(descriptor, content):
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view):]


def write_file(place, content):
    folder = os.path.dirname(place)
    stem = os.path.join(folder, os.fsdecode(
        os.fsencode(os.path.basename(place))[:LONGEST - len(LEFT) - COUNT])) + LEFT
    remove_left_behind(stem)
    directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    name, descriptor = None, -1
    try:
        name, descriptor = create(folder, stem, mode_at(place))
        write_all(descriptor, content)
        keep_mode(descriptor, place)
        os.fsync(descriptor)
        if name is None and not link(descriptor, directory, place):
            name = new_name(stem)
            if not link(descriptor, directory, name):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        if name is not None:
            os.replace(name, place)
            name = None
        os.fsync(directory)
    finally:
        if name is not None:
            with contextlib.suppress(OSError):
                os.unlink(name)
        if descriptor >= 0:
            os.close(descriptor)
        os.close(directory)


def mode_at(place):
    """What is created is not more open than the file that it replaces."""
    try:
        return stat.S_IMODE(os.stat(place).st_mode) & 0o777
    except FileNotFoundError:
        return 0o666


def create(folder, stem, mode):
    """(name, descriptor); the name is None where none is needed."""
    if os.path.isdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR, mode)
            lock(descriptor)
            return None, descriptor
    while True:
        name = new_name(stem)
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        # Before it is locked another program may take it for one that was left behind.
        if lock(descriptor) and os.path.exists(name):
            return name, descriptor
        os.close(descriptor)


def lock(descriptor):
    """False if another program holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def new_name(stem):
    return stem + "".join(secrets.choice(LETTERS) for _ in range(COUNT))


def link(descriptor, directory, name):
    """Gives a file without a name this one; False if there is a file of that name."""
    try:
        # With a folder, links are followed.
        os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=directory, follow_symlinks=True)
        return True
    except FileExistsError:
        return False


def keep_mode(descriptor, place):
    """Who may read what is replaced may read this, and nobody else."""
    try:
        there = os.stat(place)
    except FileNotFoundError:
        return
    own, mode = os.fstat(descriptor), stat.S_IMODE(there.st_mode) & 0o777
    if own.st_uid != there.st_uid:
        with contextlib.suppress(OSError):  # only root may
            os.fchown(descriptor, there.st_uid, -1)
    if own.st_gid != there.st_gid:
        try:
            os.fchown(descriptor, -1, there.st_gid)
        except OSError:
            mode &= ~0o070 | (mode & 0o007) << 3  # another group may do what all others may
    os.fchmod(descriptor, mode)


def remove_left_behind(stem):
    """What killed programs have left: nobody holds its lock."""
    folder, begin = os.path.split(stem)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            letters = entry.name[len(begin):]
            if entry.name.startswith(begin) and len(letters) == COUNT and set(letters) <= set(LETTERS):
                with contextlib.suppress(OSError):
                    remove_if_left(entry.path)


def remove_if_left(name):
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(status, os.lstat(name)):
            os.unlink(name)
    finally:
        os.close(descriptor)
