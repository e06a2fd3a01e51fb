"""The suite `bench`: the shape of MobilePA-Bench over the whole phone."""
