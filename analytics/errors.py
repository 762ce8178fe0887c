"""What a caller of a job may get wrong, or find missing. Every message is one line for a person."""


class AnalyticsError(Exception):
    """A job could not do its work."""


class DatabaseUrlError(AnalyticsError):
    """The address names no database that the service could have written."""


class DatabaseFailedError(AnalyticsError):
    """The database is not there, does not answer, or refused a statement."""


class SchemaMissingError(AnalyticsError):
    """The database answers, but the service's migrations have not been run on it."""


class JavaMissingError(AnalyticsError):
    """Spark needs a Java runtime, and none was found."""


class SparkFailedError(AnalyticsError):
    """Spark could not start, or gave up a stage."""


class SummaryContradictoryError(AnalyticsError):
    """A summary broke one of its own rules and was not written."""
