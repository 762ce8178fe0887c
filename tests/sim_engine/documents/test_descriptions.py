"""The string below a field is its description in schemas and tables."""

import subprocess
import sys

from sim_engine.documents.frames import FrameDocument
from sim_engine.documents.schemas import field_descriptions

HEADLINE = "The index in `events` of the most important one."


def test_a_class_has_the_descriptions_of_its_own_fields_and_of_inherited_ones():
    described = field_descriptions(FrameDocument)

    assert described["headline"].startswith(HEADLINE)
    assert described["properties"] == "Property name → verdict up to this frame."
    assert "state" not in described


def test_descriptions_do_not_depend_on_how_python_optimizes():
    program = (
        "from sim_engine.documents.frames import FrameDocument\n"
        "from sim_engine.documents.schemas import describe_documents\n"
        "_, schemas = describe_documents([FrameDocument], ref_template='{name}')\n"
        "print(schemas['FrameDocument']['properties']['headline']['description'])"
    )

    printed = subprocess.run(
        [sys.executable, "-OO", "-c", program], capture_output=True, text=True, check=True
    )

    assert printed.stdout.startswith(HEADLINE)
