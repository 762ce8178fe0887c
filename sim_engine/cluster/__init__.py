"""Everything that exists at one moment: brokers, controller, messages, clients, links, clock."""
