package io.hiroba.cli;

import picocli.CommandLine.Command;

@Command(
        name = "token",
        description = "API tokens: how programs and agents sign in.",
        subcommands = {TokenCreateCommand.class, TokenListCommand.class, TokenRevokeCommand.class})
final class TokenCommands extends CommandGroup {}
