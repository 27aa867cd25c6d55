"""How does a model judge? It answers what machine checks leave open, and its word is checked again.

make          a name becomes a judge: config, one budget ledger, one endpoint for each model
llm           canaries first, then every question once, then the majority
sharing       which records share a call
prompt        what is sent: instructions, and one escaped document (cleaning, passages, landmarks)
asker         asked before? else budget, turn, call; kept at once (answers, journals)
endpoint      the call itself: turns, wires, retries, the ledger
reading       what of a reply can be used (schema, quotes, contradictions)
panel, names  the majority of several samples; which names are one
"""
