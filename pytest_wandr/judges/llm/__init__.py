"""How does a model judge? It answers what machine checks leave open, and its word is checked again.

prompt -> asker (asked before? else budget, turn, call) -> reply, read and checked -> answer
"""
