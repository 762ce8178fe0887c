"""The complete state of a cluster: brokers, controller, messages, clients, links, clock."""
