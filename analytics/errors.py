"""Errors that the caller of a job can fix. Every message is one line for a person."""


class AnalyticsError(Exception):
    """A job failed."""


class NotCarriedOutError(AnalyticsError):
    """A job was not carried out: its input is invalid, or something that it needs cannot be
    used."""


class DatabaseUrlError(NotCarriedOutError):
    """The address is not that of an SQLite or PostgreSQL database."""


class DatabaseFailedError(NotCarriedOutError):
    """The database does not exist, does not respond, or rejected a statement."""


class SchemaMissingError(NotCarriedOutError):
    """The database responds, but the service's migrations have not been run on it."""


class JavaMissingError(NotCarriedOutError):
    """Spark needs a Java runtime, and none was found."""


class MasterTwiceError(NotCarriedOutError):
    """A job was given a master, although `spark-submit` or a Spark Connect server has chosen
    one."""


class SparkConnectError(NotCarriedOutError):
    """The Spark Connect server cannot be used, or does not have what the job needs."""


class SparkFailedError(AnalyticsError):
    """Spark could not start, or a stage failed."""


class SharesChangedError(AnalyticsError):
    """The shares were changed while workers read them."""


class SummaryContradictoryError(AnalyticsError):
    """The numbers of a summary contradict each other, so it was not written."""


class CampaignFolderError(NotCarriedOutError):
    """The folder has no campaign, a different one, or one that cannot be read."""


class GridInvalidError(NotCarriedOutError):
    """The grid file, or the requested row, is invalid. The message names the place."""
