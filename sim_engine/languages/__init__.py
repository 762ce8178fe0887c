"""The languages of Highwater: one folder for each, detected automatically.

A folder contains Fluent files: `language.ftl` has the language's name and plural rules,
`interface/` the page's texts, `narration/` the texts about runs, `service.ftl` the service's texts,
`limits.ftl` those about limits, `scenario_errors.ftl` those about errors in input, `settings.ftl`
those about Kafka's settings, `cluster_import.ftl` those about imports, `consequences.ftl` those
about the state in which a run starts, and `operator_words.ftl` those about metrics and log lines.
Every language except English also has translations of texts whose English is elsewhere: `lessons/`,
`articles/`, `challenges.ftl` (`library.py`).
`README.md` describes how to add a language.
"""
