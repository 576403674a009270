"""A program's metric that does what its first argument says."""
import os
import signal
import sys
import time

fault = sys.argv[1]
if fault == "no greeting":
    print("hello", flush=True)
    time.sleep(1000)
if fault == "silent":
    time.sleep(1000)
if fault == "gone":
    sys.exit(3)
pairs = 0
for line in sys.stdin:
    word = line.split(" ", 1)[0]
    if word == "oscope-metric":
        print("oscope-metric 1", flush=True)
    if word != "pair":
        continue
    pairs += 1
    if fault == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif fault == "hang":
        time.sleep(1000)
    elif fault == "exit later" and pairs == 3:
        sys.exit(4)
    elif fault == "not a number":
        print("near", flush=True)
    elif fault == "fraction":
        print("0.5", flush=True)
    elif fault == "negative":
        print("-1", flush=True)
    elif fault == "empty":
        print("", flush=True)
    elif fault == "huge":
        print("9223372036854775808", flush=True)
    elif fault == "endless line":
        while True:
            sys.stdout.write("1" * 65536)
    elif fault == "endless lines":
        while True:
            sys.stdout.write("1\n" * 65536)
    elif fault == "twice":
        print("1\n1", flush=True)
    elif fault == "error":
        print("error the model is not trained", flush=True)
    elif fault == "closed":
        os.close(1)
        time.sleep(1000)
    elif fault == "child":
        if os.fork() == 0:
            time.sleep(1000)
        time.sleep(1000)
    else:
        print(pairs, flush=True)
