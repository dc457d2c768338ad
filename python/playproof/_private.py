"""What other users of this machine must not reach: where a cluster of this process keeps its files, and
what proves to its processes that they are of one cluster."""

import contextlib
import fcntl
import os
import shutil
import stat
import sys
import tempfile

from .errors import OutputError, UnavailableError, UsageError

PREFIX = "playproof-cluster-"
LOCK = "lock"  # held as long as the process is there that made the folder

_made = []  # folders of this process that are there


@contextlib.contextmanager
def folder():
    """A folder of mode 0700, for as long as the context lasts. Temporary files of this process, and of those
    that it starts, go there; and processes that it starts look for modules in no folder but those of this
    one. Removes what killed processes of this user left. Raises OutputError, UsageError."""
    base = None
    with contextlib.ExitStack() as stack:
        _check_working_folder()
        try:
            base = tempfile.gettempdir()
            _check_base(base)
            _remove_left_behind(base)
            path = tempfile.mkdtemp(prefix=PREFIX, dir=base)
            _made.append(path)
            stack.callback(_remove, path)
            _check_own(path)
            _lock(path, stack)
        except OSError as error:
            if isinstance(error, OutputError):
                raise
            raise OutputError(f"{base or 'TMPDIR'}: cannot make a folder there: {error.strerror}") from None
        # Python would look for multiprocessing where it was started, before its own library.
        stack.enter_context(_environment(TMPDIR=path, PYTHONSAFEPATH="1"))
        yield path


def remove_all():
    """What folder() has made: for a process that is about to end without leaving its contexts."""
    for path in list(_made):
        _remove(path)


def _remove(path):
    for _ in range(3):  # a worker may have made a file meanwhile
        shutil.rmtree(path, ignore_errors=True)
    with contextlib.suppress(ValueError):
        _made.remove(path)


def _check_base(base):
    """In a folder without the sticky bit everybody may exchange the folders of others."""
    mode = os.stat(base).st_mode
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise UsageError(f"{base}: every user may rename what others have in this folder for temporary files; "
                         "it needs the sticky bit (chmod +t), or TMPDIR must name a folder of your own")


def _check_own(path):
    found = os.lstat(path)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise OutputError(f"{path}: made as a folder of this user alone (0700), and is not")


def _check_working_folder():
    """Python 3.10 knows no PYTHONSAFEPATH."""
    if sys.version_info >= (3, 11):
        return
    found = os.stat(".")
    if found.st_mode & stat.S_IWOTH or found.st_uid not in (0, os.geteuid()):
        raise UsageError(f"{os.getcwd()}: others may put modules of Python here: start it in a folder of your own, "
                         "or with Python 3.11")


def _lock(path, stack):
    """Under its name once it is held, so that nobody finds it free before."""
    new = os.path.join(path, LOCK + ".new")
    descriptor = os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600)
    stack.callback(os.close, descriptor)
    with contextlib.suppress(OSError):  # a file system without locks: then nobody removes it later
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.rename(new, os.path.join(path, LOCK))


def _remove_left_behind(base):
    names = []
    with contextlib.suppress(OSError):
        names = [name for name in os.listdir(base) if name.startswith(PREFIX)]
    for name in names:
        path = os.path.join(base, name)
        with contextlib.suppress(OSError):
            _check_own(path)
            descriptor = os.open(os.path.join(path, LOCK), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(descriptor)


@contextlib.contextmanager
def _environment(**values):
    before = {name: os.environ.get(name) for name in values}
    temporary, tempfile.tempdir = tempfile.tempdir, None
    os.environ.update(values)
    try:
        yield
    finally:
        tempfile.tempdir = temporary
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def one_time_security():
    """Certificates for this process and those that it starts. Keys are held in memory and handed on through
    pipes: they are on no command line, in no environment and in no file that stays. Raises
    UnavailableError without `cryptography`."""
    from distributed import Security

    try:
        return Security.temporary()
    except ImportError:
        raise UnavailableError("the package cryptography is missing, which makes the certificates of a cluster: "
                               "pip install cryptography") from None
