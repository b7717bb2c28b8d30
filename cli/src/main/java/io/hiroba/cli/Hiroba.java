package io.hiroba.cli;

import picocli.CommandLine.Command;

/** The root of the command tree: every command of the client is listed here or in one of these groups. */
@Command(
        name = "hiroba",
        description = "Talks to a Hiroba server over HTTP.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            LoginCommand.class,
            LogoutCommand.class,
            WhoAmICommand.class,
            UserCommands.class,
            TokenCommands.class,
            PostCommand.class,
            FeedCommand.class,
            SearchCommand.class,
            WorkflowCommands.class,
            SagaCommands.class,
            ScheduleCommands.class,
            RecordsCommands.class,
            SchemaCommands.class,
            KnowledgeCommands.class,
            InboxCommands.class,
            WebhookCommands.class,
            AgentCommands.class,
            McpCommand.class,
        },
        footerHeading =
                "%nThe launcher adds: up, stop, status, doctor, config, models, backup, restore, upgrade-database,%npsql, pg_dump, test, bench, chaos, dist, version (hiroba help).%n%nExit codes:%n",
        footer = {
            "  0  done",
            "  1  the server refused it, or it failed",
            "  2  the command was written wrongly",
            "  3  the server cannot be reached",
            "  4  the saga that was waited for ended FAILED",
            "  5  the saga that was waited for ended CANCELLED",
            "  6  the saga that was waited for is stuck",
        })
final class Hiroba {}
