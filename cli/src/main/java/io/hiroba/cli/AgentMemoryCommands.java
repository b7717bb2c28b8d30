package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "memory",
        description = "What an agent remembers of you: see, correct and delete it.",
        subcommands = {
            AgentMemoryCommands.ListMemory.class,
            AgentMemoryCommands.ShowMemory.class,
            AgentMemoryCommands.CorrectMemory.class,
            AgentMemoryCommands.ForgetMemory.class
        })
final class AgentMemoryCommands extends CommandGroup {

    private static String path(String agent) {
        return AgentCommands.PATH + "/" + UrlPaths.segment(agent) + "/memory";
    }

    @Command(name = "list", description = "List the threads that an agent remembers, newest first.")
    static final class ListMemory extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
        private String agent = "";

        @Mixin
        private final PageOptions page = new PageOptions();

        ListMemory(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            var found = page.get(api(), path(agent));
            answer(
                    found,
                    threads -> new Table()
                            .column(text("column.thread"), "postId")
                            .column(text("column.messages"), "messageCount")
                            .column(text("column.last-used"), "lastActiveAt")
                            .render(threads.path("items")));
            noteNext(found);
        }
    }

    @Command(name = "show", description = "Show what an agent remembers of a thread.")
    static final class ShowMemory extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
        private String agent = "";

        @Parameters(index = "1", paramLabel = "THREAD", description = "The thread's first post, from the list.")
        private String thread = "";

        ShowMemory(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            answer(
                    api().get(path(agent) + "/" + UrlPaths.segment(thread)),
                    found -> new Table()
                            .column(text("column.number"), "index")
                            .column(text("column.role"), "role")
                            .column(text("column.text-said"), "content")
                            .render(found.path("messages")));
        }
    }

    @Command(
            name = "correct",
            description = "Correct what an agent remembers: it is told your words instead from now on.")
    static final class CorrectMemory extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
        private String agent = "";

        @Parameters(index = "1", paramLabel = "THREAD", description = "The thread's first post, from the list.")
        private String thread = "";

        @Parameters(index = "2", paramLabel = "NUMBER", description = "The message, by its number in the thread.")
        private int number;

        @Parameters(index = "3", paramLabel = "TEXT", description = "What it is to remember.")
        private String content = "";

        CorrectMemory(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            var message = path(agent) + "/" + UrlPaths.segment(thread) + "/messages/" + number;
            answer(api().patch(message, Map.of("content", content)), corrected -> text("agent.memory-corrected"));
        }
    }

    @Command(name = "forget", description = "Let an agent forget a thread; without one all that it remembers of you.")
    static final class ForgetMemory extends RemoteCommand {

        @Parameters(index = "0", paramLabel = "AGENT", description = "The agent's id, from the list.")
        private String agent = "";

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "THREAD",
                description = "The thread's first post; without one all threads.")
        private @Nullable String thread;

        ForgetMemory(CliEnvironment environment) {
            super(environment);
        }

        @Override
        void run() {
            api().delete(thread == null ? path(agent) : path(agent) + "/" + UrlPaths.segment(thread));
            answer(
                    CliJson.object("forgotten", thread == null ? agent : thread),
                    done -> text("agent.memory-forgotten"));
        }
    }
}
