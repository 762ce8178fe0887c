"""The part of Java's output that is printed to the terminal."""

import io
import os
import subprocess

from analytics.spark import JavaOutput


def test_warnings_reach_the_terminal_once_spark_has_started() -> None:
    terminal = io.StringIO()
    java = JavaOutput(terminal)
    with java.collecting():
        process = subprocess.Popen(
            ["sh", "-c", 'echo "26/03/01 12:00:00 WARN Utils: a greeting" >&2; read go; cat >&2'],
            stdin=subprocess.PIPE, text=True,
        )  # fmt: skip

    process.communicate(
        "go\n"
        "26/03/01 12:00:01 INFO SparkContext: not interesting\n"
        "26/03/01 12:00:02 WARN TaskSchedulerImpl: Initial job has not accepted any resources\n"
        "26/03/01 12:00:03 ERROR Executor: Exception in task 0.0\n"
        "\tat java.lang.Thread.run\n"
    )

    java.said_at_start()
    assert [line for line in terminal.getvalue().splitlines() if "greeting" not in line] == [
        "Spark: WARN TaskSchedulerImpl: Initial job has not accepted any resources",
        "Spark: ERROR Executor: Exception in task 0.0",
    ]


def test_output_of_java_before_the_start_is_kept_for_the_error_message() -> None:
    java = JavaOutput(io.StringIO())

    with java.collecting():
        subprocess.run(["sh", "-c", "echo no such master >&2"], check=True)
        process = subprocess.Popen(["sleep", "0"])
        process.wait()

    assert "no such master\n" in java.said_at_start()


def test_all_output_before_the_start_is_kept_however_late_it_is_read() -> None:
    java = JavaOutput(io.StringIO())

    with java.collecting():
        os.write(2, b"no such master\n" * 4000)

    assert java.said_at_start().count("no such master\n") == 4000


def test_while_spark_stops_only_errors_are_printed() -> None:
    terminal = io.StringIO()
    java = JavaOutput(terminal)
    with java.collecting():
        process = subprocess.Popen(
            [
                "sh", "-c", "read go; echo '26/03/01 12:00:02 WARN Memory: full' >&2; echo said;"
                " read go; echo '26/03/01 12:00:03 WARN Dispatcher: Message dropped' >&2;"
                " echo '26/03/01 12:00:03 ERROR EventLog: no space' >&2",
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdout.readline()

    java.stops()
    process.communicate("go\n")

    java.said_at_start()
    assert terminal.getvalue().splitlines() == [
        "Spark: WARN Memory: full",
        "Spark: ERROR EventLog: no space",
    ]
