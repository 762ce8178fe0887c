"""The built frontend, served: the app's pages, their assets, and the page of a share."""
