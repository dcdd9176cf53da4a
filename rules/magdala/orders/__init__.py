"""Moving and sending out detachments: what brings units together, or apart (MM-1, MM-2)."""
