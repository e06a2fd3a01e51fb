import sys

import pytest

from evalkit.outside.wire import Begun, Hello, Worker, WorkerTimeout
from runtime.contract import CancelToken, Deadline, InfrastructureError

ECHO = "import sys\nfor line in sys.stdin.buffer:\n    sys.stdout.buffer.write(ANSWER)\n    sys.stdout.buffer.flush()"


@pytest.fixture
def start():
    workers = []

    def begin(program):
        workers.append(Worker([sys.executable, "-S", "-c", program]))
        return workers[-1]

    yield begin
    for worker in workers:
        worker.close()


def answering(line):
    return ECHO.replace("ANSWER", repr(line))


def test_the_first_line_is_a_hello(start):
    worker = start("""print('{"package": "p", "version": "1.2"}')""")
    assert worker.hello(Deadline(60)) == Hello(package="p", version="1.2")


def test_queued_requests_are_answered_in_their_order(start):
    worker = start(answering(b'{"begun": true}\n'))
    worker.queue(Begun, "begin")
    worker.queue(Begun, "begin")
    assert worker.collect(Deadline(60)) == [Begun(begun=True)] * 2
    assert worker.collect(Deadline(60)) == []
    assert worker.ask(Begun, Deadline(60), "begin").begun


def test_more_than_a_pipe_holds_goes_both_ways(start):
    worker = start(answering(b'{"package": "' + b"x" * 50_000 + b'"}\n'))
    for _ in range(20):
        worker.queue(Hello, "hello", filling="y" * 50_000)
    assert [len(one.package) for one in worker.collect(Deadline(60))] == [50_000] * 20


def test_a_fault_is_an_infrastructure_error_and_the_next_request_is_answered(start):
    worker = start("import sys\nprint('{\"fault\": \"KeyError: 3\"}', flush=True)\nfor line in sys.stdin:\n"
                   "    print('{\"begun\": true}', flush=True)")  # fmt: skip
    with pytest.raises(InfrastructureError, match="The toolkit's worker failed: KeyError: 3"):
        worker.hello(Deadline(60))
    assert worker.ask(Begun, Deadline(60), "begin").begun


def test_an_answer_that_fits_no_record_is_an_infrastructure_error(start):
    worker = start(answering(b'{"begun": true, "also": 1}\n'))
    with pytest.raises(InfrastructureError, match=r'answered no `Begun`: \{"begun": true, "also": 1\}'):
        worker.ask(Begun, Deadline(60), "begin")


def test_a_worker_that_dies_is_named_with_its_last_word(start):
    worker = start("import sys\nsys.stdin.readline()\nsys.exit('out of cheese')")
    with pytest.raises(InfrastructureError, match=r"The toolkit's worker ended with code 1: out of cheese\."):
        worker.ask(Begun, Deadline(60), "begin")
    with pytest.raises(InfrastructureError, match="ended with code 1"):
        worker.ask(Begun, Deadline(60), "begin")


def test_a_deadline_ends_the_worker(start):
    worker = start("import sys\nsys.stdin.readline()\nsys.stdin.readline()")
    with pytest.raises(WorkerTimeout, match="did not answer by the deadline"):
        worker.ask(Begun, Deadline(0.1), "begin")


def test_a_cancelled_token_ends_the_worker(start):
    worker, cancel = start("import sys\nsys.stdin.readline()\nsys.stdin.readline()"), CancelToken()
    cancel.cancel()
    with pytest.raises(WorkerTimeout):
        worker.ask(Begun, Deadline(None, cancel), "begin")
