"""Work on several experiments at a time, each in a process of its own."""

import multiprocessing
import multiprocessing.connection
import os
import signal
import traceback

from .errors import INTERNAL, ReportError


def each(function, items):
    """[function(item), ...], as many at a time as there are cores.

    Raises ReportError: the first that was raised by the function, or INTERNAL if a process ended
    without an answer.
    """
    context = multiprocessing.get_context("fork")  # what was read before is there
    answers, running = {}, {}
    waiting = list(enumerate(items))
    try:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                _start(context, function, waiting.pop(0), running)
            for pipe in multiprocessing.connection.wait(list(running)):
                index, process = running.pop(pipe)
                answers[index] = _answer(pipe, process)
    finally:
        for _, process in running.values():
            process.terminate()
            process.join()
    return [answers[index] for index in range(len(answers))]


def _start(context, function, numbered, running):
    index, item = numbered
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(function, item, sender))
    process.start()
    sender.close()
    running[receiver] = (index, process)


def _work(function, item, sender):
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent says what is to be said
    try:
        sender.send((None, function(item)))
    except ReportError as error:
        sender.send(((error.status, str(error)), None))
    except Exception:
        sender.send(((INTERNAL, f"report: internal error\n{traceback.format_exc()}"), None))


def _answer(pipe, process):
    try:
        error, answer = pipe.recv()
    except EOFError:
        process.join()
        raise ReportError(INTERNAL, f"report: a process ended with status {process.exitcode} before "
                                    "its page was made (out of memory?)") from None
    process.join()
    if error:
        raise ReportError(*error)
    return answer
