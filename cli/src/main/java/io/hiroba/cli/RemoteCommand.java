package io.hiroba.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** A command that asks a server: which one, as whom, and whether the answer is for a person or a program. */
abstract class RemoteCommand implements Callable<Integer> {

    @Option(names = "--json", description = "Print JSON, for programs.")
    private boolean json;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server; else HIROBA_URL, else where you signed in, else http://127.0.0.1:8080.")
    private @Nullable String url;

    private final Surroundings around;
    private int exitCode;

    RemoteCommand(Surroundings around) {
        this.around = around;
    }

    /** Does the work; what goes wrong is thrown as a {@link Failure}. */
    abstract void run();

    @Override
    public final Integer call() {
        run();
        return exitCode;
    }

    /** What the command ends with where nothing went wrong, if that is not 0. */
    void endWith(int code) {
        exitCode = code;
    }

    /** Whether nothing but JSON is to be printed. */
    boolean isForProgram() {
        return json;
    }

    Surroundings around() {
        return around;
    }

    /** The server as the one who signed in. */
    Api api() {
        var server = server();
        var token = token(server);
        if (token.isEmpty()) {
            throw Failure.notSignedIn(server.uri());
        }
        return new Api(server, token);
    }

    /** The server as nobody yet. */
    Api anonymousApi() {
        return new Api(server(), Optional.empty());
    }

    /** Shows the answer itself to a program, and to a person what {@code words} make of it. */
    void answer(JsonNode answer, Function<JsonNode, String> words) {
        show(answer, known -> Text.printable(words.apply(known)));
    }

    /** As {@link #answer}, for words in which only what is ours can move a terminal. */
    void show(JsonNode answer, Function<JsonNode, String> words) {
        around.out().println(json ? Json.text(answer) : words.apply(answer).stripTrailing());
    }

    /** Tells a person something beside the answer; a program asked for nothing but that. */
    void note(String sentence) {
        if (!json) {
            warn(sentence);
        }
    }

    /** Tells anybody something they should know. */
    void warn(String sentence) {
        around.err().println(Text.printable(sentence));
    }

    /** Tells a person how to see the next page, if there is one. */
    void noteNext(JsonNode page) {
        String next = page.path("next").asString("");
        if (!next.isEmpty()) {
            note("There are more: add --after " + next);
        }
    }

    private ServerAddress server() {
        return Optional.ofNullable(url)
                .or(() -> around.variable("HIROBA_URL"))
                .map(ServerAddress::parse)
                .or(() -> new CredentialsFile(around).read().map(Credentials::server))
                .orElse(ServerAddress.DEFAULT);
    }

    /** A remembered token is only for the server that gave it. */
    private Optional<String> token(ServerAddress server) {
        return around.variable("HIROBA_TOKEN")
                .or(() -> new CredentialsFile(around)
                        .read()
                        .filter(known -> known.server().equals(server))
                        .map(Credentials::token));
    }
}
