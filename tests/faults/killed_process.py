"""A program that is started to be killed, with all that it starts, at a random moment."""
import os
import resource
import select
import signal
import statistics
import subprocess
import tempfile
import time

DEADLINE_SECONDS = 120
# What crashes on purpose leaves no core file.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class KilledProcess:
    """Leads a process group of its own. Its outputs go to files, which a kill does not empty."""

    def __init__(self, words, directory, environment=None):
        self.words = words
        self.outputs = [tempfile.TemporaryFile(dir=directory) for _ in range(2)]
        self.begun = time.monotonic()
        self.process = subprocess.Popen(words, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=self.outputs[0],
                                        stderr=self.outputs[1], start_new_session=True)
        self.descriptor = os.pidfd_open(self.process.pid)

    def wait(self, seconds):
        """Whether it has ended, as soon as it has, or after this time. It is not reaped, so that its group is still its own."""
        return bool(select.select([self.descriptor], [], [], max(0, seconds))[0])

    def kill_after(self, seconds):
        """Kills it after this time (None: not at all) unless it ends before, and waits for its end. Returns whether the kill came in time."""
        if not self.wait(DEADLINE_SECONDS if seconds is None else seconds):
            return self.kill()
        self.end()
        return False

    def kill(self):
        """Whether the kill came in time: the program had not ended."""
        os.killpg(self.process.pid, signal.SIGKILL)
        return self.end() == -signal.SIGKILL

    def end(self):
        """Its exit code, when it has ended or has been killed. self.output and self.complaints are what it wrote, self.seconds how long it took."""
        code = self.process.wait(DEADLINE_SECONDS)
        self.seconds = time.monotonic() - self.begun
        os.close(self.descriptor)
        texts = []
        for file in self.outputs:
            file.seek(0)
            texts.append(file.read().decode())
            file.close()
        self.output, self.complaints = texts
        return code


class Durations:
    """How long the programs of a kind take that nobody kills, so that kills fall into all of that time and seldom after it."""

    def __init__(self, first=None):
        self.seen = [first] if first else []

    def note(self, seconds):
        self.seen = [*self.seen, seconds][-9:]

    def draw(self, random):
        return random.uniform(0, statistics.median(self.seen))
