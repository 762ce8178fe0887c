"""The latest drawings and rendered frames, up to a total length."""

import threading
import time

from backend.recent import Recent


def test_the_values_that_were_used_last_are_kept():
    recent: Recent[str, bytes] = Recent(total=10, longest=10)
    recent.keep("a", b"1234")
    recent.keep("b", b"1234")
    assert recent.get("a") == b"1234"

    recent.keep("c", b"1234")

    assert recent.get("b") is None
    assert recent.get("a") == recent.get("c") == b"1234"


def test_a_value_that_is_too_long_is_not_kept():
    recent: Recent[str, bytes] = Recent(total=100, longest=3)
    recent.keep("a", b"1234")
    recent.keep("b", b"123")
    assert recent.get("a") is None
    assert recent.get("b") == b"123"


def test_the_length_of_a_value_that_was_replaced_no_longer_counts():
    recent: Recent[str, bytes] = Recent(total=10, longest=10)
    for _ in range(5):
        recent.keep("a", b"12345")
    recent.keep("b", b"12345")
    assert recent.get("a") == recent.get("b") == b"12345"


def test_two_threads_keep_no_more_than_the_total():
    class Slow(bytes):
        def __len__(self) -> int:
            time.sleep(0.01)  # the other thread runs meanwhile
            return super().__len__()

    recent: Recent[str, bytes] = Recent(total=10, longest=10)
    both = [threading.Thread(target=recent.keep, args=(key, Slow(b"123456"))) for key in "ab"]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()

    assert [recent.get("a"), recent.get("b")].count(None) == 1
