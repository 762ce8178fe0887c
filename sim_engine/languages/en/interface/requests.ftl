### The requests to the service that get no response.

unreachable = The service cannot be reached. Try again when the connection is restored.
brokenOff = It broke off before its result. Try again.
noService = This is a copy of the site without a service. A short link, or a presentation that others follow, needs one.

### The engine that runs in the page where there is no service.

loadTitle = Run the engine in your browser
# $size: megabytes, with one digit.
loadText = This site has no server that runs steps, so your browser runs the engine itself. It downloads { $size } MB, once.
awayTitle = The server does not respond
awayText = You can continue without it: your browser then runs the engine itself. It downloads { $size } MB, once.
loadMore = It is the same engine. Your runs stay in this browser.
load = Load { $size } MB
notNow = Not now
loading = Loading the engine …
starting = Starting the engine …
failed = The engine could not be loaded. Check the connection and try again. An old browser, or one that blocks WebAssembly, cannot run it.
declined = Steps need the engine, which was not loaded. Try again to load it.
close = Close
