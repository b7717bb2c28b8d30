package io.hiroba.cli;

import static io.hiroba.cli.CliMessages.text;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A command that sends requests to a server. */
abstract class RemoteCommand implements Callable<Integer> {

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server; else HIROBA_URL, else where you signed in, else http://127.0.0.1:8080.")
    private @Nullable String url;

    private final CliEnvironment environment;
    private int exitCode;

    RemoteCommand(CliEnvironment environment) {
        this.environment = environment;
    }

    /** Runs the command; failures are thrown as {@link Failure}. */
    abstract void run();

    @Override
    public final Integer call() {
        run();
        return exitCode;
    }

    /** Sets the exit code of a run that did not fail, if it is not 0. */
    void exitWith(int code) {
        exitCode = code;
    }

    /** Whether only JSON is printed. */
    boolean isForProgram() {
        return json;
    }

    CliEnvironment environment() {
        return environment;
    }

    /** The API with the credentials of the user. */
    Api api() {
        var server = server();
        var token = token(server);
        if (token.isEmpty()) {
            throw Failure.notSignedIn(server.uri());
        }
        return new Api(server, token);
    }

    /** The API without credentials. */
    Api anonymousApi() {
        return new Api(server(), Optional.empty());
    }

    /** Prints the response as JSON for a program, or formatted by {@code format} for a person. */
    void answer(JsonNode answer, Function<JsonNode, String> format) {
        show(answer, known -> Text.printable(format.apply(known)));
    }

    /** As {@link #answer}, for formats that may contain control sequences of ours. */
    void show(JsonNode answer, Function<JsonNode, String> format) {
        environment
                .out()
                .println(json ? CliJson.text(answer) : format.apply(answer).stripTrailing());
    }

    /** Prints a message for people only. */
    void note(String sentence) {
        if (!json) {
            warn(sentence);
        }
    }

    /** Prints a warning. */
    void warn(String sentence) {
        environment.err().println(Text.printable(sentence));
    }

    /** Says how to get the next page, if there is one. */
    void noteNext(JsonNode page) {
        String next = page.path("next").asString("");
        if (!next.isEmpty()) {
            note(text("list.more", next));
        }
    }

    private ServerAddress server() {
        return Optional.ofNullable(url)
                .or(() -> environment.variable("HIROBA_URL"))
                .map(ServerAddress::parse)
                .or(() -> new CredentialsFile(environment).read().map(CliCredentials::server))
                .orElse(ServerAddress.DEFAULT);
    }

    /** A header cannot carry anything else, and what is refused there is shown. */
    private static String checked(String token) {
        var stripped = token.strip();
        if (!CliCredentials.isToken(stripped)) {
            throw Failure.usage(text("usage.not-a-token"));
        }
        return stripped;
    }

    /** A stored token is only sent to the server that issued it. */
    private Optional<String> token(ServerAddress server) {
        return environment
                .variable("HIROBA_TOKEN")
                .map(RemoteCommand::checked)
                .or(() -> new CredentialsFile(environment)
                        .read()
                        .filter(known -> known.server().equals(server))
                        .map(CliCredentials::token));
    }
}
