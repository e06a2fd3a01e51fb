"""Screens rendered from the sandbox's tables as accessibility trees and pictures; touches change those tables."""
