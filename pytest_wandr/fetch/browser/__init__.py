"""What does a broken page look like in a browser? The second try, behind an airlock.

`rule` says which pages are worth it, `standing` which page stands in the end; a replay needs nothing else.
`airlock`, `tab`, `chromium`, `browsers` and `renderer` need playwright: imported when a page is to be shown.
Every request of the browser is fulfilled by the guarded fetcher: the browser itself reaches nothing.
"""
