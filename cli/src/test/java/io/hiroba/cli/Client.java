package io.hiroba.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Runs the client in this process with a home folder, variables and an input of its own. */
final class Client {

    private final Path home;
    private final Map<String, String> environment = new HashMap<>();
    private String input = "";
    private Terminal terminal = Terminal.NONE;

    /** The result of a run. */
    record Outcome(int code, String out, String err) {}

    Client(Path home) {
        this.home = home;
    }

    Client with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Client typing(String input) {
        this.input = input;
        return this;
    }

    Client at(Terminal terminal) {
        this.terminal = terminal;
        return this;
    }

    Path credentials() {
        return home.resolve(".config/hiroba/credentials.json");
    }

    Outcome run(String... words) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Cli.run(surroundings(out, err), words);
        return new Outcome(code, out.toString(), err.toString());
    }

    Surroundings surroundings() {
        return surroundings(new StringWriter(), new StringWriter());
    }

    private Surroundings surroundings(StringWriter out, StringWriter err) {
        return new Surroundings(
                environment,
                home,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(out),
                new PrintWriter(err),
                terminal,
                question -> Optional.empty());
    }
}
