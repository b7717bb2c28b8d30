package io.hiroba.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Runs the client in this process with a home folder, variables and an input of its own. */
final class CliRunner {

    private final Path home;
    private final Map<String, String> environment = new HashMap<>();
    private String input = "";
    private Terminal terminal = Terminal.NONE;

    /** The result of a run. */
    record Outcome(int code, String out, String err) {}

    CliRunner(Path home) {
        this.home = home;
    }

    CliRunner with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    CliRunner typing(String input) {
        this.input = input;
        return this;
    }

    CliRunner at(Terminal terminal) {
        this.terminal = terminal;
        return this;
    }

    Path credentials() {
        return home.resolve(".config/hiroba/credentials.json");
    }

    Outcome run(String... words) {
        var out = new ByteArrayOutputStream();
        var outcome = runInto(out, words);
        return new Outcome(outcome.code(), out.toString(StandardCharsets.UTF_8), outcome.err());
    }

    /** Runs with another output, which the outcome has not. */
    Outcome runInto(OutputStream out, String... words) {
        var err = new StringWriter();
        int code = Cli.run(surroundings(out, err), words);
        return new Outcome(code, "", err.toString());
    }

    CliEnvironment surroundings() {
        return surroundings(OutputStream.nullOutputStream(), new StringWriter());
    }

    private CliEnvironment surroundings(OutputStream out, StringWriter err) {
        return new CliEnvironment(
                environment,
                home,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                OutputWriter.to(out),
                new PrintWriter(err),
                terminal,
                question -> Optional.empty());
    }
}
