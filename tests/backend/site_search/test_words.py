"""How texts become words."""

from backend.site_search.words import pieces, tokens, without_humps


def test_chinese_is_indexed_in_pairs_and_latin_in_words() -> None:
    assert tokens("Broker 的高水位 HW") == ["broker", "的高", "高水", "水位", "hw"]
    assert tokens("宕") == ["宕"]


def test_signs_and_full_width_letters_make_no_difference() -> None:
    assert pieces("ＨＷ＝min.insync.replicas") == ["hw", "min", "insync", "replicas"]


def test_minus_one_is_a_word_and_a_hyphen_is_not() -> None:
    assert pieces("acks=-1, Leader: -1") == ["acks", "minus1", "leader", "minus1"]
    assert pieces("KIP-101 t-0") == ["kip", "101", "t", "0"]


def test_a_name_in_camel_case_is_its_words() -> None:
    assert without_humps("UnderReplicatedPartitions") == "Under Replicated Partitions"
    assert without_humps("lastKnownELR") == "last Known ELR"
