"""What commands and screens share: settings, packages, files, content providers, intents."""
